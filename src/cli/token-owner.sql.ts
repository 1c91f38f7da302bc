import type { Pool } from "pg";

/** Whom a token is for. */
export interface TokenOwner {
  readonly id: number;
  readonly companyId: number;
}

/** Finds admins by their e-mail address, in all companies or in one. */
export async function findAdmins(pool: Pool, email: string, companyId?: number): Promise<TokenOwner[]> {
  const { rows } = await pool.query<TokenOwner>(
    `SELECT id, company_id AS "companyId" FROM admins /* all companies */
      WHERE lower(email) = lower($1) AND deleted_at IS NULL AND ($2::int IS NULL OR company_id = $2) ORDER BY company_id`,
    [email, companyId ?? null],
  );
  return rows;
}

/** Finds clients by their id, in all companies or in one. */
export async function findClients(pool: Pool, id: number, companyId?: number): Promise<TokenOwner[]> {
  const { rows } = await pool.query<TokenOwner>(
    `SELECT id, company_id AS "companyId" FROM clients /* all companies */
      WHERE id = $1 AND deleted_at IS NULL AND ($2::int IS NULL OR company_id = $2) ORDER BY company_id`,
    [id, companyId ?? null],
  );
  return rows;
}

/** Finds keys for machines that are not revoked by their name, in all companies or in one. */
export async function findKeys(pool: Pool, name: string, companyId?: number): Promise<TokenOwner[]> {
  const { rows } = await pool.query<TokenOwner>(
    `SELECT id, company_id AS "companyId" FROM api_keys /* all companies */
      WHERE name = $1 AND revoked_at IS NULL AND ($2::int IS NULL OR company_id = $2) ORDER BY company_id, id`,
    [name, companyId ?? null],
  );
  return rows;
}
