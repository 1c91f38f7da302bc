import { isDeepStrictEqual } from "node:util";
import { writeMask } from "../../core/masks/masks.js";
import { momentAfter, readMoment } from "../../core/time/moments.js";
import { NO_JSON, type Changes, type JsonArray, type JsonObject, type Row } from "../../core/db/db.js";
import { givenKeys } from "../../core/inputs/given-keys.js";
import { hostOf } from "../../core/inputs/domain-name.js";
import type { CompanyStringsInput, CompanyStylesInput, UpdateCompanyInput } from "./company.inputs.js";
import { COMPANY_OPTIONS } from "./company.masks.js";

type StoredCompany = Row<"Company">;

/** What a change writes; what is absent stays. */
export function changedValues(stored: StoredCompany, input: UpdateCompanyInput): Changes<"Company"> {
  const { name, domain, customDomain, email, folderName, plan, defaultIsoLang, countryIso } = input;
  const { timeZoneOffset, timeZone, customJson, stringsJson, stylesJson, expiresAt, extensionDays, enabled } =
    input;
  const given: Changes<"Company"> = {
    name,
    domain,
    email,
    folderName,
    plan,
    defaultIsoLang,
    countryIso,
    timeZoneOffset,
    timeZone,
    extensionDays,
    enabled,
    customJson: customJson === null ? NO_JSON : (customJson as JsonObject | undefined),
    options: writeMask(COMPANY_OPTIONS, { ...input }, input.options, stored.options),
    ...(customDomain !== undefined && {
      customDomain,
      customDomainHost: customDomain === null ? null : hostOf(customDomain),
    }),
    ...(expiresAt !== undefined && {
      expiresAt: momentAfter(
        stored.expiresAt,
        readMoment(
          expiresAt,
          (timeZone === undefined ? stored.timeZone : timeZone) ?? timeZoneOffset ?? stored.timeZoneOffset,
        ),
      ),
    }),
    ...(stringsJson !== undefined && { stringsJson: nextStrings(stored.stringsJson, stringsJson) }),
    ...(stylesJson !== undefined && { stylesJson: nextStyles(stored.stylesJson, stylesJson) }),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function nextStrings(stored: unknown, { strings }: CompanyStringsInput): JsonObject {
  const { strings: before, version } = stored as { strings: unknown; version: number };
  return { strings: strings as JsonArray, version: nextVersion(version, before, strings) };
}

/** Styles that are absent stay, those that are null are cleared. Styles that are the same stay in the form that they have. */
function nextStyles(stored: unknown, { styles }: CompanyStylesInput): JsonObject {
  const { styles: before, version } = stored as { styles: Styles; version: number };
  const after = givenKeys({ ...before, ...styles });
  const next = nextVersion(version, givenKeys(before), after);
  return { styles: next === version ? before : after, version: next };
}

type Styles = Readonly<Record<string, string | null>>;

/** Counts the version up when the content differs. */
function nextVersion(version: number, before: unknown, after: unknown): number {
  // Values of GraphQL documents have no prototype, which alone would make them differ.
  return isDeepStrictEqual(before, JSON.parse(JSON.stringify(after))) ? version : version + 1;
}
