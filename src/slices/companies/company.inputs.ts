import {
  BooleanField,
  DateTimeField,
  DomainField,
  EmailField,
  InputObject,
  IntField,
  JsonField,
  JsonListField,
  ObjectField,
  OffsetField,
  PasswordField,
  ZoneField,
  partialInput,
  TextField,
  UrlField,
} from "../../core/inputs/input-fields.js";
import { OWN_WORDS_NOTE } from "../auth/own-words.rules.js";
import { COMPANY_OPTIONS, describeFlag } from "./company.masks.js";

const MAX_MASK = 0x7fff_ffff;
/** Kept in the case in which they are sent. */
const TWO_LETTERS = { source: "^[A-Za-z]{2}$", words: "two ASCII letters" };

@InputObject({ description: "A company. Each flag that is sent sets its own bits of `options`." })
export class CompanyInput {
  @TextField({ description: "Name.", min: 1, max: 64 })
  name!: string;

  @DomainField({
    description:
      "Domain, unique in any case and among the hosts of custom domains. Kept in lower case; a name in another " +
      "script is kept as punycode, whose length counts.",
    min: 1,
    max: 32,
  })
  domain!: string;

  @UrlField({ description: "URL of the company's own site, unique by its host.", nullable: true, max: 255 })
  customDomain?: string | null;

  @EmailField({ description: "Contact e-mail.", max: 64 })
  email!: string;

  @TextField({ description: "Folder of the company's files.", min: 1, max: 255 })
  folderName!: string;

  @IntField({ description: "Bit mask of the capability flags.", optional: true, min: 0, max: MAX_MASK })
  options?: number;

  @IntField({ description: "Plan.", optional: true })
  plan?: number;

  @TextField({
    description: "Default language, two letters, `en` when absent.",
    optional: true,
    min: 2,
    max: 2,
    pattern: TWO_LETTERS,
  })
  defaultIsoLang?: string;

  @TextField({
    description: "Country, ASCII letters such as `VE`; `US` when absent.",
    optional: true,
    max: 2,
    pattern: { source: "^[A-Za-z]*$", words: "ASCII letters" },
  })
  countryIso?: string;

  @OffsetField({
    description: "Offset of its clock such as `-04:00` where it has no `timeZone`, `+00:00` when absent.",
    optional: true,
  })
  timeZoneOffset?: string;

  @ZoneField({
    description:
      "IANA name of its time zone, such as `Europe/Berlin`, which wins over the offset; days and hours then follow the change " +
      "of the clock.",
    nullable: true,
  })
  timeZone?: string | null;
}
for (const [name, field] of Object.entries(COMPANY_OPTIONS)) {
  const description = `${describeFlag(name)}.`;
  const declare =
    "shift" in field
      ? IntField({ description, nullable: true, min: 0, max: field.bits >> field.shift })
      : BooleanField({ description, nullable: true });
  declare(CompanyInput.prototype, name);
}

/** A caller may send back what was answered; the service alone counts versions. */
const VERSION = "Taken no notice of: the service counts each change of the content.";

@InputObject({ description: "Texts of a company's applications." })
export class CompanyStringsInput {
  @JsonListField({ description: "The texts, kept as they are; they replace those before." })
  strings!: unknown[];

  @IntField({ description: VERSION, nullable: true })
  version?: number | null;
}

@InputObject({ description: "Colours and logos. A key that is absent stays, null clears it." })
export class CompanyStyleValuesInput {
  @TextField({ description: "Primary colour.", nullable: true, max: 64 })
  colorPrimary?: string | null;

  @TextField({ description: "Accent colour.", nullable: true, max: 64 })
  colorAccent?: string | null;

  @TextField({ description: "Logo on light ground.", nullable: true, max: 2048 })
  companyLogo?: string | null;

  @TextField({ description: "Logo on dark ground.", nullable: true, max: 2048 })
  companyLogoInv?: string | null;
}

@InputObject({ description: "Looks of a company's applications." })
export class CompanyStylesInput {
  @ObjectField(() => CompanyStyleValuesInput, { description: "Colours and logos.", merges: true })
  styles!: CompanyStyleValuesInput;

  @IntField({ description: VERSION, nullable: true })
  version?: number | null;
}

const CUSTOM_JSON = { type: "object", properties: { subscription: { type: "array" } } };

class ChangedCompany extends CompanyInput {
  @JsonField(
    { description: "Free data that replaces what was before; `subscription` is an array.", nullable: true },
    CUSTOM_JSON,
  )
  customJson?: Readonly<Record<string, unknown>> | null;

  @ObjectField(() => CompanyStringsInput, { description: "Texts of its applications.", optional: true })
  stringsJson!: CompanyStringsInput;

  @ObjectField(() => CompanyStylesInput, { description: "Looks of its applications.", optional: true })
  stylesJson!: CompanyStylesInput;

  @DateTimeField({
    description: "Until when the company is paid for; for the platform alone.",
    optional: true,
  })
  expiresAt!: string;

  @IntField({
    description: "Days by which that is extended; for the platform alone.",
    optional: true,
    min: 0,
    max: 36_500,
  })
  extensionDays!: number;

  @BooleanField({ description: "Whether it is switched on; for the platform alone.", optional: true })
  enabled!: boolean;
}

/** The keys that the platform alone may send. */
export const PLATFORM_KEYS = ["expiresAt", "extensionDays", "enabled"] as const;

export const UpdateCompanyInput = partialInput(ChangedCompany, "UpdateCompanyInput", {
  description: "Changes of a company. Each flag that is sent sets its own bits of `options`.",
});
export type UpdateCompanyInput = InstanceType<typeof UpdateCompanyInput>;

@InputObject({ description: "The first admin of a company, who owns it." })
export class CompanyUserInput {
  @TextField({ description: "Name of the person.", min: 1, max: 64 })
  name!: string;

  @EmailField({ description: "E-mail to sign in with.", max: 254 })
  email!: string;

  @TextField({ description: "Phone number.", min: 9, max: 32 })
  phone!: string;

  @PasswordField({
    description: `Password; without one, the answer carries a token to set it. ${OWN_WORDS_NOTE}`,
    nullable: true,
  })
  password?: string | null;
}

@InputObject({ description: "A company and its first admin." })
export class CreateCompanyInput {
  @ObjectField(() => CompanyInput, { description: "The company." })
  company!: CompanyInput;

  @ObjectField(() => CompanyUserInput, { description: "Its first admin." })
  user!: CompanyUserInput;
}
