import type { FieldError } from "../../core/errors/domain-error.js";
import { pictureKeyIn } from "../../core/files/picture-key.js";
import { isPictureUrl, MUST_BE_FILE } from "../../core/files/upload.js";
import { givenKeys } from "../../core/inputs/given-keys.js";
import { isInt } from "../../core/integers.js";
import type { UpdateSettingsInput } from "./company-settings.inputs.js";
import {
  BANK_SETTINGS_KEY,
  CompanyPublicSettings,
  CompanySettings,
  DEFAULT_CURRENCY_ISO,
} from "./company-settings.model.js";

/** A row of settings: `data` holds plain values by their GraphQL names, `secrets` the encrypted ones. */
export interface StoredSettings {
  readonly data: unknown;
  readonly secrets?: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** Text that is shown in place of a secret, however long that is. */
export const SECRET_MASK = "********";

/** Names of the secrets that are one text. */
export const SECRET_TEXTS = ["messengerAToken", "messengerBMessagingToken"] as const;
/** Names of the secrets that are a list. */
export const SECRET_LISTS = ["partnerAccountJson", "socketteKeys"] as const;
const BANK_KEY = new RegExp(BANK_SETTINGS_KEY, "u");

/** Names of the switches, which are off unless they were set. */
const SWITCHES = [
  "payInStore",
  "enableInvoices",
  "enableMultiProviders",
  "enablePhoneLogin",
  "enableCoupons",
  "disableBalance",
  "isMarketplace",
  "autoAssignPreparedMode",
  "cancelOnPaymentFailure",
  "disableReports",
  "smsNotificationsEnabled",
  "smsEnabledForClientsTracking",
  "disablePaymentEmails",
  "isVerificationRequired",
  "isFullVerificationRequired",
] as const satisfies readonly (keyof CompanySettings)[];

const SWITCHED_OFF: Values = Object.fromEntries(SWITCHES.map((name) => [name, false]));
/** What is answered for settings that were never set and are never null. */
const UNSET: Values = { ...SWITCHED_OFF, currencyIso: DEFAULT_CURRENCY_ISO };

/** The settings that everybody may know. */
export function describePublicSettings(stored: StoredSettings | null): CompanyPublicSettings {
  return Object.assign(new CompanyPublicSettings(), SWITCHED_OFF, stored?.data);
}

/** The currency of the company's amounts. */
export function currencyOf(stored: Pick<StoredSettings, "data"> | null): string {
  const { currencyIso = DEFAULT_CURRENCY_ISO } = (stored?.data ?? {}) as { currencyIso?: string };
  return currencyIso;
}

/** All settings, with the secrets masked. */
export function describeSettings(stored: StoredSettings | null): CompanySettings {
  const secrets = (stored?.secrets ?? {}) as Values;
  const isSet = (name: string): boolean => secrets[name] != null;
  const banks = banksIn(stored);
  return Object.assign(new CompanySettings(), {
    ...UNSET,
    ...(stored?.data as Values | undefined),
    ...Object.fromEntries(SECRET_TEXTS.map((name) => [name, isSet(name) ? SECRET_MASK : null])),
    ...Object.fromEntries(SECRET_LISTS.map((name) => [name, isSet(name) ? [SECRET_MASK] : null])),
    bankSettings: banks.length === 0 ? null : Object.fromEntries(banks.map((name) => [name, [SECRET_MASK]])),
  });
}

/** The keys of the banks that have settings. */
function banksIn(stored: StoredSettings | null): string[] {
  const secrets = Object.entries((stored?.secrets ?? {}) as Values);
  return secrets.filter(([name, value]) => BANK_KEY.test(name) && value != null).map(([name]) => name);
}

/** What an input changes: plain values and secrets by their names; null clears. */
export interface SettingChanges {
  readonly plain: Values;
  readonly secret: Values;
}

const SECRET_NAMES: ReadonlySet<string> = new Set([...SECRET_TEXTS, ...SECRET_LISTS]);

/** What an input changes. A secret or a banner that is sent as it is shown is not among it: answers may be sent back. */
export function settingChanges(
  stored: StoredSettings | null,
  { bankSettings, ...input }: UpdateSettingsInput,
): SettingChanges {
  const banner = input.defaultPromotedBanner;
  const { taxes, serviceAppModifiers } = input;
  const values = {
    ...input,
    defaultPromotedBanner: typeof banner === "object" ? (banner?.key ?? null) : undefined,
    taxes: taxes?.map(givenKeys) ?? taxes,
    serviceAppModifiers: serviceAppModifiers?.map(givenKeys) ?? serviceAppModifiers,
  };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const banks =
    bankSettings === null
      ? banksIn(stored).map((name) => [name, null] as const)
      : Object.entries(bankSettings ?? {});
  const secrets = [...given.filter(([name]) => SECRET_NAMES.has(name)), ...banks];
  return {
    plain: Object.fromEntries(given.filter(([name]) => !SECRET_NAMES.has(name))),
    secret: Object.fromEntries(secrets.filter(([, value]) => !isMask(value))),
  };
}

/** Returns whether a value is what is shown in place of a secret: the mask, or a list of it alone. */
function isMask(value: unknown): boolean {
  return value === SECRET_MASK || (Array.isArray(value) && value.length === 1 && value[0] === SECRET_MASK);
}

/**
 * The row of settings after changes. An empty list of secrets is no secret, and what is answered without being set is
 * not stored.
 *
 * @param seal encrypts a secret for the setting of this name.
 */
export function settingsAfter(
  stored: StoredSettings | null,
  { plain, secret }: SettingChanges,
  seal: (name: string, value: unknown) => string,
): { data: Values; secrets: Values } {
  const isNone = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
  const sealed = Object.entries(secret).map(([name, value]) => [
    name,
    isNone(value) ? null : seal(name, value),
  ]);
  const before = { ...(stored?.data as Values | undefined) };
  const isChange = ([name, value]: [string, unknown]): boolean =>
    before[name] !== undefined || value !== UNSET[name];
  return {
    data: givenKeys({ ...before, ...Object.fromEntries(Object.entries(plain).filter(isChange)) }),
    secrets: givenKeys({
      ...(stored?.secrets as Values | undefined),
      ...(Object.fromEntries(sealed) as Values),
    }),
  };
}

/** Finds the URL of a picture that is not the stored banner. */
export function foreignBanner(stored: Values, { defaultPromotedBanner: url }: Values): FieldError[] {
  if (!isPictureUrl(url) || pictureKeyIn(url) === stored["defaultPromotedBanner"]) return [];
  return [{ field: "defaultPromotedBanner", rule: "type", message: MUST_BE_FILE }];
}

/**
 * Finds the counts of nearby branches that contradict each other, of which the input names one at least. What is no count
 * is reported as such alone.
 */
export function countsInDisorder(stored: Values, input: Values): FieldError[] {
  const [least, most] = ["minNearbyBranchesCount", "maxNearbyBranchesCount"].map((name) =>
    input[name] === undefined ? stored[name] : input[name],
  );
  if (!isInt(least) || !isInt(most) || most >= least) return [];
  return typeof input["maxNearbyBranchesCount"] === "number"
    ? [{ field: "maxNearbyBranchesCount", rule: "min", message: `must be >= ${least}` }]
    : [{ field: "minNearbyBranchesCount", rule: "max", message: `must be <= ${most}` }];
}
