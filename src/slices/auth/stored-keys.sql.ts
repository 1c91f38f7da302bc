import type { AdminGrant, NamedKey, ReadRows, StoredKey } from "../../core/access/role-directory.js";
import { sql, type Sql } from "../../core/db/sql.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { boundsColumns, boundsIn, type BoundsRow } from "./shop-bounds.sql.js";

interface KeyRow extends BoundsRow {
  readonly id: number;
  readonly makerId: number | null;
  readonly networks: readonly string[];
  readonly roles: readonly string[];
  readonly mostPostedE2: string | null;
}

/**
 * Reads a key and what it holds now. The secret from before a rotation is as good as the present one until its time is over.
 *
 * @returns `null` for a key that is not good, see held-by-key.function.sql, or whose company is deleted.
 */
export async function readKey(read: ReadRows, key: NamedKey): Promise<StoredKey | null> {
  const { companyId, secretHash } = key;
  const isNamed =
    secretHash === undefined
      ? sql`k.id = ${key.id}`
      : sql`(k.key_hash = ${secretHash} OR k.previous_hash = ${secretHash} AND k.previous_ends_at > now())`;
  const rows = await read(sql`
    SELECT k.id, k.made_by_id AS "makerId", k.networks, h.roles, h.most_posted_e2::text AS "mostPostedE2",
           ${boundsColumns(companyId)}
      FROM api_keys k
      JOIN companies c ON c.id = k.company_id AND c.deleted_at IS NULL
     CROSS JOIN held_by_key(k.company_id, k.id) AS h
      LEFT JOIN LATERAL (${firstMaker(companyId)}) AS m ON true
      LEFT JOIN admin_types t ON t.company_id = ${companyId} AND t.id = m.admin_type_id
     WHERE k.company_id = ${companyId} AND ${isNamed} AND h.roles IS NOT NULL`);
  const [row] = rows as KeyRow[];
  if (row === undefined) return null;
  const { id, makerId, networks } = row;
  return { id, companyId, makerId, networks, grant: grantIn(row) };
}

/** What a key holds as it is stored, whoever asks: its makers may be beyond the caller. `null` for one that is not good. */
export async function grantOfKey({ whole, companyId }: CompanyScope, id: number): Promise<AdminGrant | null> {
  return (await readKey((statement) => whole.db.$queryRaw(statement), { companyId, id }))?.grant ?? null;
}

/** The admin at the beginning of the keys by which a key `k` was made; one that holds everything has no type that binds it. */
function firstMaker(companyId: number): Sql {
  return sql`
  WITH RECURSIVE makers AS (
    SELECT k.made_by_id, k.made_by_key_id
     UNION ALL
    SELECT o.made_by_id, o.made_by_key_id FROM makers
      JOIN api_keys o ON o.company_id = ${companyId} AND o.id = makers.made_by_key_id
  )
  SELECT a.admin_type_id FROM makers
    JOIN admins a ON a.company_id = ${companyId} AND a.id = makers.made_by_id
   WHERE NOT (a.is_owner OR a.is_full_admin)`;
}

function grantIn(row: KeyRow): AdminGrant {
  const { roles, mostPostedE2 } = row;
  return {
    all: false,
    roles: new Set(roles),
    mostPostedE2: mostPostedE2 === null ? null : BigInt(mostPostedE2),
    bounds: boundsIn(row),
  };
}
