import { Extensions, Field, Float, Int, ObjectType } from "type-graphql";
import { PictureUrl } from "../../core/files/picture-url.js";
import { defineEnum } from "../../core/enums.js";
import { KEYS_BESIDE } from "../../core/inputs/input-fields.js";
import { Json } from "../../core/scalars/json.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { FeeRule } from "./fee-rule.model.js";

export const DEFAULT_CURRENCY_ISO = "USD";

/** Pattern of the keys of bank settings, which are secret lists (contract §9.2). */
export const BANK_SETTINGS_KEY = "^[a-z0-9]+_settings$";

export const PaperOrientationEnum = defineEnum("PaperOrientation", ["portrait", "landscape"], {
  description: "How paper is turned.",
  values: { portrait: "Upright.", landscape: "On its side." },
});

/** The languages whose stop words, singulars and plurals searches of goods know, by ISO 639-1. */
export const SEARCH_LANGUAGES = ["de", "en", "es", "fr", "pt"] as const;
export type SearchLanguage = (typeof SEARCH_LANGUAGES)[number];

export const SearchLanguageEnum = defineEnum("SearchLanguage", SEARCH_LANGUAGES, {
  description:
    "A language whose stop words, singulars and plurals searches of goods know, by its ISO 639-1 code.",
  values: { de: "German.", en: "English.", es: "Spanish.", fr: "French.", pt: "Portuguese." },
});

export const SmsProviderEnum = defineEnum(
  "SmsProvider",
  ["provider_a", "provider_b", "provider_c", "provider_d", "provider_e"],
  {
    description: "Who sends SMS.",
    values: {
      provider_a: "The first provider.",
      provider_b: "The second provider.",
      provider_c: "The third provider.",
      provider_d: "The fourth provider.",
      provider_e: "The fifth provider.",
    },
  },
);

@ObjectType({ description: "How invoices are printed." })
export class InvoiceFormat {
  @Field(() => String, { description: "Template of the head." })
  head!: string;

  @Field(() => String, { description: "Template of the body." })
  body!: string;

  @Field(() => String, { description: "Template of one item." })
  item!: string;

  @Field(() => String, { description: "Format of dates." })
  dateFormat!: string;

  @Field(() => String, { description: "Paper, at most 32 characters." })
  paper!: string;

  @Field(() => PaperOrientationEnum, { description: "How the paper is turned." })
  orientation!: string;
}

@ObjectType({ description: "The settings of a company that everybody may know (contract §9.2)." })
export class CompanyPublicSettings {
  @Field(() => String, {
    nullable: true,
    description: "The company's own identifier, at most 64 characters.",
  })
  uid!: string | null;

  @Field(() => String, { nullable: true, description: "Slogan, at most 80 characters." })
  slogan!: string | null;

  @Field(() => Boolean, { description: "Whether clients may pay in the store." })
  payInStore!: boolean;

  @Field(() => Boolean, { description: "Whether invoices are made." })
  enableInvoices!: boolean;

  @Field(() => Boolean, { description: "Whether an order may have several providers." })
  enableMultiProviders!: boolean;

  @Field(() => Boolean, { description: "Whether clients may sign in by phone." })
  enablePhoneLogin!: boolean;

  @Field(() => Boolean, { description: "Whether applications offer coupons." })
  enableCoupons!: boolean;

  @Field(() => String, { nullable: true, description: "Contact phone, at most 32 characters." })
  contactPhone!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Contact phone in messenger B, at most 32 characters.",
  })
  contactPhoneMessengerB!: string | null;

  @Field(() => Boolean, { description: "Whether applications hide balances." })
  disableBalance!: boolean;

  @Field(() => Boolean, { description: "Whether it is a marketplace of several shops." })
  isMarketplace!: boolean;
}

/** Description of a secret, which never leaves the service in clear. */
const SECRET = "Secret: `********` when it is set.";

@ObjectType({
  description:
    "All settings of a company. A setting that was never set is null; a switch that was never set is off. Secrets " +
    "are stored encrypted and shown as `********`.",
})
export class CompanySettings extends CompanyPublicSettings {
  @Field(() => String, { nullable: true, description: "Footer of mails, at most 255 characters." })
  mailFooter!: string | null;

  @Field(() => String, { nullable: true, description: "Sender of mails." })
  mailFrom!: string | null;

  @Field(() => InvoiceFormat, { nullable: true, description: "How invoices are printed." })
  invoiceFormat!: InvoiceFormat | null;

  @Field(() => String, { nullable: true, description: "Terms of service." })
  termsOfService!: string | null;

  @Field(() => Int, { nullable: true, description: "How near nearby branches are, in metres, from 1000." })
  nearbyBranchesDistance!: number | null;

  @Field(() => Int, { nullable: true, description: "How near nearby providers are, in metres, from 1000." })
  nearbyProvidersDistance!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: "Distance at which a provider collects, in metres, from 5.",
  })
  providerCollectingDistance!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: "Distance at which a provider arrives, in metres, from 5.",
  })
  providerArrivingDistance!: number | null;

  @Field(() => Int, { nullable: true, description: "Tip threshold, from 0." })
  tipThreshold!: number | null;

  @Field(() => Int, { nullable: true, description: "How many nearby branches to show at least, from 1." })
  minNearbyBranchesCount!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: "How many nearby branches to show at most, from `minNearbyBranchesCount`.",
  })
  maxNearbyBranchesCount!: number | null;

  @Field(() => Int, { nullable: true, description: "How many subcategories to show, from 1." })
  subcategoriesCount!: number | null;

  @Field(() => String, { nullable: true, description: "Name of the tax on branch invoices." })
  branchInvoiceTaxName!: string | null;

  @Field(() => Float, { nullable: true, description: "Tax on branch invoices, a fraction from 0 to 1." })
  branchInvoiceTaxPrc!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: "How long before closing to say that a branch closes soon, 5 to 60 minutes.",
  })
  branchClosingSoonMessageDelay!: number | null;

  @Field(() => Int, { nullable: true, description: "Bit mask of the kinds of orders that can be assigned." })
  assignableOrdersMask!: number | null;

  @Field(() => Int, { nullable: true, description: "Minutes until an order is assigned automatically." })
  autoAssignDelayMinutes!: number | null;

  @Field(() => Int, { nullable: true, description: "How many bids automatic assignment waits for." })
  autoAssignBidCount!: number | null;

  @Field(() => Int, { nullable: true, description: "How often automatic assignment asks for bids." })
  autoAssignBidAttempts!: number | null;

  @Field(() => Int, { nullable: true, description: "Minutes until an order expires." })
  orderExpirationMinutes!: number | null;

  @Field(() => Boolean, { description: "Whether orders are assigned when they are prepared." })
  autoAssignPreparedMode!: boolean;

  @Field(() => Boolean, { description: "Whether an order is canceled when its payment fails." })
  cancelOnPaymentFailure!: boolean;

  @Field(() => Boolean, { description: "Whether reports are switched off." })
  disableReports!: boolean;

  @Field(() => Boolean, { description: "Whether notifications go out by SMS." })
  smsNotificationsEnabled!: boolean;

  @Field(() => Boolean, { description: "Whether clients get tracking messages by SMS." })
  smsEnabledForClientsTracking!: boolean;

  @Field(() => Boolean, { description: "Whether mails about payments are switched off." })
  disablePaymentEmails!: boolean;

  @Field(() => Boolean, { description: "Whether clients have to be verified." })
  isVerificationRequired!: boolean;

  @Field(() => Boolean, { description: "Whether clients have to be verified fully." })
  isFullVerificationRequired!: boolean;

  @PictureUrl("defaultPromotedBanner", { description: "URL of the banner shown unless there is another." })
  defaultPromotedBanner!: string | null;

  @Field(() => [Json], { nullable: true, description: "SMS providers, kept as they were given." })
  smsProviders!: unknown[] | null;

  @Field(() => Int, { nullable: true, description: "Minutes for which a code sent by SMS is valid, from 2." })
  smsExpirationInMinutes!: number | null;

  @Field(() => Int, { nullable: true, description: "Seconds between two SMS to one number, from 15." })
  smsCooldownInSeconds!: number | null;

  @Field(() => String, { nullable: true, description: `Token of messenger A. ${SECRET}` })
  messengerAToken!: string | null;

  @Field(() => String, { nullable: true, description: "Phone id in messenger B." })
  messengerBPhoneId!: string | null;

  @Field(() => String, { nullable: true, description: `Messaging token of messenger B. ${SECRET}` })
  messengerBMessagingToken!: string | null;

  @Field(() => String, { nullable: true, description: "Disclaimer shown at checkout." })
  checkoutDisclaimer!: string | null;

  @Field(() => String, { nullable: true, description: "Logo in QR codes." })
  qrLogo!: string | null;

  @Field(() => Boolean, { nullable: true, description: "Whether providers' balances are paid out." })
  useProvidersBalancePayouts!: boolean | null;

  @Field(() => [Json], {
    nullable: true,
    description: 'Account at the partner. Secret: `["********"]` when it is set.',
  })
  partnerAccountJson!: unknown[] | null;

  @Extensions({ [KEYS_BESIDE]: BANK_SETTINGS_KEY })
  @Field(() => Json, {
    nullable: true,
    description:
      'Settings of banks by key, such as `acme_settings`. Secret: `["********"]` for each that is set.',
  })
  bankSettings!: Record<string, unknown[]> | null;

  @Field(() => [Json], { nullable: true, description: "Linked servers, kept as they were given." })
  linkedServers!: unknown[] | null;

  @Field(() => SafeInt, { nullable: true, description: "Bonus on a client's first purchase, in hundredths." })
  firstPurchaseBonusE2!: number | null;

  @Field(() => Int, { nullable: true, description: "Hours until the system expires what is pending." })
  systemExpirationHours!: number | null;

  @Field(() => [Json], {
    nullable: true,
    description: 'Keys of the socket service. Secret: `["********"]` when they are set.',
  })
  socketteKeys!: unknown[] | null;

  @Field(() => String, { nullable: true, description: "Name of the service application." })
  serviceAppName!: string | null;

  @Field(() => [FeeRule], { nullable: true, description: "What the service application adds to prices." })
  serviceAppModifiers!: FeeRule[] | null;

  @Field(() => [FeeRule], { nullable: true, description: "Taxes." })
  taxes!: FeeRule[] | null;

  @Field(() => SmsProviderEnum, {
    nullable: true,
    description: "SMS provider unless another is named.",
  })
  smsDefaultProvider!: string | null;

  @Field(() => SmsProviderEnum, {
    nullable: true,
    description: "SMS provider for logins.",
  })
  smsLoginProvider!: string | null;

  @Field(() => [SearchLanguageEnum], {
    nullable: true,
    description:
      "The only languages whose stop words, singulars and plurals searches of goods know; null: all.",
  })
  searchLanguages!: SearchLanguage[] | null;

  @Field(() => String, { description: "Currency of the company, USD unless it was set." })
  currencyIso!: string;
}
