import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listPage } from "../../core/lists/list-page.js";
import type { Rewrites } from "../../core/lists/compile-filter.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { type AuditEntry, auditEntryList } from "./audit-entry.model.js";
import { holdsObject, storedFields } from "./audit-entry.rules.js";

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
