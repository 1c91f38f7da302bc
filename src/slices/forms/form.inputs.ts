import { Float, Int } from "type-graphql";
import { PictureField } from "../../core/files/picture-field.js";
import type { UploadedFile } from "../../core/files/upload.js";
import {
  CurrencyField,
  AmountField,
  IdField,
  InputField,
  InputObject,
  IntField,
  JsonField,
  ObjectField,
  partialInput,
  TextField,
} from "../../core/inputs/input-fields.js";
import { Json } from "../../core/scalars/json.js";
import { FORM_COMPONENT_SCHEMA, FORM_DESCRIPTION, type FormComponent } from "./form.schema.js";

@InputObject({ description: "The currency of a form, and what is charged for paying by it." })
export class FormCurrencyInput {
  @CurrencyField({ description: "Its code, such as `USD`; letters become capitals." })
  iso!: string;

  @InputField(
    () => Float,
    { description: "Tax as a fraction of order and tip: 0.03 is 3 percent (0 to 1, four decimals)." },
    { minimum: 0, maximum: 1, decimals: 4 },
  )
  taxPercent!: number;

  @AmountField({ description: "Flat tax, in hundredths." })
  taxFlatE2!: number;
}

@InputObject({ description: "A form, as a whole: what is absent has no value." })
export class FormInput {
  @TextField({ description: "Name in the list of methods.", nullable: true, max: 32 })
  name?: string | null;

  @TextField({
    description: "What the bank's integration calls it: `<bank>_pm` or `<bank>_ci`.",
    nullable: true,
    max: 64,
    pattern: { source: "^[a-z0-9]+_(pm|ci)$", words: "the bank in lower case with _pm or _ci behind it" },
  })
  internalName?: string | null;

  @IntField({
    description: "Place of its icon in the apps' list of icons; 0 unless given.",
    optional: true,
    min: 0,
  })
  icon?: number;

  @ObjectField(() => FormCurrencyInput, {
    description: "Its currency and tax; none: the company's currency without a tax.",
    nullable: true,
  })
  currency?: FormCurrencyInput | null;

  @IdField("Branch", { description: "The branch, which is that of the path.", optional: true })
  branchId?: number;

  @InputField(
    () => [Json],
    { description: FORM_DESCRIPTION, optional: true },
    { items: FORM_COMPONENT_SCHEMA, sets: "data" },
  )
  form?: FormComponent[];
}

@InputObject({ description: "A new form of a branch." })
export class CreateFormInput extends FormInput {
  @InputField(
    () => Int,
    { description: "1: payment, 2: proof of delivery; it stays (1 to 2)." },
    { minimum: 1, maximum: 2 },
  )
  type!: number;

  @IdField("Branch", { description: "The branch it belongs to." })
  override branchId!: number;
}

export const UpdateFormInput = partialInput(CreateFormInput, "UpdateFormInput", {
  description: "Changes of a form; what is absent stays as it is.",
  omit: ["type"],
});

@InputObject({ description: "The label of a form." })
export class UploadFormLabelInput {
  @PictureField({
    description: "The label, such as a QR code; null removes it.",
    nullable: true,
    picture: { types: ["jpeg", "png"], maxKiB: 2048 },
  })
  image?: UploadedFile | null;
}

@InputObject({ description: "The answer to one component of a form." })
export class FormAnswerInput {
  @IntField({ description: "Place of the component in the form, from 0.", min: 0 })
  index!: number;

  @JsonField(
    {
      description:
        "Of `boolean` true or false; of `option` the choice; of `input` the text, or a number where the type is numeric; of " +
        "`file` an object {name, type, size}: name and media type of the file, and its bytes. Null: no answer.",
      nullable: true,
    },
    { json: "judged" },
  )
  value?: unknown;
}

@InputObject({ description: "The answers to a form." })
export class FormSubmissionInput {
  @InputField(
    () => [FormAnswerInput],
    { description: "The answers, each component at most once; one that is missing was not answered." },
    { uniqueBy: "index" },
  )
  answers!: FormAnswerInput[];
}
