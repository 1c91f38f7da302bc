import { PASSWORD_LENGTH } from "../../core/access/passwords.js";
import {
  BooleanField,
  EmailField,
  InputObject,
  IntField,
  ObjectField,
  OffsetField,
  TextField,
  UrlField,
  VerbatimField,
} from "../../core/inputs/input-fields.js";
import { COMPANY_OPTIONS, describeFlag } from "./company.masks.js";

const MAX_MASK = 0x7fff_ffff;

@InputObject({ description: "A company. Each flag that is sent sets its own bits of `options`." })
export class CompanyInput {
  @TextField({ description: "Name.", min: 1, max: 64 })
  name!: string;

  @TextField({ description: "Domain, unique in any case.", min: 1, max: 32, format: "domain" })
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

  @TextField({ description: "Default language, `en` when absent.", optional: true, min: 2, max: 2 })
  defaultIsoLang?: string;

  @TextField({ description: "Country, `US` when absent.", optional: true, max: 2 })
  countryIso?: string;

  @OffsetField({ description: "Offset of its clock such as `-04:00`, `+00:00` when absent.", optional: true })
  timeZoneOffset?: string;
}
for (const [name, field] of Object.entries(COMPANY_OPTIONS)) {
  const description = `${describeFlag(name)}.`;
  const declare =
    "shift" in field
      ? IntField({ description, nullable: true, min: 0, max: field.bits >> field.shift })
      : BooleanField({ description, nullable: true });
  declare(CompanyInput.prototype, name);
}

@InputObject({ description: "The first admin of a company, who owns it." })
export class CompanyUserInput {
  @TextField({ description: "Name of the person.", min: 1, max: 64 })
  name!: string;

  @EmailField({ description: "E-mail to sign in with.", max: 254 })
  email!: string;

  @TextField({ description: "Phone number.", min: 1, max: 32 })
  phone!: string;

  @VerbatimField({
    description: "Password; without one, the answer carries a token to set it.",
    nullable: true,
    ...PASSWORD_LENGTH,
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
