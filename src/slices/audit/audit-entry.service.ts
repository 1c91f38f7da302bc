import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listPage } from "../../core/lists/list-page.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { type AuditEntry, auditEntryList } from "./audit-entry.model.js";

/** A page of the company's audit trail. */
export function listAuditEntries(
  { db, companyId }: CompanyScope,
  args: ListArguments,
): Promise<Connection<AuditEntry>> {
  return listPage(auditEntryList, { delegate: db.auditEntry, where: { companyId } }, args);
}
