import type { Pool } from "pg";

/** The number of movements that one transaction completes. */
const BATCH = 1_000;

/** Returns the first company from this id on that has movements without counterparts, or holders whose credits are not summed. */
export async function findCompanyToComplete(pool: Pool, from: number): Promise<number | null> {
  const { rows } = await pool.query<{ id: number }>(
    `/* all companies */ SELECT c.id FROM companies c
      WHERE c.id >= $1
        AND (EXISTS (SELECT FROM balance_movements m WHERE m.company_id = c.id AND m.counterpart_id IS NULL)
             OR EXISTS (SELECT FROM balance_holders h WHERE h.company_id = c.id AND h.credit_e2 IS NULL))
      ORDER BY c.id LIMIT 1`,
    [from],
  );
  return rows[0]?.id ?? null;
}

/** Completes movements of a company. @returns how many it did; 0: all is done. */
export async function completeMovementsOf(pool: Pool, companyId: number): Promise<number> {
  const { rows } = await pool.query<{ done: number }>("SELECT complete_movements($1, $2) AS done", [
    companyId,
    BATCH,
  ]);
  return rows[0]?.done ?? 0;
}
