import { CompanyPublicSettings, CompanySettings } from "./company-settings.model.js";

/** A row of settings: `data` holds plain values by their GraphQL names, `secrets` the encrypted ones. */
export interface StoredSettings {
  readonly data: unknown;
  readonly secrets?: unknown;
}

type Values = Readonly<Record<string, unknown>>;

export const DEFAULT_CURRENCY_ISO = "USD";

/** Text that is shown in place of a secret, however long that is. */
export const SECRET_MASK = "********";

/** Names of the secrets that are one text. */
export const SECRET_TEXTS = ["messengerAToken", "messengerBMessagingToken"] as const;
/** Names of the secrets that are a list. */
export const SECRET_LISTS = ["partnerAccountJson", "socketteKeys"] as const;
/** Pattern of the keys of bank settings, which are secret lists, too (contract §9.2). */
export const BANK_SETTINGS_KEY = /^[a-z0-9]+_settings$/u;

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
  const banks = Object.keys(secrets).filter((name) => BANK_SETTINGS_KEY.test(name) && isSet(name));
  return Object.assign(new CompanySettings(), {
    currencyIso: DEFAULT_CURRENCY_ISO,
    ...SWITCHED_OFF,
    ...(stored?.data as Values | undefined),
    ...Object.fromEntries(SECRET_TEXTS.map((name) => [name, isSet(name) ? SECRET_MASK : null])),
    ...Object.fromEntries(SECRET_LISTS.map((name) => [name, isSet(name) ? [SECRET_MASK] : null])),
    bankSettings: banks.length === 0 ? null : Object.fromEntries(banks.map((name) => [name, [SECRET_MASK]])),
  });
}
