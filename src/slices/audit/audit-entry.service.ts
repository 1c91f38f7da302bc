import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listPage } from "../../core/lists/list-page.js";
import type { Rewrites } from "../../core/lists/compile-filter.js";
import type { Row } from "../../core/db/db.js";
import { DomainError, notFound } from "../../core/errors/domain-error.js";
import type { OperationContext, TrailChanges } from "../../core/operations/operation-context.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { type AuditEntry, auditEntryList } from "./audit-entry.model.js";
import { holdsObject, modelOfTarget, partsOf, storedFields } from "./audit-entry.rules.js";
import { hasReplacedParts } from "./audit-entry.sql.js";

/** An entry has a field by the column that changed, or by a key within it. */
const REWRITES: Rewrites = {
  field: (conditions) => ({
    AND: Object.values(conditions).map((shown) => {
      const names = [shown].flat().flatMap((name) => storedFields(name as string));
      const objects = names.filter(holdsObject);
      const isWithin = { changes: { hasKeysWithin: objects } };
      return { OR: [{ changes: { hasKeys: names } }, ...(objects.length === 0 ? [] : [isWithin])] };
    }),
  }),
};

/** A page of the company's audit trail. */
export function listAuditEntries(
  { db, companyId }: CompanyScope,
  args: ListArguments,
): Promise<Connection<AuditEntry>> {
  return listPage(
    auditEntryList,
    { delegate: db.auditEntry, where: { companyId }, rewrites: REWRITES },
    args,
  );
}

/**
 * Takes back an update of a row that an entry has written down, as a new change by the same rules.
 *
 * @returns the entry of the new change.
 * @throws DomainError NOT_FOUND; INVALID_STATE for what is no plain update; CONFLICT when the row has moved on; and what the update
 *   throws.
 */
export async function undoChange(
  context: Pick<OperationContext, "takeBack" | "requestId">,
  scope: CompanyScope,
  entryId: number,
): Promise<Row<"AuditEntry">> {
  const { db, companyId } = scope;
  const entry = await db.auditEntry.findFirst({ where: { companyId, id: BigInt(entryId) } });
  if (entry === null) throw notFound("AuditEntry");
  const { action, targetType, targetId } = entry;
  const model = modelOfTarget(targetType);
  if (action !== "update" || model === undefined || targetId === null)
    throw new DomainError("INVALID_STATE", "Only an update of one row can be undone.");
  if (await hasReplacedParts(scope, entry, partsOf(model)))
    throw new DomainError(
      "INVALID_STATE",
      "It has made or removed parts of the row besides, which cannot be undone.",
    );
  const changes = entry.changes as unknown as TrailChanges;
  await context.takeBack({ companyId, model, id: Number(targetId), changes });
  const written = await db.auditEntry.findFirst({
    where: { companyId, requestId: context.requestId, targetType, targetId },
    orderBy: { id: "desc" },
  });
  if (written === null) throw new Error("an undone change has no entry");
  return written;
}
