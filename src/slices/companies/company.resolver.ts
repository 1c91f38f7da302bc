import { Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { Open, PlatformOnly, RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company as CompanyArgument, Input } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { CompanyPublicSettings, CompanySettings } from "./company-settings.model.js";
import { currencyOf, describePublicSettings } from "./company-settings.rules.js";
import { getSettings } from "./company-settings.service.js";
import { CreateCompanyInput } from "./company.inputs.js";
import { Company, companyList } from "./company.model.js";
import { domainsAreFree } from "./company-domains.js";
import * as companyService from "./company.service.js";

const { Args: CompaniesArgs, Connection: CompanyConnection } = companyList;
type CompaniesArgs = InstanceType<typeof CompaniesArgs>;

@Resolver(() => Company)
export class CompanyResolver {
  @PlatformOnly()
  @Query(() => CompanyConnection, {
    description: "All companies, newest first unless ordered; for the platform.",
  })
  companies(@Ctx() { client }: OperationContext, @Args(() => CompaniesArgs) args: CompaniesArgs) {
    return companyService.listCompanies(client, args);
  }

  @Open()
  @Query(() => Company, { description: "The company itself, as everybody may see it." })
  company(@CompanyArgument() company: CompanyScope) {
    return companyService.getCompany(company);
  }

  @RequirePermission("access_settings")
  @Query(() => CompanySettings, { description: "All settings of the company; secrets never in clear." })
  settings(@CompanyArgument() company: CompanyScope) {
    return getSettings(company);
  }

  @PlatformOnly()
  @Audited()
  @Mutation(() => Company, {
    description:
      "Creates a company with its settings and its first admin, who owns it; for the platform. " +
      "VALIDATION_FAILED with rule `unique` for a domain or custom domain that leads to another company.",
  })
  createCompany(
    @Ctx() { client, at }: OperationContext,
    @Input(() => CreateCompanyInput, {
      description: "The company and its first admin.",
      stored: domainsAreFree,
    })
    input: CreateCompanyInput,
  ) {
    return companyService.createCompany(client, input, at);
  }

  @FieldResolver(() => String, { description: "Currency of its amounts, USD unless it was set." })
  currencyIso(@Root() { settings }: companyService.CompanyRow): string {
    return currencyOf(settings);
  }

  @FieldResolver(() => CompanyPublicSettings, {
    name: "settings",
    description: "The settings that everybody may know.",
  })
  publicSettings(@Root() company: companyService.CompanyRow): CompanyPublicSettings {
    return describePublicSettings(company.settings);
  }
}
