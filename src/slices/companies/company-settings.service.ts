import { validationFailed, type FieldError } from "../../core/errors/domain-error.js";
import type { StoredRule } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Secrets } from "../../core/secrets.js";
import type { JsonObject } from "../../core/db/db.js";
import type { UpdateSettingsInput } from "./company-settings.inputs.js";
import type { CompanySettings } from "./company-settings.model.js";
import {
  countsInDisorder,
  describeSettings,
  foreignBanner,
  settingChanges,
  settingsAfter,
  type StoredSettings,
} from "./company-settings.rules.js";
import type { TermsOfService } from "./company.model.js";
import { lockCompany, lockSettings } from "./company.sql.js";

type Reader = Pick<CompanyScope, "db" | "companyId">;

const readSettings = ({ db, companyId }: Reader): Promise<StoredSettings | null> =>
  db.companySettings.findFirst({ where: { companyId } });

/** All settings of the company, with the secrets masked. */
export async function getSettings(scope: CompanyScope): Promise<CompanySettings> {
  return describeSettings(await readSettings(scope));
}

export async function getTermsOfService(scope: CompanyScope): Promise<TermsOfService> {
  const { termsOfService } = describeSettings(await readSettings(scope));
  return { termsOfService: termsOfService ?? null };
}

/** Finds values that contradict stored ones; `changeSettings` judges them once more under the lock. */
export const settingsAgree: StoredRule = async (input, context, { companyId }) => {
  const isCounted =
    input["minNearbyBranchesCount"] !== undefined || input["maxNearbyBranchesCount"] !== undefined;
  if (!isCounted && typeof input["defaultPromotedBanner"] !== "string") return [];
  return disorder(await readSettings(context.companyScope(companyId as number)), input);
};

/**
 * Changes settings: what is absent stays, null clears. Changes at once are made one after the other, so none is lost.
 *
 * @returns all settings, with the secrets masked.
 * @throws DomainError VALIDATION_FAILED for a value that contradicts a stored one.
 */
export function changeSettings(
  scope: CompanyScope,
  secrets: Secrets,
  input: UpdateSettingsInput,
): Promise<CompanySettings> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    await lockCompany(db, companyId);
    await lockSettings(db, companyId);
    const stored = await readSettings(inside);
    const errors = disorder(stored, input as Readonly<Record<string, unknown>>);
    if (errors.length > 0) throw validationFailed(errors);
    const seal = (name: string, value: unknown): string =>
      secrets.seal(JSON.stringify(value), { companyId, name });
    const { data, secrets: sealed } = settingsAfter(stored, settingChanges(stored, input), seal);
    const values = { data: data as JsonObject, secrets: sealed as JsonObject };
    await db.companySettings.upsert({
      where: { companyId },
      create: { companyId, ...values },
      update: values,
    });
    return describeSettings({ data, secrets: sealed });
  });
}

function disorder(
  stored: StoredSettings | null,
  input: Readonly<Record<string, unknown>>,
): readonly FieldError[] {
  const data = { ...(stored?.data as object | undefined) };
  return [...countsInDisorder(data, input), ...foreignBanner(data, input)];
}
