import { ReadersOnly } from "../../core/access/access.js";
import { Field, Int, ObjectType } from "type-graphql";
import { addMaskFields } from "../../core/masks/mask-fields.js";
import { defineList } from "../../core/lists/list-definition.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { Json } from "../../core/scalars/json.js";
import { COMPANY_OPTIONS, describeFlag } from "./company.masks.js";

@ObjectType({ description: "Texts of a company's applications." })
export class CompanyStrings {
  @Field(() => [Json], { description: "The texts." })
  strings!: unknown[];

  @Field(() => Int, { description: "Version of the content, not of the interface." })
  version!: number;
}

@ObjectType({ description: "Colours and logos." })
export class CompanyStyleValues {
  @Field(() => String, { nullable: true, description: "Primary colour." })
  colorPrimary!: string | null;

  @Field(() => String, { nullable: true, description: "Accent colour." })
  colorAccent!: string | null;

  @Field(() => String, { nullable: true, description: "Logo on light ground." })
  companyLogo!: string | null;

  @Field(() => String, { nullable: true, description: "Logo on dark ground." })
  companyLogoInv!: string | null;
}

@ObjectType({ description: "Looks of a company's applications." })
export class CompanyStyles {
  @Field(() => CompanyStyleValues, { description: "Colours and logos." })
  styles!: CompanyStyleValues;

  @Field(() => Int, { description: "Version of the content, not of the interface." })
  version!: number;
}

@ObjectType({ description: "What clients of a company agree to." })
export class TermsOfService {
  @Field(() => String, { nullable: true, description: "The terms; null until they are set." })
  termsOfService!: string | null;
}

@ObjectType({ description: "A company. Its capability flags are bits of `options`." })
export class Company {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  @Field(() => String, { description: "Name, at most 64 characters." })
  name!: string;

  @ReadersOnly("company")
  @Field(() => String, { description: "Contact e-mail, at most 64 characters." })
  email!: string;

  @Field(() => String, { description: "Domain, at most 32 characters; unique in any case." })
  domain!: string;

  @Field(() => String, {
    nullable: true,
    description: "URL of the company's own site, at most 255 characters; unique by its host.",
  })
  customDomain!: string | null;

  @ReadersOnly("company")
  @Field(() => DateTime, {
    description: "Until when the company is paid for; a year from its creation at first.",
  })
  expiresAt!: Date;

  @ReadersOnly("company")
  @Field(() => Int, { description: "Days by which `expiresAt` was extended." })
  extensionDays!: number;

  @Field(() => Int, { description: "Bit mask of the capability flags." })
  options!: number;

  @ReadersOnly("company")
  @Field(() => Int, { description: "Plan." })
  plan!: number;

  @ReadersOnly("company")
  @Field(() => Boolean, { description: "Whether the company is switched on." })
  enabled!: boolean;

  @Field(() => CompanyStrings, { description: "Texts of its applications." })
  stringsJson!: CompanyStrings;

  @Field(() => CompanyStyles, { description: "Looks of its applications." })
  stylesJson!: CompanyStyles;

  @ReadersOnly("company")
  @Field(() => Json, { nullable: true, description: "Free data; `subscription` is an array." })
  customJson!: unknown;

  @Field(() => String, { description: "Default language, 2 characters." })
  defaultIsoLang!: string;

  @Field(() => String, { description: "Country, at most 2 characters." })
  countryIso!: string;

  @Field(() => String, {
    description: "Offset of its clock such as `-04:00`, which counts without a `timeZone`.",
  })
  timeZoneOffset!: string;

  @Field(() => String, {
    nullable: true,
    description:
      "IANA name of its time zone, such as `Europe/Berlin`, which wins over the offset; null: none.",
  })
  timeZone!: string | null;

  @ReadersOnly("company")
  @Field(() => DateTime, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTime, { description: "When it or its settings last changed." })
  updatedAt!: Date;

  @Field(() => Int, { description: "1 at first, one more after each change." })
  version!: number;

  @ReadersOnly("company")
  @Field(() => DateTime, { nullable: true, description: "When it was deleted; null while it is not." })
  deletedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description:
      "One-time token by which the first admin sets a password, valid for seven days. Shown only in the answer " +
      "to `createCompany`, and only when that gave no password.",
  })
  passwordSetupToken?: string | null;
}
addMaskFields(Company, "options", COMPANY_OPTIONS, describeFlag);

export const companyList = defineList(
  Company,
  "Company",
  {
    name: { kind: "text" },
    domain: { kind: "text", sortable: false },
    email: { kind: "text", sortable: false },
    enabled: { kind: "boolean", sortable: false },
    plan: { kind: "int", sortable: false },
    countryIso: { kind: "text", sortable: false },
    customDomain: { kind: "text", nullable: true, sortable: false },
    timeZoneOffset: { kind: "text", sortable: false },
    expiresAt: { kind: "dateTime", sortable: false },
    createdAt: { kind: "dateTime" },
    updatedAt: { kind: "dateTime", sortable: false },
    deletedAt: { kind: "dateTime", nullable: true, sortable: false },
  },
  { deletedRowsOf: "company" },
);
