import { Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Company } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { CompanyUsage } from "./company-usage.model.js";

@Resolver(() => CompanyUsage)
export class CompanyUsageResolver {
  @RequirePermission("access_company")
  @Query(() => [CompanyUsage], {
    description: "How much the company uses of each of its quotas, and their limits.",
  })
  async companyUsage(@Company() company: CompanyScope): Promise<CompanyUsage[]> {
    const usage: CompanyUsage[] = [];
    for (const quota of company.quotas.all)
      usage.push({
        name: quota.name,
        used: await company.quotas.usedOf(quota, company.whole),
        limit: company.quotas.limitOf(quota),
      });
    return usage;
  }
}
