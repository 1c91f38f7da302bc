import { Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { Open, PlatformOnly, RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { ChangesRow } from "../../core/operations/changed-row.js";
import {
  Company as CompanyArgument,
  DeletedCompanyId,
  Input,
} from "../../core/operations/operation-arguments.js";
import { isUnchanged, UnlessChangedSince } from "../../core/operations/changed-since.js";
import { changesFacts, REMEMBERED_ELSEWHERE_MS } from "../../core/scope/company-directory.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { CompanyPublicSettings, CompanySettings } from "./company-settings.model.js";
import { UpdateSettingsInput } from "./company-settings.inputs.js";
import { currencyOf, describePublicSettings } from "./company-settings.rules.js";
import { changeSettings, getSettings, getTermsOfService, settingsAgree } from "./company-settings.service.js";
import { mayChangeCompany } from "./company-changes.rule.js";
import { CreateCompanyInput, UpdateCompanyInput } from "./company.inputs.js";
import { Company, companyList, TermsOfService } from "./company.model.js";
import { DomainArgument } from "./domain-argument.js";
import { domainsAreFree } from "./company-domains.js";
import { hasJustChanged } from "./company.sql.js";
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

  @RequirePermission("can_edit_company")
  @Audited()
  @Mutation(() => Company, {
    description:
      "Changes the company; what is absent stays. `expiresAt`, `extensionDays` and `enabled` are for the platform " +
      "alone: FORBIDDEN names them. VALIDATION_FAILED with rule `unique` for a domain or custom domain that leads to " +
      "another company. Texts and looks count each change of their content in their `version`.",
  })
  async updateCompany(
    @Ctx() context: OperationContext,
    @CompanyArgument() company: CompanyScope,
    @Input(() => UpdateCompanyInput, { description: "The changes.", stored: mayChangeCompany })
    input: UpdateCompanyInput,
  ) {
    const changed = await companyService.updateCompany(company, input);
    await forgetFacts(context, company, input);
    return changed;
  }

  @PlatformOnly()
  @Audited()
  @Mutation(() => Company, {
    description:
      "Deletes the company and answers it; for the platform. Its paths are NOT_FOUND from then on, its tokens are " +
      "worth nothing, nobody of it signs in, and its domains are free. `restoreCompany` undoes it.",
  })
  async deleteCompany(@Ctx() context: OperationContext, @CompanyArgument() company: CompanyScope) {
    const { runtime } = context;
    const deleted = await companyService.deleteCompany(company);
    runtime.companies.forget(company.companyId);
    runtime.roles.forgetCompany(company.companyId);
    context.holdAnswer(REMEMBERED_ELSEWHERE_MS);
    return deleted;
  }

  @PlatformOnly()
  @Audited()
  @Mutation(() => Company, {
    description:
      "Restores a deleted company; for the platform. INVALID_STATE when it is not deleted; VALIDATION_FAILED with " +
      "rule `unique` when another company has taken its domain or custom domain.",
  })
  async restoreCompany(@Ctx() { client, runtime }: OperationContext, @DeletedCompanyId() companyId: number) {
    const restored = await companyService.restoreCompany(client, companyId);
    runtime.companies.forget(companyId);
    runtime.roles.forgetCompany(companyId);
    return restored;
  }

  @Open()
  @Query(() => Company, {
    description:
      "The company with this domain or this host of its custom domain, in any case. Null when it has not changed " +
      "since `updatedAt`. NOT_FOUND when there is none; FORBIDDEN when it has expired or is disabled.",
  })
  async companyByDomain(
    @Ctx() context: OperationContext,
    @DomainArgument("domain") domain: string,
    @UnlessChangedSince() since: Date | null,
  ) {
    const company = await companyService.getCompanyByName(context, domain);
    return isUnchanged(company, since) ? null : company;
  }

  @Open()
  @Query(() => Company, {
    description:
      "The company that a domain leads to: its domain or the host of its custom domain, in any case. NOT_FOUND when " +
      "there is none; FORBIDDEN when it has expired or is disabled.",
  })
  resolveDomain(@Ctx() context: OperationContext, @DomainArgument("domain") domain: string) {
    return companyService.getCompanyByName(context, domain);
  }

  @Open()
  @Query(() => TermsOfService, { description: "The terms of service of the company." })
  termsOfService(@CompanyArgument() company: CompanyScope) {
    return getTermsOfService(company);
  }

  @RequirePermission("can_edit_settings")
  @Audited()
  @ChangesRow("Company", ({ companyId }) => companyId as number)
  @Mutation(() => CompanySettings, {
    description:
      "Changes settings and answers all of them; what is absent stays, null clears. A secret is stored encrypted and " +
      "answered as `********`. VALIDATION_FAILED also when a value contradicts one that is stored: " +
      "`maxNearbyBranchesCount` is not below `minNearbyBranchesCount`. Amounts are not converted when the currency changes.",
  })
  async updateSettings(
    @Ctx() context: OperationContext,
    @CompanyArgument() company: CompanyScope,
    @Input(() => UpdateSettingsInput, { description: "The settings to change.", stored: settingsAgree })
    input: UpdateSettingsInput,
  ) {
    const settings = await changeSettings(company, context.runtime.secrets, input);
    await forgetFacts(context, company, input);
    return settings;
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

/**
 * Forgets what is remembered of a company. Where a fact may have changed, the answer waits until no instance remembers what was
 * before, or what others have made of it meanwhile: one that is set forth and back is what this instance remembers.
 */
async function forgetFacts(
  context: OperationContext,
  { company, db }: CompanyScope,
  input: object,
): Promise<void> {
  context.runtime.companies.forget(company.id);
  if (changesFacts(input) && (await hasJustChanged(db, company.id, REMEMBERED_ELSEWHERE_MS)))
    context.holdAnswer(REMEMBERED_ELSEWHERE_MS);
}
