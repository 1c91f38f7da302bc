import pg from "pg";
import { applyMigrations, MigrationError, type MigrationOptions } from "./migrate.js";

/** Processes that put privileges right at once take turns by this advisory lock. */
const PRIVILEGES_LOCK = 4_861_028;
const INSUFFICIENT_PRIVILEGE = "42501";
/** The process builds its schema meanwhile, which a busy machine takes long for. */
const CONNECT_MS = 60_000;

export interface PreparationOptions extends Omit<MigrationOptions, "migrations"> {
  /** The role that the service connects as; without it, the roles that were named before keep their rights. */
  readonly serviceRole?: string | undefined;
}

/**
 * Makes a database ready to be served: applies the pending migrations, and gives the service's roles the rights that they
 * lack. As a role that owns no tables it only looks whether both was done.
 *
 * @returns the names of the migrations that this call applied.
 * @throws MigrationError
 */
export async function prepareDatabase(url: string, options: PreparationOptions = {}): Promise<string[]> {
  const { serviceRole, ...migrationOptions } = options;
  if (serviceRole !== undefined) await inSession(url, (client) => assertMayServe(client, serviceRole));
  let refusal: unknown = null;
  const applied = await applyMigrations(url, migrationOptions).catch((error: unknown) => {
    if (!isRefused(error)) throw error;
    refusal = error;
    return [];
  });
  return inSession(url, async (client) => {
    if (refusal !== null) throw await refusalToApply(client, refusal);
    await keepPrivileges(client, serviceRole);
    await client.query("SELECT begin_journal()");
    return applied;
  });
}

async function inSession<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The message when the database refuses to let the session's role apply migrations. */
async function refusalToApply(client: pg.Client, cause: unknown): Promise<unknown> {
  const { me, database, owns, reads } = await ownership(client);
  if (owns && cause instanceof MigrationError) return cause;
  if (owns) {
    const { message } = cause as Error;
    return new MigrationError(
      `The role ${me} may not make the tables of the service in the database ${database}: ${message}. Apply the migrations as ` +
        "the owner of the database by npm run db:migrate, and see that the URL names the right one.",
      { cause },
    );
  }
  const refused = reads ? "apply the migrations that are pending" : "read which migrations were applied";
  const message = `The role ${me} may not ${refused}: ${askTheOwner(me)}`;
  return new MigrationError(message, { cause });
}

function isRefused(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return code === INSUFFICIENT_PRIVILEGE || (cause instanceof Error && isRefused(cause));
}

function askTheOwner(role: string): string {
  return `run npm run db:migrate -- --service-role ${role} as the owner of the tables.`;
}

/**
 * Gives the service's roles the rights that they lack, and takes what is too much from them and from everybody. Those are
 * the named role, and each one that was named before: the default privileges of the owner remember it.
 */
async function keepPrivileges(client: pg.Client, serviceRole: string | undefined): Promise<void> {
  const { me, owns } = await ownership(client);
  if (!owns && serviceRole !== undefined)
    throw new MigrationError(
      `The role ${me} owns no tables, and the owner alone gives a role its rights: ${askTheOwner(serviceRole)}`,
    );
  if (!owns) {
    const [missing] = await wrongPrivileges(client, me, false);
    if (missing === undefined) return;
    throw new MigrationError(`The role ${me} lacks rights in the database (${missing}): ${askTheOwner(me)}`);
  }
  if ((await wrongPrivileges(client, serviceRole, true)).length === 0) return;
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock($1)", [PRIVILEGES_LOCK]);
  const statements = await wrongPrivileges(client, serviceRole, true);
  await client.query([...statements, "COMMIT"].join(";\n"));
}

interface Ownership {
  readonly me: string;
  readonly database: string;
  readonly owns: boolean;
  readonly reads: boolean;
}

/** The session's role, whether it owns the tables, and whether it may read which migrations were applied. */
async function ownership(client: pg.Client): Promise<Ownership> {
  const { rows } = await client.query<Ownership>(`
    SELECT current_user AS me, current_database() AS database, coalesce(pg_has_role(n.relowner, 'MEMBER'), true) AS owns,
           coalesce(has_table_privilege(n.oid, 'SELECT'), true) AS reads
      FROM (SELECT) AS one LEFT JOIN pg_class AS n
        ON n.relnamespace = to_regnamespace('public') AND n.relname = '_prisma_migrations'`);
  return rows[0] as Ownership;
}

/**
 * Looks at the role that an owner names, before anything is applied; others are told later who has to name it.
 *
 * @throws MigrationError for a role that does not exist, that nobody logs in as, or that stands above all privileges.
 */
async function assertMayServe(client: pg.Client, role: string): Promise<void> {
  if (!(await ownership(client)).owns) return;
  const { rows } = await client.query<{ can_login: boolean; stands_above: boolean }>(
    `SELECT rolcanlogin AS can_login, rolsuper OR pg_has_role(oid, current_user, 'MEMBER') AS stands_above
       FROM pg_roles WHERE rolname = $1`,
    [role],
  );
  const name = JSON.stringify(role);
  if (rows[0] === undefined)
    throw new MigrationError(`There is no role ${name}: make it by CREATE ROLE … LOGIN PASSWORD '…'.`);
  if (!rows[0].can_login)
    throw new MigrationError(
      `The role ${name} cannot log in: its members would all get the rights of the service.`,
    );
  if (rows[0].stands_above)
    throw new MigrationError(
      `The role ${name} is a superuser or has the rights of the owner: name one that owns nothing.`,
    );
}

/** Returns the statements that put privileges right; none where they are. */
async function wrongPrivileges(
  client: pg.Client,
  role: string | undefined,
  isOwner: boolean,
): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(PRIVILEGES, [role ?? null, isOwner]);
  return rows.map(({ text }) => text);
}

/**
 * Selects the statements that are missing for a service's role ($1), and for those that the owner's default privileges name.
 * $2 says whether the session's role is the owner: then privileges that are too much are taken away as well.
 *
 * A service's role may read all tables and write all but those that refuse TRUNCATE, which functions of their owner write.
 * It may run all functions but those of triggers: whoever may put these on a table of its own could have them write what it
 * likes. Nobody else may run any function. What belongs to extensions or to other owners is left as it is.
 */
const PRIVILEGES = `
  WITH "space" AS (
    SELECT oid, nspname FROM pg_namespace WHERE nspname IN ('public', 'graphile_worker')
  ), "service" AS (
    SELECT oid, quote_ident(rolname) AS name FROM pg_roles WHERE rolname = $1
     UNION
    SELECT a.grantee, quote_ident(pg_get_userbyid(a.grantee))
      FROM pg_default_acl AS d, aclexplode(d.defaclacl) AS a
     WHERE $2 AND d.defaclrole = (SELECT oid FROM pg_roles WHERE rolname = current_user) AND d.defaclnamespace = to_regnamespace('public')
       AND d.defaclobjtype = 'f' AND a.grantee NOT IN (0, d.defaclrole)
  ), "owner" AS (
    SELECT relowner AS oid FROM pg_class WHERE relnamespace = to_regnamespace('public') AND relname = '_prisma_migrations'
     UNION
    SELECT (SELECT oid FROM pg_roles WHERE rolname = current_user) WHERE $2
  ), "of_extensions" AS (
    SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
  ), "relation" AS (
    SELECT c.oid, s.nspname, format('%I.%I', s.nspname, c.relname) AS name, c.relkind, c.relacl, c.relrowsecurity,
           c.relkind = 'v' OR c.relname IN ('_prisma_migrations', 'migrations') OR EXISTS (
             SELECT FROM pg_trigger AS t
              WHERE t.tgrelid = c.oid AND t.tgfoid = to_regproc('public.refuse_change') AND t.tgtype & 32 <> 0) AS is_read
      FROM pg_class AS c JOIN "space" AS s ON s.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'S') AND c.relowner IN (SELECT oid FROM "owner")
       AND ('pg_class'::regclass, c.oid) NOT IN (SELECT classid, objid FROM "of_extensions")
  ), "routine" AS (
    SELECT p.oid::regprocedure::text AS signature, p.oid, p.prorettype = 'trigger'::regtype AS is_trigger,
           coalesce(p.proacl, acldefault('f', p.proowner)) AS acl
      FROM pg_proc AS p JOIN "space" AS s ON s.oid = p.pronamespace
     WHERE p.prokind IN ('f', 'p', 'w') AND p.proowner IN (SELECT oid FROM "owner")
       AND ('pg_proc'::regclass, p.oid) NOT IN (SELECT classid, objid FROM "of_extensions")
  ), "object" AS (
    -- What a service's role should have of each thing, and the list of who has what.
    SELECT 1 AS place, '' AS prefix, format('SCHEMA %I', s.nspname) AS target, '{USAGE}'::text[] AS wanted,
           coalesce(n.nspacl, acldefault('n', n.nspowner)) AS acl
      FROM "space" AS s JOIN pg_namespace AS n USING (oid)
     UNION ALL
    SELECT 2, '', CASE relkind WHEN 'S' THEN 'SEQUENCE ' ELSE 'TABLE ' END || name,
           CASE WHEN relkind = 'S' THEN '{USAGE}' WHEN is_read THEN '{SELECT}' ELSE '{SELECT,INSERT,UPDATE,DELETE}' END::text[],
           relacl
      FROM "relation"
     UNION ALL
    SELECT 3, '', 'ROUTINE ' || signature, CASE WHEN is_trigger THEN '{}' ELSE '{EXECUTE}' END::text[], acl
      FROM "routine"
     UNION ALL
    SELECT 4, format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I ', s.nspname), kind.target, kind.wanted, d.defaclacl
      FROM "space" AS s
     CROSS JOIN (VALUES ('r', 'TABLES', '{SELECT,INSERT,UPDATE,DELETE}'::text[]), ('S', 'SEQUENCES', '{USAGE}'),
                        ('f', 'FUNCTIONS', '{EXECUTE}')) AS kind(type, target, wanted)
      LEFT JOIN pg_default_acl AS d
             ON d.defaclrole = (SELECT oid FROM pg_roles WHERE rolname = current_user) AND d.defaclnamespace = s.oid AND d.defaclobjtype::text = kind.type
     WHERE $2
  ), "difference" AS (
    SELECT o.*, r.name, g.given FROM "object" AS o CROSS JOIN "service" AS r CROSS JOIN LATERAL (
      SELECT array(SELECT a.privilege_type FROM aclexplode(o.acl) AS a
                     WHERE a.grantee = r.oid OR o.place = 1 AND a.grantee = 0 AND a.privilege_type = 'USAGE') AS given) AS g
  )
  SELECT text FROM (
    SELECT 0 AS place, 'ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC' AS text
     WHERE $2 AND NOT EXISTS (
       SELECT FROM pg_default_acl AS d
        WHERE d.defaclrole = (SELECT oid FROM pg_roles WHERE rolname = current_user) AND d.defaclnamespace = 0 AND d.defaclobjtype = 'f'
          AND NOT EXISTS (SELECT FROM aclexplode(d.defaclacl) WHERE grantee = 0))
     UNION ALL
    SELECT 0, 'REVOKE CREATE ON SCHEMA public FROM PUBLIC' FROM pg_namespace
     WHERE $2 AND nspname = 'public' AND pg_has_role(nspowner, 'MEMBER')
       AND EXISTS (SELECT FROM aclexplode(nspacl) WHERE grantee = 0 AND privilege_type = 'CREATE')
     UNION ALL
    SELECT 0, format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC', signature) FROM "routine"
     WHERE $2 AND EXISTS (SELECT FROM aclexplode(acl) WHERE grantee = 0)
     UNION ALL
    SELECT place, format('%sGRANT %s ON %s TO %s', prefix, array_to_string(wanted, ', '), target, name) FROM "difference"
     WHERE NOT wanted <@ given
     UNION ALL
    SELECT place, format('%sREVOKE %s ON %s FROM %s', prefix, excess, target, name) FROM "difference", LATERAL (
      SELECT string_agg(privilege, ', ') AS excess FROM unnest(given) AS privilege WHERE privilege <> ALL (wanted)) AS e
     WHERE $2 AND excess IS NOT NULL
     UNION ALL
    -- graphile-worker closes its tables by row security to all but their owner.
    SELECT 5, format('CREATE POLICY %s ON %s TO %s USING (true) WITH CHECK (true)', r.name, c.name, r.name)
      FROM "relation" AS c CROSS JOIN "service" AS r
     WHERE c.relrowsecurity AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid AND r.oid = ANY (polroles))
  ) AS "statements" ORDER BY place, text`;
