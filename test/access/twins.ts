import pg from "pg";
import { createDatabase } from "../../src/engine/connections/client.js";
import { loadDemoData } from "../../src/demo/load.js";
import { copyDatabase, createTestDatabase, nodesOf } from "../support/database.js";
import { startGateway, type Gateway } from "../support/gateway.js";

/** A change of one row, as the database saw it. */
export interface WrittenRow {
  readonly table: string;
  readonly action: "INSERT" | "UPDATE" | "DELETE";
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** A service with a database of its own that notes each row written. */
export interface Twin {
  readonly gateway: Gateway;
  /** Returns the rows written since the last call, those of each node in their order. */
  written(): Promise<WrittenRow[]>;
  close(): Promise<void>;
}

/** Two services on two copies of one database: the same call to both must have the same effect. */
export interface Twins {
  readonly rest: Twin;
  readonly graphql: Twin;
}

/** The demo data with one admin more, from which twins are copied. */
export interface Original {
  /** An admin of company 1 who has no role. */
  readonly adminWithoutRole: number;
  copy(environment?: Record<string, string>): Promise<Twins>;
  close(): Promise<void>;
}

/** These tables tell of requests and of sizes, not of data: an id with one digit more is one byte more. */
const BOOKKEEPING = [
  "_prisma_migrations",
  "rate_limits",
  "idempotency_keys",
  "idempotency_quotas",
  "usage_counts",
];

/** An id that no sequence gives meanwhile, so that ids of the examples stay what they are. */
const FAR_ID = 1_000_000;

/** What the name of a part of a table on a worker has behind that of the table. */
const PART = String.raw`_\d{6,}$`;

/**
 * Notes rows that a transaction wrote; those of a transaction that is undone are undone with it. Each node of a distributed database notes
 * its own: workers have triggers on the parts of tables, which Citus hides and keeps from changes unless it is told otherwise.
 */
const NOTE_ROWS = `
  SET citus.enable_ddl_propagation = off;
  SET citus.override_table_visibility = off;
  SET citus.enable_manual_changes_to_shards = on;
  CREATE SCHEMA witness;
  CREATE TABLE witness.rows (n bigserial, "table" text, action text, before jsonb, after jsonb);
  CREATE FUNCTION witness.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  BEGIN
    INSERT INTO witness.rows ("table", action, before, after) VALUES (regexp_replace(TG_TABLE_NAME, '${PART}', ''), TG_OP,
      CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END, CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END);
    RETURN NULL;
  END $$;
  DO $$
  DECLARE place record;
  BEGIN
    FOR place IN SELECT schemaname, tablename FROM pg_tables
       WHERE (schemaname = current_schema()
              AND regexp_replace(tablename, '${PART}', '') <> ALL ('{${BOOKKEEPING.join(",")}}'))
          OR (schemaname = 'graphile_worker' AND tablename = '_private_jobs')
    LOOP
      EXECUTE format('CREATE TRIGGER witness AFTER INSERT OR UPDATE OR DELETE ON %I.%I
        FOR EACH ROW EXECUTE FUNCTION witness.note()', place.schemaname, place.tablename);
    END LOOP;
  END $$;`;

/** Makes the original: the demo data, changed by `prepare`. */
export async function createOriginal(
  prepare: (db: Gateway["db"]) => Promise<unknown> = () => Promise.resolve(),
): Promise<Original> {
  const { url, drop } = await createTestDatabase();
  const database = await createDatabase({ url });
  await loadDemoData(database);
  await prepare(database.writer);
  const adminWithoutRole = await addAdminWithoutRole(database.writer);
  await database.close();
  for (const node of nodesOf(url)) {
    const client = await connected(node);
    await client.query(NOTE_ROWS);
    await client.end();
  }
  return {
    adminWithoutRole,
    copy: async (environment = {}) => ({
      rest: await startTwin(url, environment),
      graphql: await startTwin(url, environment),
    }),
    close: drop,
  };
}

async function addAdminWithoutRole(db: Gateway["db"]): Promise<number> {
  const companyId = 1;
  const { id: adminTypeId } = await db.adminType.create({
    data: { companyId, id: FAR_ID, name: "No roles", defaultKey: "default", content: [] },
  });
  const { id } = await db.admin.create({
    data: {
      companyId,
      id: FAR_ID,
      name: "Nobody",
      displayName: "Nobody",
      email: "nobody@example.com",
      phone: "+15550000002",
      settings: {},
      adminTypeId,
    },
  });
  return id;
}

async function startTwin(original: string, environment: Record<string, string>): Promise<Twin> {
  const { url, serviceUrl, drop } = await copyDatabase(original);
  const gateway = await startGateway({ on: { url: serviceUrl, ownerUrl: url }, environment });
  const clients = await Promise.all(nodesOf(url).map(connected));
  return {
    gateway,
    written: async () => {
      // Transactions, of which entries of the journal have the number, are of the whole server, and seconds of the clock.
      const noted = clients.map((client) =>
        client.query<WrittenRow & { n: string }>(
          `WITH noted AS (DELETE FROM witness.rows RETURNING *)
           SELECT n, "table", action, before - '{transaction,shares_second}'::text[] AS before,
                  after - '{transaction,shares_second}'::text[] AS after FROM noted ORDER BY n`,
        ),
      );
      return (await Promise.all(noted)).flatMap(({ rows }) => rows.map(({ n: _, ...row }) => row));
    },
    close: async () => {
      for (const client of clients) await client.end();
      await gateway.close();
      await drop();
    },
  };
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
