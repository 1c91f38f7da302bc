import { randomUUID } from "node:crypto";
import { formatAmount } from "../../core/money.js";
import { DomainError, invalidField, notFound } from "../../core/errors/domain-error.js";
import { takenIndex } from "../../core/db/taken-index.js";
import { resourceService, type Values } from "../../core/resources/resource-service.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { readMoment } from "../../core/time/moments.js";
import type { Row } from "../../core/db/db.js";
import type { CompleteInvoiceDocumentInput } from "./invoice-document.inputs.js";
import { type InvoiceDocument, invoiceDocumentList } from "./invoice-document.model.js";
import { insertRefund, lockDocument } from "./invoice-document.sql.js";

type InvoiceDocumentRow = Row<"InvoiceDocument">;

/** Reads documents and creates those that are no refunds. */
export const invoiceDocumentService = resourceService<InvoiceDocument>(
  "InvoiceDocument",
  invoiceDocumentList,
  {
    unique: "documentId",
    refuseTaken: refuseTakenNumber,
    prepare: async (scope, input) => ({
      documentId: randomUUID(),
      ...lowerCased(input),
      ...moments(input, scope.company.timeZoneOffset),
      ...(await ownNumbers(scope, { id: 0, type: input["type"] as string, ...input })),
    }),
  },
);

/** The unique indexes of numbers; the database refuses those that two documents get at once. */
const NUMBER_INDEXES = ["invoice_documents_number_key", "invoice_documents_control_key"];

/** Returns the refusal of a number that another document of the type has got meanwhile; `null` for any other index. */
function refuseTakenNumber(index: string): DomainError | null {
  if (!NUMBER_INDEXES.includes(index)) return null;
  return new DomainError("CONFLICT", "Another document of the type has the number already.");
}

/** What the fiscal printer gives a document. */
interface Numbers {
  readonly number?: number | null | undefined;
  readonly control?: number | null | undefined;
}

/**
 * Asserts that no other document of the type has the numbers.
 *
 * @returns what marks them as the document's own, which the database holds to.
 * @throws DomainError CONFLICT.
 */
async function ownNumbers(
  { db, companyId }: CompanyScope,
  { id, type, number, control }: { readonly id: number; readonly type: string } & Numbers,
): Promise<{ readonly ownsNumbers?: true }> {
  const given = [
    ["number", number],
    ["control", control],
  ] as const;
  for (const [name, value] of given) {
    if (value == null) continue;
    const other = await db.invoiceDocument.findFirst({
      where: { companyId, type, [name]: value, id: { not: id } },
      select: { id: true },
    });
    const word = name === "number" ? "number" : "control number";
    if (other !== null)
      throw new DomainError(
        "CONFLICT",
        `Document ${other.id} of the type ${type} has the ${word} ${value} already.`,
      );
  }
  return given.some(([, value]) => value != null) ? { ownsNumbers: true } : {};
}

/** The numbers that a document does not have yet. An earlier release gave some twice; they stay those of both. */
function newNumbers(sent: Numbers, document: Numbers): Numbers {
  return {
    number: sent.number === document.number ? null : sent.number,
    control: sent.control === document.control ? null : sent.control,
  };
}

const MOMENTS = ["issuedAt", "completedAt"] as const;

/** Reads the moments of a checked input; what is null or absent stays so. */
function moments(input: Values, timeZoneOffset: string): Values {
  const sent = MOMENTS.map((name) => [name, input[name]] as const);
  return Object.fromEntries(
    sent.flatMap(([name, text]) =>
      typeof text === "string" ? [[name, readMoment(text, timeZoneOffset)]] : [],
    ),
  );
}

/** UUIDs are compared as they are stored; a payload that is null is no JSON. */
function lowerCased({ documentId, relatedDocumentId, payload, ...input }: Values): Values {
  return {
    ...input,
    ...(payload != null && { payload }),
    ...(documentId !== undefined && { documentId: lowerCase(documentId) }),
    ...(relatedDocumentId !== undefined && { relatedDocumentId: lowerCase(relatedDocumentId) }),
  };
}

function lowerCase(uuid: unknown): unknown {
  return typeof uuid === "string" ? uuid.toLowerCase() : uuid;
}

/**
 * Refunds a document by a new one of the given type. It is about the same record and for the same target; what the fiscal
 * printer gives a document, the refund gets by its own answer.
 *
 * @param wanted.amountE2 what is refunded, all of the original when absent.
 * @throws DomainError NOT_FOUND; INVALID_STATE for a refund, for a document that is refunded already or has no `documentId`,
 *   and for one that was completed with errors; VALIDATION_FAILED for more than the original's amount.
 */
export function refund(
  scope: CompanyScope,
  id: number,
  { type, amountE2 = null }: { type: string; amountE2?: number | null },
): Promise<InvoiceDocumentRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const original = await db.invoiceDocument.findFirst({ where: { companyId, id } });
    if (original === null) throw notFound("InvoiceDocument");
    if (original.refundOfId !== null) throw new DomainError("INVALID_STATE", "A refund cannot be refunded.");
    if (original.documentId === null)
      throw new DomainError("INVALID_STATE", "The document has no UUID to which a refund could refer.");
    if ((await lockDocument(inside, id))?.hasErrors === true)
      throw new DomainError(
        "INVALID_STATE",
        "The document was completed with errors; complete it again first.",
      );
    const wantedE2 = amountE2 === null ? original.amountE2 : BigInt(amountE2);
    if (wantedE2 !== null && original.amountE2 !== null && wantedE2 > original.amountE2)
      throw invalidField(
        "amountE2",
        "max",
        `must be at most the original's ${formatAmount(original.amountE2)}`,
      );
    const refundId = await insertRefund(inside, { type, id, documentId: randomUUID(), amountE2: wantedE2 });
    if (refundId === null) throw new DomainError("INVALID_STATE", "The document is refunded already.");
    return db.invoiceDocument.findUniqueOrThrow({ where: { companyId_id: { companyId, id: refundId } } });
  });
}

/**
 * Writes down what the fiscal printer answered; once, since a completed document never changes, and again after errors.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE for a document that was completed without errors, and for errors of one that is
 *   refunded; CONFLICT for a number that another document of the type has.
 */
export function complete(
  scope: CompanyScope,
  id: number,
  { completedAt, payload, ...numbers }: CompleteInvoiceDocumentInput,
): Promise<InvoiceDocumentRow> {
  return scope
    .transaction(async (inside) => {
      const { db, companyId, company, at } = inside;
      const document = await lockDocument(inside, id);
      if (document === null) throw notFound("InvoiceDocument");
      if (document.completedAt !== null && !document.hasErrors)
        throw new DomainError("INVALID_STATE", "The document is completed already.");
      if (hasErrors(payload)) await assertNotRefunded(inside, id);
      return db.invoiceDocument.update({
        where: { companyId_id: { companyId, id } },
        data: {
          ...numbers,
          ...(await ownNumbers(inside, { id, type: document.type, ...newNumbers(numbers, document) })),
          completedAt: completedAt == null ? at : readMoment(completedAt, company.timeZoneOffset),
          ...(payload != null && { payload: payload }),
        },
      });
    })
    .catch((error: unknown) => {
      throw refuseTakenNumber(takenIndex(error) ?? "") ?? error;
    });
}

const hasErrors = (payload: object | null | undefined): boolean =>
  (payload as { hasErrors?: unknown } | null | undefined)?.hasErrors === true;

/** A document with errors is not refunded, whichever comes first. Its row is locked, so that no refund is made meanwhile. */
async function assertNotRefunded({ db, companyId }: CompanyScope, id: number): Promise<void> {
  const where = { companyId, refundOfId: id };
  const made = await db.invoiceDocument.findFirst({ where, select: { id: true } });
  if (made !== null)
    throw new DomainError(
      "INVALID_STATE",
      "The document is refunded already, so it cannot have errors any more.",
    );
}
