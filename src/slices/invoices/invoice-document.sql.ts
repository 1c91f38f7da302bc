import type { CompanyScope } from "../../core/scope/company-scope.js";

export interface LockedDocument {
  readonly type: string;
  readonly number: number | null;
  readonly control: number | null;
  readonly completedAt: Date | null;
  /** Says whether the fiscal printer reported a failure. */
  readonly hasErrors: boolean;
}

/** Locks a document until the transaction ends. @returns null when there is none. */
export async function lockDocument(
  { db, companyId }: CompanyScope,
  id: number,
): Promise<LockedDocument | null> {
  const [row] = await db.$queryRaw<LockedDocument[]>`
    SELECT type, number, control, completed_at AS "completedAt", coalesce(payload ->> 'hasErrors' = 'true', false) AS "hasErrors"
      FROM invoice_documents
     WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
  return row ?? null;
}

/**
 * Inserts the refund of a document. A unique index lets one of several at once through, the others wait for it.
 *
 * @returns the id of the refund; null when the document has one already.
 */
export async function insertRefund(
  { db, companyId, at }: CompanyScope,
  {
    type,
    id,
    documentId,
    amountE2,
  }: {
    readonly type: string;
    readonly id: number;
    readonly documentId: string;
    readonly amountE2: bigint | null;
  },
): Promise<number | null> {
  const [row] = await db.$queryRaw<{ id: number }[]>`
    INSERT INTO invoice_documents (
      company_id, type, reference, issued_at, document_id,
      related_type, related_id, target_type, target_id, related_document_id, refund_of_id, amount_e2)
    SELECT o.company_id, ${type}, o.reference, ${at}, ${documentId},
           o.related_type, o.related_id, o.target_type, o.target_id, o.document_id, o.id, ${amountE2}::bigint
      FROM invoice_documents o
     WHERE o.company_id = ${companyId} AND o.id = ${id}
    ON CONFLICT (company_id, refund_of_id) DO NOTHING
    RETURNING id`;
  return row?.id ?? null;
}
