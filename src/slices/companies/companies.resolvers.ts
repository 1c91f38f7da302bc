import "./companies.permissions.js";
import { CompanyUsageResolver } from "./company-usage.resolver.js";
import { CompanyResolver } from "./company.resolver.js";
import { FeeRuleResolver } from "./fee-rule.model.js";

/** Resolvers of companies and their settings. */
export const companiesResolvers = [CompanyResolver, CompanyUsageResolver, FeeRuleResolver] as const;
