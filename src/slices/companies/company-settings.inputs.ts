import { PictureField } from "../../core/files/picture-field.js";
import type { UploadedFile } from "../../core/files/upload.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import {
  CurrencyField,
  BooleanField,
  ChoiceField,
  EmailField,
  FractionField,
  InputField,
  InputObject,
  IntField,
  JsonListField,
  KeyedField,
  LongTextField,
  ObjectField,
  ObjectsField,
  SwitchField,
  TextField,
  VerbatimField,
} from "../../core/inputs/input-fields.js";
import {
  BANK_SETTINGS_KEY,
  DEFAULT_CURRENCY_ISO,
  PaperOrientationEnum,
  SearchLanguageEnum,
  SmsProviderEnum,
  type SearchLanguage,
} from "./company-settings.model.js";
import { FeeRuleInput } from "./fee-rule.inputs.js";

/** Texts without a bound of the specification; the body's own is 1 MB. */
const MAX_LONG_TEXT = 100_000;
const MAX_SECRET = 4_096;
const SECRET = "Stored encrypted and never shown.";

@InputObject({ description: "How invoices are printed." })
export class InvoiceFormatInput {
  @LongTextField({ description: "Template of the head.", max: MAX_LONG_TEXT })
  head!: string;

  @LongTextField({ description: "Template of the body.", max: MAX_LONG_TEXT })
  body!: string;

  @LongTextField({ description: "Template of one item.", max: MAX_LONG_TEXT })
  item!: string;

  @TextField({ description: "Format of dates.", max: 255 })
  dateFormat!: string;

  @TextField({ description: "Paper.", max: 32 })
  paper!: string;

  @ChoiceField(PaperOrientationEnum, { description: "How the paper is turned." })
  orientation!: string;
}

@InputObject({ description: "Settings of a company. What is absent stays, null clears." })
export class UpdateSettingsInput {
  @TextField({ description: "The company's own identifier.", nullable: true, max: 64 })
  uid?: string | null;

  @TextField({ description: "Slogan.", nullable: true, max: 80 })
  slogan?: string | null;

  @LongTextField({ description: "Footer of mails.", nullable: true, max: 255 })
  mailFooter?: string | null;

  @EmailField({ description: "Sender of mails.", nullable: true, max: 64 })
  mailFrom?: string | null;

  @SwitchField({ description: "Whether clients may pay in the store." })
  payInStore?: boolean;

  @SwitchField({ description: "Whether an order may have several providers." })
  enableMultiProviders?: boolean;

  @SwitchField({ description: "Whether invoices are made." })
  enableInvoices?: boolean;

  @SwitchField({ description: "Whether clients may sign in by phone." })
  enablePhoneLogin?: boolean;

  @SwitchField({ description: "Whether applications offer coupons." })
  enableCoupons?: boolean;

  @ObjectField(() => InvoiceFormatInput, { description: "How invoices are printed.", nullable: true })
  invoiceFormat?: InvoiceFormatInput | null;

  @LongTextField({ description: "Terms of service.", nullable: true, max: MAX_LONG_TEXT })
  termsOfService?: string | null;

  @IntField({ description: "How near nearby branches are, in metres.", nullable: true, min: 1_000 })
  nearbyBranchesDistance?: number | null;

  @IntField({ description: "How near nearby providers are, in metres.", nullable: true, min: 1_000 })
  nearbyProvidersDistance?: number | null;

  @IntField({ description: "Distance at which a provider collects, in metres.", nullable: true, min: 5 })
  providerCollectingDistance?: number | null;

  @IntField({ description: "Distance at which a provider arrives, in metres.", nullable: true, min: 5 })
  providerArrivingDistance?: number | null;

  @IntField({ description: "Tip threshold.", nullable: true, min: 0 })
  tipThreshold?: number | null;

  @IntField({
    description: "How many nearby branches to show at least; not above `maxNearbyBranchesCount`.",
    nullable: true,
    min: 1,
  })
  minNearbyBranchesCount?: number | null;

  @IntField({
    description: "How many nearby branches to show at most; not below `minNearbyBranchesCount`.",
    nullable: true,
    min: 1,
  })
  maxNearbyBranchesCount?: number | null;

  @IntField({ description: "How many subcategories to show.", nullable: true, min: 1 })
  subcategoriesCount?: number | null;

  @TextField({ description: "Name of the tax on branch invoices.", nullable: true, min: 1, max: 255 })
  branchInvoiceTaxName?: string | null;

  @FractionField({ description: "Tax on branch invoices, a fraction.", nullable: true })
  branchInvoiceTaxPrc?: number | null;

  @IntField({
    description: "Minutes before closing at which to say that a branch closes soon.",
    nullable: true,
    min: 5,
    max: 60,
  })
  branchClosingSoonMessageDelay?: number | null;

  @IntField({ description: "Bit mask of the kinds of orders that can be assigned.", nullable: true, min: 0 })
  assignableOrdersMask?: number | null;

  @IntField({ description: "Minutes until an order is assigned automatically.", nullable: true, min: 0 })
  autoAssignDelayMinutes?: number | null;

  @IntField({ description: "How many bids automatic assignment waits for.", nullable: true, min: 0 })
  autoAssignBidCount?: number | null;

  @IntField({ description: "How often automatic assignment asks for bids.", nullable: true, min: 0 })
  autoAssignBidAttempts?: number | null;

  @IntField({ description: "Minutes until an order expires.", nullable: true, min: 0 })
  orderExpirationMinutes?: number | null;

  @SwitchField({ description: "Whether orders are assigned when they are prepared." })
  autoAssignPreparedMode?: boolean;

  @SwitchField({ description: "Whether an order is canceled when its payment fails." })
  cancelOnPaymentFailure?: boolean;

  @SwitchField({ description: "Whether reports are switched off." })
  disableReports?: boolean;

  @SwitchField({ description: "Whether applications hide balances." })
  disableBalance?: boolean;

  @SwitchField({ description: "Whether notifications go out by SMS." })
  smsNotificationsEnabled?: boolean;

  @SwitchField({ description: "Whether clients get tracking messages by SMS." })
  smsEnabledForClientsTracking?: boolean;

  @SwitchField({ description: "Whether mails about payments are switched off." })
  disablePaymentEmails?: boolean;

  @SwitchField({ description: "Whether clients have to be verified." })
  isVerificationRequired?: boolean;

  @SwitchField({ description: "Whether clients have to be verified fully." })
  isFullVerificationRequired?: boolean;

  @SwitchField({ description: "Whether it is a marketplace of several shops." })
  isMarketplace?: boolean;

  @CurrencyField({
    description:
      "Currency of the company, such as its ISO 4217 code; letters become capitals. Amounts are not converted: the same " +
      "numbers count in the new currency, and balances of the old one stay with it.",
    optional: true,
    unset: DEFAULT_CURRENCY_ISO,
  })
  currencyIso?: string;

  @TextField({ description: "Contact phone.", nullable: true, max: 32 })
  contactPhone?: string | null;

  @TextField({ description: "Contact phone in messenger B.", nullable: true, max: 32 })
  contactPhoneMessengerB?: string | null;

  @PictureField({
    description: "The banner shown unless there is another; null removes it, its own URL leaves it.",
    nullable: true,
    takesBack: true,
    picture: { types: ["jpeg", "png"], maxKiB: 8192 },
  })
  defaultPromotedBanner?: UploadedFile | string | null;

  @JsonListField({ description: "SMS providers, kept as they are.", nullable: true })
  smsProviders?: unknown[] | null;

  @IntField({ description: "Minutes for which a code sent by SMS is valid.", nullable: true, min: 2 })
  smsExpirationInMinutes?: number | null;

  @IntField({ description: "Seconds between two SMS to one number.", nullable: true, min: 15 })
  smsCooldownInSeconds?: number | null;

  @VerbatimField({ description: `Token of messenger A. ${SECRET}`, nullable: true, min: 1, max: MAX_SECRET })
  messengerAToken?: string | null;

  @TextField({ description: "Phone id in messenger B.", nullable: true, max: 255 })
  messengerBPhoneId?: string | null;

  @VerbatimField({
    description: `Messaging token of messenger B. ${SECRET}`,
    nullable: true,
    min: 1,
    max: MAX_SECRET,
  })
  messengerBMessagingToken?: string | null;

  @LongTextField({ description: "Disclaimer shown at checkout.", nullable: true, max: MAX_LONG_TEXT })
  checkoutDisclaimer?: string | null;

  @TextField({ description: "Logo in QR codes.", nullable: true, max: MAX_LONG_TEXT })
  qrLogo?: string | null;

  @BooleanField({ description: "Whether providers' balances are paid out.", nullable: true })
  useProvidersBalancePayouts?: boolean | null;

  @JsonListField({ description: `Account at the partner. ${SECRET}`, nullable: true })
  partnerAccountJson?: unknown[] | null;

  @KeyedField(
    {
      pattern: BANK_SETTINGS_KEY,
      value: { type: ["array", "null"], maxItems: 1_000, items: { notNull: true } },
      maxKeys: 100,
    },
    {
      description:
        "Settings of banks, lists by keys such as `acme_settings`. A key that is absent stays, null clears it; null in the place of " +
        `all clears each of them. ${SECRET}`,
      nullable: true,
    },
  )
  bankSettings?: Readonly<Record<string, unknown[] | null>> | null;

  @JsonListField({ description: "Linked servers, kept as they are.", nullable: true })
  linkedServers?: unknown[] | null;

  @InputField(
    () => SafeInt,
    { description: "Bonus on a client's first purchase, in hundredths.", nullable: true },
    { minimum: 0 },
  )
  firstPurchaseBonusE2?: number | null;

  @IntField({ description: "Hours until the system expires what is pending.", nullable: true, min: 0 })
  systemExpirationHours?: number | null;

  @JsonListField({ description: `Keys of the socket service. ${SECRET}`, nullable: true })
  socketteKeys?: unknown[] | null;

  @TextField({ description: "Name of the service application.", nullable: true, max: 255 })
  serviceAppName?: string | null;

  @ObjectsField(() => FeeRuleInput, {
    description: "What the service application adds to prices; replaces the list.",
    nullable: true,
  })
  serviceAppModifiers?: FeeRuleInput[] | null;

  @ObjectsField(() => FeeRuleInput, { description: "Taxes; replaces the list.", nullable: true })
  taxes?: FeeRuleInput[] | null;

  @ChoiceField(SmsProviderEnum, { description: "SMS provider unless another is named.", nullable: true })
  smsDefaultProvider?: string | null;

  @ChoiceField(SmsProviderEnum, { description: "SMS provider for logins.", nullable: true })
  smsLoginProvider?: string | null;

  @InputField(
    () => [SearchLanguageEnum],
    {
      description:
        "The only languages whose stop words, singulars and plurals searches of goods know, at least one, each once; null: all. " +
        "Searches go by it at once, those of other instances 2 seconds later.",
      nullable: true,
    },
    { minItems: 1, uniqueItems: true },
  )
  searchLanguages?: SearchLanguage[] | null;
}
