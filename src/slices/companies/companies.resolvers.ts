import "./companies.permissions.js";
import { AllowedSettingsResolver } from "./allowed-settings.resolver.js";
import { CompanyUsageResolver } from "./company-usage.resolver.js";
import { CompanyResolver } from "./company.resolver.js";
import { FeeRuleResolver } from "./fee-rule.model.js";

/** Resolvers of companies and their settings. */
export const companiesResolvers = [
  CompanyResolver,
  AllowedSettingsResolver,
  CompanyUsageResolver,
  FeeRuleResolver,
] as const;
