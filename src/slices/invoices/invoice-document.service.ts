import { randomUUID } from "node:crypto";
import { DomainError, notFound } from "../../core/errors/domain-error.js";
import { resourceService, type Values } from "../../core/resources/resource-service.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { readMoment } from "../../core/time/moments.js";
import type { InvoiceDocument as InvoiceDocumentRow } from "../../generated/prisma/client.js";
import type { CompleteInvoiceDocumentInput } from "./invoice-document.inputs.js";
import { type InvoiceDocument, invoiceDocumentList } from "./invoice-document.model.js";
import { insertRefund, lockDocument } from "./invoice-document.sql.js";

/** Reads documents and creates those that are no refunds. */
export const invoiceDocumentService = resourceService<InvoiceDocument>(
  "InvoiceDocument",
  invoiceDocumentList,
  {
    unique: "documentId",
    prepare: ({ company }, input) => ({
      documentId: randomUUID(),
      ...lowerCased(input),
      ...moments(input, company.timeZoneOffset),
    }),
  },
);

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
 * @throws DomainError NOT_FOUND; INVALID_STATE for a refund, and for a document that is refunded already or has no
 *   `documentId`.
 */
export function refund(scope: CompanyScope, id: number, type: string): Promise<InvoiceDocumentRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const original = await db.invoiceDocument.findFirst({ where: { companyId, id } });
    if (original === null) throw notFound("InvoiceDocument");
    if (original.refundOfId !== null) throw new DomainError("INVALID_STATE", "A refund cannot be refunded.");
    if (original.documentId === null)
      throw new DomainError("INVALID_STATE", "The document has no UUID to which a refund could refer.");
    const refundId = await insertRefund(inside, { type, id, documentId: randomUUID() });
    if (refundId === null) throw new DomainError("INVALID_STATE", "The document is refunded already.");
    return db.invoiceDocument.findUniqueOrThrow({ where: { companyId_id: { companyId, id: refundId } } });
  });
}

/**
 * Writes down what the fiscal printer answered; once, since a completed document never changes.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE for a completed document.
 */
export function complete(
  scope: CompanyScope,
  id: number,
  { completedAt, payload, ...numbers }: CompleteInvoiceDocumentInput,
): Promise<InvoiceDocumentRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, company, at } = inside;
    const document = await lockDocument(inside, id);
    if (document === null) throw notFound("InvoiceDocument");
    if (document.completedAt !== null)
      throw new DomainError("INVALID_STATE", "The document is completed already.");
    return db.invoiceDocument.update({
      where: { companyId_id: { companyId, id } },
      data: {
        ...numbers,
        completedAt: completedAt == null ? at : readMoment(completedAt, company.timeZoneOffset),
        ...(payload != null && { payload: payload }),
      },
    });
  });
}
