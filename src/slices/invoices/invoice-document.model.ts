import { Field, Int, ObjectType } from "type-graphql";
import { defineList } from "../../core/lists/list-definition.js";
import { ToOne } from "../../core/relations/relations.js";
import { ResourceRow } from "../../core/resources/resource-row.js";
import { IsoDateTime } from "../../core/scalars/iso-date-time.js";
import { Json } from "../../core/scalars/json.js";
import { SafeInt } from "../../core/scalars/safe-int.js";

@ObjectType({ description: "A fiscal document, such as an invoice or a refund of one (contract §25)." })
export class InvoiceDocument extends ResourceRow {
  @Field(() => Int, { description: "Its company." })
  declare companyId: number;

  @Field(() => IsoDateTime, { description: "When it was created." })
  declare createdAt: Date;

  @Field(() => IsoDateTime, { description: "When it last changed." })
  declare updatedAt: Date;

  @Field(() => String, {
    description: "Type in the company's own words, such as `invoice` or `credit_note`.",
  })
  type!: string;

  @Field(() => String, { description: "Reference by which the company knows the transaction." })
  reference!: string;

  @Field(() => IsoDateTime, { nullable: true, description: "When it was issued." })
  issuedAt!: Date | null;

  @Field(() => IsoDateTime, { nullable: true, description: "When the fiscal printer completed it." })
  completedAt!: Date | null;

  @Field(() => String, { nullable: true, description: "The UUID by which other documents refer to it." })
  documentId!: string | null;

  @Field(() => Json, {
    nullable: true,
    description:
      "What the fiscal printer answered: `{result, information, success, hasErrors}`, with keys as it spells them; null until " +
      "then.",
  })
  payload!: unknown;

  @Field(() => String, { description: "Kind of the record that it is about, such as `order`." })
  relatedType!: string;

  @Field(() => SafeInt, { description: "Id of the record that it is about." })
  relatedId!: bigint;

  @Field(() => String, { description: "Kind of whom it is for, such as `client`." })
  targetType!: string;

  @Field(() => SafeInt, { description: "Id of whom it is for." })
  targetId!: bigint;

  @Field(() => String, {
    nullable: true,
    description: "The `documentId` of the document that it refers to; of a refund that of the original.",
  })
  relatedDocumentId!: string | null;

  @Field(() => Int, { nullable: true, description: "The document that it refunds; null for no refund." })
  refundOfId!: number | null;

  @Field(() => Int, { nullable: true, description: "Number that the fiscal printer gave it." })
  number!: number | null;

  @Field(() => Int, { nullable: true, description: "Control number that the fiscal printer gave it." })
  control!: number | null;

  @Field(() => SafeInt, {
    nullable: true,
    description: "What it is over, in hundredths; null where that is unknown.",
  })
  amountE2!: bigint | null;

  @ToOne(() => InvoiceDocument, {
    model: "InvoiceDocument",
    via: "refundOfId",
    description: "The document that it refunds; null for no refund.",
  })
  refundOf!: InvoiceDocument | null;

  @ToOne(() => InvoiceDocument, {
    model: "InvoiceDocument",
    via: "id",
    key: "refundOfId",
    description: "Its refund; null as long as there is none.",
  })
  refund!: InvoiceDocument | null;
}

export const invoiceDocumentList = defineList(InvoiceDocument, "InvoiceDocument", {
  type: { kind: "word", sortable: false },
  reference: { kind: "text", sortable: false },
  issuedAt: { kind: "dateTime", nullable: true },
  completedAt: { kind: "dateTime", nullable: true, sortable: false },
  documentId: { kind: "word", nullable: true, sortable: false },
  relatedType: { kind: "word", sortable: false },
  relatedId: { kind: "safeInt", sortable: false },
  targetType: { kind: "word", sortable: false },
  targetId: { kind: "safeInt", sortable: false },
  relatedDocumentId: { kind: "word", nullable: true, sortable: false },
  refundOfId: { kind: "int", nullable: true, sortable: false },
  number: { kind: "int", nullable: true },
  control: { kind: "int", nullable: true, sortable: false },
  createdAt: { kind: "dateTime" },
  updatedAt: { kind: "dateTime" },
});
