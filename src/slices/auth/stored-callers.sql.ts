import type {
  AdminGrant,
  ReadRows,
  ShopBounds,
  StoredCallers,
  TokenOwner,
} from "../../core/access/role-directory.js";
import { sql, type Sql } from "../../core/db/sql.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { boundsColumns, boundsIn, type BoundsRow } from "./shop-bounds.sql.js";
import { readKey } from "./stored-keys.sql.js";

/** Reads what is stored of admins and clients by the logins of their tokens, and of keys. */
export const storedCallers: StoredCallers = {
  grantOf: readGrantOfToken,
  clientExists: readClientExists,
  keyOf: readKey,
};

/**
 * Reads what an admin may do by its token: nothing as long as it lacks the second factor that its type requires.
 *
 * @returns `null` also for an admin who is suspended.
 */
async function readGrantOfToken(read: ReadRows, admin: TokenOwner): Promise<AdminGrant | null> {
  const [row] = (await read(grantStatement(admin))) as GrantRow[];
  if (row === undefined || row.isSuspended) return null;
  const grant = grantIn(row);
  return grant.lacksSecondFactor ? { ...grant, all: false, roles: new Set() } : grant;
}

/**
 * What an admin holds as it is stored, to be compared with what others hold: without a type it reaches no shop, since it holds nothing.
 *
 * @returns `null` when there is no such admin.
 */
export async function grantOf(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  adminId: number,
): Promise<AdminGrant | null> {
  const [row] = await db.$queryRaw<GrantRow[]>(grantStatement({ companyId, id: adminId }));
  return row === undefined ? null : heldIn(row);
}

/** What admins hold as it is stored, by their ids, see `grantOf`; admins that there are not are left out. */
export async function grantsOf(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  adminIds: readonly number[],
): Promise<ReadonlyMap<number, AdminGrant>> {
  const rows = await db.$queryRaw<(GrantRow & { readonly id: number })[]>`
    SELECT p.id, ${grantColumns(companyId, sql`false`)}
      FROM ${GRANTED}
     WHERE p.company_id = ${companyId} AND p.id = ANY (${[...adminIds]}::int[]) AND p.deleted_at IS NULL`;
  return new Map(rows.map((row) => [row.id, heldIn(row)]));
}

/** What the admins of types hold, by the ids of the types; types that there are not are left out. */
export async function grantsOfTypes(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  typeIds: readonly number[],
): Promise<ReadonlyMap<number, AdminGrant>> {
  if (typeIds.length === 0) return new Map();
  const rows = await db.$queryRaw<(TypeRow & { readonly id: number })[]>`
    SELECT t.id, ${typeColumns(companyId)}
      FROM admin_types t
     WHERE t.company_id = ${companyId} AND t.id = ANY (${[...typeIds]}::int[])`;
  return new Map(rows.map((row) => [row.id, grantOfTypeIn(row)]));
}

function heldIn(row: GrantRow): AdminGrant {
  const grant = grantIn(row);
  return !grant.all && !row.hasType ? { ...grant, bounds: NO_SHOPS } : grant;
}

async function readClientExists(read: ReadRows, client: TokenOwner): Promise<boolean> {
  const { companyId, id } = client;
  const rows = await read(sql`
    SELECT p.id FROM clients p JOIN companies c ON c.id = p.company_id AND c.deleted_at IS NULL
     WHERE p.company_id = ${companyId} AND p.id = ${id} AND p.deleted_at IS NULL${goesOn("client", client)}`);
  return rows.length > 0;
}

interface TypeRow extends BoundsRow {
  readonly roles: readonly string[];
  readonly mostPostedE2: string | null;
  readonly assignable: readonly number[] | null;
}

interface GrantRow extends TypeRow {
  readonly all: boolean;
  readonly lacksSecondFactor: boolean;
  readonly isSuspended: boolean;
  readonly hasType: boolean;
}

const NO_SHOPS: ShopBounds = { branchGroupIds: [], branchIds: [], shopsOfBranches: [] };

function grantIn(row: GrantRow): AdminGrant {
  const { all, lacksSecondFactor } = row;
  const ofType = grantOfTypeIn(row);
  return { ...ofType, all, lacksSecondFactor, bounds: all ? null : ofType.bounds };
}

function grantOfTypeIn(row: TypeRow): AdminGrant & Pick<Required<AdminGrant>, "bounds"> {
  const { roles, mostPostedE2, assignable } = row;
  return {
    all: false,
    roles: new Set(roles),
    mostPostedE2: mostPostedE2 === null ? null : BigInt(mostPostedE2),
    bounds: boundsIn(row),
    assignable: assignable ?? [],
  };
}

function grantStatement(admin: TokenOwner): Sql {
  const { companyId, id } = admin;
  return sql`
    SELECT ${grantColumns(companyId, lacksSecondFactor(admin))}
      FROM ${GRANTED}
     WHERE p.company_id = ${companyId} AND p.id = ${id} AND p.deleted_at IS NULL${goesOn("admin", admin)}`;
}

/** Admins `p` with their types `t`. */
const GRANTED = sql`admins p JOIN companies c ON c.id = p.company_id AND c.deleted_at IS NULL
      LEFT JOIN admin_types t ON t.company_id = p.company_id AND t.id = p.admin_type_id`;

/** The columns of what the admins of a type `t` hold. */
const typeColumns = (companyId: number): Sql => sql`ARRAY(SELECT r.role FROM admin_type_roles r
                  WHERE r.company_id = ${companyId} AND r.admin_type_id = t.id) AS roles,
           t.most_posted_e2::text AS "mostPostedE2", t.assignable_type_ids AS "assignable", ${boundsColumns(companyId)}`;

const grantColumns = (companyId: number, lacks: Sql): Sql => sql`p.is_owner OR p.is_full_admin AS "all",
           ${typeColumns(companyId)},
           p.suspended_at IS NOT NULL AS "isSuspended", p.admin_type_id IS NOT NULL AS "hasType",
           ${lacks} AS "lacksSecondFactor"`;

/**
 * The condition that an admin has no second factor though its type requires one. A token without a login is that of an identity
 * provider, which asks for factors itself, or of the command line.
 */
function lacksSecondFactor({ sessionId }: TokenOwner): Sql {
  if (sessionId === undefined) return sql`false`;
  return sql`coalesce(t.requires_second_factor, false)
           AND NOT EXISTS (SELECT 1 FROM second_factors f
                            WHERE f.company_id = p.company_id AND f.admin_id = p.id AND f.confirmed_at IS NOT NULL)`;
}

/** The condition that the login of a token goes on, of which one refresh token is not revoked; none without a login. */
function goesOn(kind: "admin" | "client", { sessionId }: TokenOwner): Sql {
  if (sessionId === undefined) return sql.empty;
  return sql`
       AND EXISTS (SELECT 1 FROM refresh_tokens s
                    WHERE s.company_id = p.company_id AND session_id(s.family_id) = ${sessionId}
                      AND s.revoked_at IS NULL AND s.subject_kind = ${kind} AND s.subject_id = p.id)`;
}
