import type { UpdateAdminSettingsInput } from "./admin-settings.inputs.js";
import type { AdminSettings, AudibleNotifications } from "./admin-settings.model.js";

/** The stored settings by their GraphQL names; those that were never set are absent. */
type StoredAdminSettings = Partial<Omit<AdminSettings, "preferences">> & {
  readonly preferences?: { readonly audibleNotifications?: Partial<AudibleNotifications> };
};

const ALL_AUDIBLE: AudibleNotifications = {
  branchInService: "on",
  orderNew: "on",
  paymentNew: "on",
  orderBeingPrepared: "on",
  orderAccepted: "on",
  orderPrepared: "on",
  liverArrived: "on",
  liverInCommerce: "on",
  liverOnTheWay: "on",
  orderArrived: "on",
  orderDelivered: "on",
  orderCanceled: "on",
};

const NO_MESSAGES: Omit<AdminSettings, "preferences"> = {
  enableSms: false,
  enableOrderCreatedSms: false,
  enablePaymentRegisteredSms: false,
  enableManualPaymentReportedSms: false,
  enableOrderCanceledSms: false,
  enableSupportSms: false,
  enableMessengerARates: false,
  enableMessengerAOrders: false,
  enableMessengerAReminders: false,
  enableMessengerAAlerts: false,
};

/** All settings of an admin, with defaults for those that were never set. */
export function describeAdminSettings(stored: unknown): AdminSettings {
  const { preferences, ...switches } = (stored ?? {}) as StoredAdminSettings;
  return {
    ...NO_MESSAGES,
    ...switches,
    preferences: { audibleNotifications: { ...ALL_AUDIBLE, ...preferences?.audibleNotifications } },
  };
}

/** The settings as they are stored after an input; preferences are merged one after the other. */
export function mergedSettings(
  stored: unknown,
  { preferences = [], ...switches }: UpdateAdminSettingsInput,
): StoredAdminSettings {
  const before = (stored ?? {}) as StoredAdminSettings;
  const audibleNotifications = Object.assign(
    { ...before.preferences?.audibleNotifications },
    ...preferences.map((one) => ({ ...one.audibleNotifications })),
  ) as Partial<AudibleNotifications>;
  return { ...before, ...switches, preferences: { ...before.preferences, audibleNotifications } };
}
