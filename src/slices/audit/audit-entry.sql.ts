import { sql } from "../../core/db/sql.js";
import type { Row } from "../../core/db/db.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";

/** A kind of rows that are parts of others, and the column that leads to these. */
export interface PartKind {
  readonly targetType: string;
  readonly column: string;
}

/** Whether parts of the row were made or removed along with its update, such as the items of an order. */
export async function hasReplacedParts(
  { companyId, rows }: Pick<CompanyScope, "companyId" | "rows">,
  { requestId, createdAt, targetId }: Row<"AuditEntry">,
  kinds: readonly PartKind[],
): Promise<boolean> {
  if (kinds.length === 0) return false;
  const types = kinds.map(({ targetType }) => targetType);
  const columns = kinds.map(({ column }) => column);
  // What one transaction has written has one moment.
  const found = await rows(sql`
    SELECT e.id
      FROM audit_entries e
      JOIN unnest(${types}::text[], ${columns}::text[]) AS k ("type", "column")
        ON k."type" = e.target_type AND e.changes -> k."column" @> to_jsonb(${Number(targetId)}::bigint)
     WHERE e.company_id = ${companyId} AND e.request_id = ${requestId} AND e.created_at = ${createdAt}::timestamptz
       AND e.action IN ('create', 'delete')
     LIMIT 1`);
  return found.length > 0;
}
