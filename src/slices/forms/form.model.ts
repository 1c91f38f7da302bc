import { Field, Float, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";
import { PictureUrl } from "../../core/files/picture-url.js";
import { defineList } from "../../core/lists/list-definition.js";
import { ToOne } from "../../core/relations/relations.js";
import { ResourceRow } from "../../core/resources/resource-row.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { Json } from "../../core/scalars/json.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { Branch } from "../shops/branch.model.js";
import {
  FORM_COMPONENTS,
  FORM_DESCRIPTION,
  type FormComponent,
  type FormComponentKind,
} from "./form.schema.js";

/** The values of `type`, by the words that paths have for them. */
export const FORM_TYPES = { payment: 1, pod: 2 } as const;
export type FormTypeName = keyof typeof FORM_TYPES;

@ObjectType({ description: "The currency of a form, and what is charged for paying by it (contract §23.3)." })
export class FormCurrency {
  @Field(() => Int, { description: "Id of the form whose currency it is." })
  id!: number;

  @Field(() => String, { description: "Its code, 3 to 8 characters." })
  iso!: string;

  @Field(() => SafeInt, { description: "Flat tax, in hundredths." })
  taxFlatE2!: bigint;

  @Field(() => Float, { description: "Tax as a fraction of the amount, 0 to 1 with at most four decimals." })
  taxPercent!: number;

  @Field(() => Boolean, { description: "Whether the form can be paid with." })
  enabled!: boolean;

  @Field(() => Boolean, { description: "Whether it can be used: always." })
  available!: boolean;

  @Field(() => String, { description: "Its sign, such as `$`; the code where it has none." })
  symbol!: string;

  @Field(() => Int, { description: "How many decimals amounts have." })
  decimalsCount!: number;

  @Field(() => String, { description: "How an amount is written: `%s` is the sign, `%v` the number." })
  format!: string;

  @Field(() => String, { description: "What stands before the decimals." })
  decimalPoint!: string;

  @Field(() => Boolean, { description: "Whether thousands are set apart." })
  useThousandsSeparator!: boolean;

  @Field(() => String, { description: "What stands between thousands." })
  thousandsSeparator!: string;

  @Field(() => Boolean, { description: "Whether it is the company's own currency." })
  isLocal!: boolean;

  @Field(() => Boolean, { description: "Whether it is another currency than the company's." })
  isInternational!: boolean;

  @Field(() => Boolean, { description: "Whether its code is none of ISO 4217." })
  isCustom!: boolean;

  @Field(() => Float, {
    nullable: true,
    description: "How much of it one unit of the company's currency is: 1 for that itself, else null.",
  })
  conversionFactor!: number | null;

  @Field(() => Boolean, { description: "Whether amounts are converted: never." })
  useConversion!: boolean;

  @Field(() => String, { nullable: true, description: "A currency that its factor refers to: none." })
  relatedIso!: string | null;

  @Field(() => String, { nullable: true, description: "A currency that its factor should refer to: none." })
  relatedIsoExpected!: string | null;

  @Field(() => String, { nullable: true, description: "What is wrong with the related currency: nothing." })
  relatedIsoError!: string | null;

  @Field(() => Boolean, { description: "Whether its factor is fetched by itself: never." })
  autoSync!: boolean;

  @Field(() => String, { nullable: true, description: "Where its factor is fetched from: nowhere." })
  autoSyncProvider!: string | null;

  @Field(() => Int, { description: "The company." })
  companyId!: number;

  @Field(() => Int, { description: "The branch of the form." })
  branchId!: number;

  @Field(() => DateTime, { description: "When the form was created." })
  createdAt!: Date;

  @Field(() => DateTime, { description: "When the form last changed." })
  updatedAt!: Date;

  @Field(() => Int, { description: "1 at first, one more after each change." })
  version!: number;
}

@ObjectType({ description: "A payment form or a proof-of-delivery form of a branch (contract §23)." })
export class Form extends ResourceRow {
  @Field(() => Int, { description: "1: payment, 2: proof of delivery." })
  type!: number;

  @Field(() => String, {
    nullable: true,
    description: "Name in the list of methods, at most 32 characters.",
  })
  name!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "What the bank's integration calls it: `<bank>_pm` or `<bank>_ci`.",
  })
  internalName!: string | null;

  @Field(() => Boolean, { description: "Whether clients are not offered it." })
  disabled!: boolean;

  @Field(() => Int, { description: "Place of its icon in the apps' list of icons, from 0." })
  icon!: number;

  @Field(() => FormCurrency, { description: "Its currency, and what is charged for paying by it." })
  currency!: FormCurrency;

  @Field(() => Int, { description: "The branch it belongs to." })
  branchId!: number;

  @Field(() => Int, { description: "The company it belongs to." })
  override companyId!: number;

  @PictureUrl("labelKey", { description: "URL of its label, such as a QR code; null until there is one." })
  labelUrl!: string | null;

  @PictureUrl("labelKey", {
    size: "small",
    description: "URL of its label with sides of at most 320 pixels.",
  })
  labelSmallUrl!: string | null;

  @Field(() => [Json], { description: FORM_DESCRIPTION })
  data!: FormComponent[];

  @ToOne(() => Branch, {
    model: "Branch",
    via: "branchId",
    required: true,
    description: "The branch it belongs to.",
  })
  branch!: Branch;
}

export const formList = defineList(Form, "Form", {
  name: { kind: "text", nullable: true },
  type: { kind: "int" },
  disabled: { kind: "boolean", sortable: false },
  branchId: { kind: "int" },
  createdAt: { kind: "dateTime" },
  updatedAt: { kind: "dateTime" },
});

@ObjectType({ description: "What paying by a form costs (contract §23.3)." })
export class FormTax {
  @Field(() => SafeInt, { description: "Flat tax of the form, in hundredths." })
  taxFlatE2!: bigint;

  @Field(() => Float, { description: "Tax of the form as a fraction of the amount, 0 to 1." })
  taxPercent!: number;

  @Field(() => SafeInt, {
    description: "The tax in hundredths: flat + percent × (order + tip), rounded half up.",
  })
  taxE2!: bigint;

  @Field(() => SafeInt, { description: "Order, tip and tax together, in hundredths." })
  totalE2!: bigint;

  @Field(() => String, { description: "The currency of all amounts." })
  currencyIso!: string;
}

export const FormComponentEnum = defineEnum("FormComponentKind", FORM_COMPONENTS, {
  description: "The kinds of components that a form is made of.",
  values: {
    boolean: "A check box; when it is required it has to be checked.",
    option: "One of several choices; none is chosen beforehand.",
    input: "Free entry.",
    text: "Is only shown.",
    text_button: "Is only shown; its button opens a dialog.",
    file: "A file or an image to upload.",
  },
});

@ObjectType({ description: "What is wrong with the answer to one component of a form." })
export class FormAnswerError {
  @Field(() => Int, { description: "Place of the component in the form, from 0." })
  index!: number;

  @Field(() => FormComponentEnum, {
    nullable: true,
    description: "What it is; null where the form has no component.",
  })
  component!: FormComponentKind | null;

  @Field(() => String, { nullable: true, description: "Its question." })
  question!: string | null;

  @Field(() => String, {
    description:
      "The violated rule: `required`, `type`, `choice`, `pattern`, `max_length`, `date`, `numeric`, `control_characters`, " +
      "`file_type`; `unknown` for an answer to what takes none.",
  })
  rule!: string;

  @Field(() => String, { description: "The same in words." })
  message!: string;
}

@ObjectType({ description: "What is wrong with the answers to a form." })
export class FormSubmissionCheck {
  @Field(() => Boolean, { description: "Whether the form can be submitted like this." })
  isValid!: boolean;

  @Field(() => [FormAnswerError], { description: "What is wrong, in the order of the components." })
  errors!: FormAnswerError[];
}
