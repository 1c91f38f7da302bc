import { sql } from "../../core/db/sql.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";

/** Locks a client, deleted or not, until the transaction ends. @returns whether it exists. */
export async function lockAnyClient({ db, companyId }: CompanyScope, clientId: number): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT id FROM clients WHERE company_id = ${companyId} AND id = ${clientId} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Erases what the audit trail has of an erased client. */
export async function eraseFromTrail({ db, companyId }: CompanyScope, clientId: number): Promise<void> {
  await db.$queryRaw(sql`SELECT erase_client_from_trail(${companyId}::int, ${clientId}::int)::text`);
}
