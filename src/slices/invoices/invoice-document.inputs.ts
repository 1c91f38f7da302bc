import {
  AmountField,
  DateTimeField,
  InputField,
  InputObject,
  IntField,
  JsonField,
  TextField,
} from "../../core/inputs/input-fields.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { INVOICE_PAYLOAD_SCHEMA } from "./invoice-payload.schema.js";

const KIND = { source: "^[a-z][a-z0-9_]*$", words: "a word in lower case such as `order`" };
const UUID = {
  source: "^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
  words: "a UUID",
};

const TypeField = () =>
  TextField({
    description: "Type in the company's own words, such as `invoice` or `credit_note`.",
    min: 1,
    max: 64,
  });

/** The id of a record, maybe of another system, so of any size. */
const RecordIdField = (description: string) => InputField(() => SafeInt, { description }, { minimum: 1 });

/** What a fiscal printer reports of a document. */
@InputObject({ description: "What the fiscal printer answered." })
export class CompleteInvoiceDocumentInput {
  @IntField({ description: "Number that it gave the document.", nullable: true, min: 0 })
  number?: number | null;

  @IntField({ description: "Control number that it gave the document.", nullable: true, min: 0 })
  control?: number | null;

  @DateTimeField({ description: "When it completed the document.", nullable: true })
  completedAt?: string | null;

  @JsonField(
    {
      description:
        "The answer: `{result, information, success, hasErrors}`, with keys as the printer spells them; other keys are refused.",
      nullable: true,
    },
    INVOICE_PAYLOAD_SCHEMA,
  )
  payload?: object | null;
}

@InputObject({ description: "A fiscal document." })
export class CreateInvoiceDocumentInput extends CompleteInvoiceDocumentInput {
  @TypeField()
  type!: string;

  @TextField({ description: "Reference by which the company knows the transaction.", max: 255 })
  reference!: string;

  @DateTimeField({ description: "When it was issued.", nullable: true })
  issuedAt?: string | null;

  @TextField({
    description: "The UUID by which other documents refer to it; a new one unless given.",
    optional: true,
    pattern: UUID,
  })
  documentId?: string;

  @TextField({
    description: "Kind of the record that it is about, such as `order`.",
    min: 1,
    max: 64,
    pattern: KIND,
  })
  relatedType!: string;

  @RecordIdField("Id of the record that it is about.")
  relatedId!: number;

  @TextField({ description: "Kind of whom it is for, such as `client`.", min: 1, max: 64, pattern: KIND })
  targetType!: string;

  @RecordIdField("Id of whom it is for.")
  targetId!: number;

  @AmountField({ description: "What it is over, in hundredths.", nullable: true })
  amountE2?: number | null;

  @TextField({
    description: "The `documentId` of a document that it refers to.",
    nullable: true,
    pattern: UUID,
  })
  relatedDocumentId?: string | null;
}

@InputObject({ description: "A refund." })
export class RefundInvoiceDocumentInput {
  @TypeField()
  type!: string;

  @AmountField({
    description: "What is refunded, in hundredths, at most the original's amount; all of that when absent.",
    nullable: true,
    min: 1,
  })
  amountE2?: number | null;
}
