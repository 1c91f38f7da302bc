import type { CompanyScope } from "../../core/scope/company-scope.js";

/** The admin or client whose login it is. */
export interface LoginPrincipal {
  readonly kind: "admin" | "client";
  readonly id: number;
}

/** What is read of a principal whose row was locked. */
export interface LockedPrincipal {
  /** The argon2id hash; `null` for a client, and until a password is set. */
  readonly passwordHash: string | null;
  /** Whether it is an admin who may not sign in. */
  readonly isSuspended: boolean;
}

/**
 * Makes changes of the logins of one admin or client wait for each other, so that no token is made while all of them
 * are being revoked.
 *
 * @returns `null` when there is no such admin or client; a deleted one is none.
 */
export async function lockPrincipal(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  { kind, id }: LoginPrincipal,
): Promise<LockedPrincipal | null> {
  const [row] =
    kind === "admin"
      ? await db.$queryRaw<LockedPrincipal[]>`
          SELECT password_hash AS "passwordHash", suspended_at IS NOT NULL AS "isSuspended" FROM admins WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL
             FOR NO KEY UPDATE`
      : await db.$queryRaw<LockedPrincipal[]>`
          SELECT NULL AS "passwordHash", false AS "isSuspended" FROM clients WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL
             FOR NO KEY UPDATE`;
  return row ?? null;
}
