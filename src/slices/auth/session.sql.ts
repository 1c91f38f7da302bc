import type { CompanyScope } from "../../core/scope/company-scope.js";

/** The admin or client whose login it is. */
export interface LoginPrincipal {
  readonly kind: "admin" | "client";
  readonly id: number;
}

/**
 * Makes changes of the logins of one admin or client wait for each other, so that no token is made while all of them
 * are being revoked.
 *
 * @returns whether the admin or client exists; a deleted one does not.
 */
export async function lockPrincipal(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  { kind, id }: LoginPrincipal,
): Promise<boolean> {
  const rows =
    kind === "admin"
      ? await db.$queryRaw<object[]>`
          SELECT id FROM admins WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL
             FOR NO KEY UPDATE`
      : await db.$queryRaw<object[]>`
          SELECT id FROM clients WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL
             FOR NO KEY UPDATE`;
  return rows.length > 0;
}
