import pg from "pg";
import { createCompany } from "../support/factories.js";
import { fillCompany, unfilledModels } from "../support/fill-company.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const ROWS = 4;

/** Returns every column that refers to another row of the company by its id, with its table. */
const REFERENCES = `
  SELECT DISTINCT c.conrelid::regclass::text AS table, a.attname AS column
    FROM pg_constraint c
   CROSS JOIN LATERAL unnest(c.conkey, c.confkey) AS k (own, referred)
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.own
    JOIN pg_attribute r ON r.attrelid = c.confrelid AND r.attnum = k.referred
   WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace
     AND r.attname = 'id' AND a.attname <> 'company_id'`;

const TABLES = `
  SELECT table_name AS table FROM information_schema.columns
   WHERE column_name = 'company_id' AND table_schema = 'public' AND table_name NOT IN ('company_settings', 'balance_hour_ends')`;

describe("fillCompany", () => {
  let gateway: Gateway;
  let client: pg.Client;
  let companyId: number;

  beforeAll(async () => {
    gateway = await startGateway();
    client = new pg.Client({ connectionString: gateway.url });
    await client.connect();
    companyId = (await createCompany(gateway)).id;
    await fillCompany(gateway.db, companyId, ROWS);
  });

  afterAll(async () => {
    await client.end();
    await gateway.close();
  });

  it("has a filler of every tenant model", () => {
    // A new model is added to `FILLERS` in `test/support/fill-company.ts`.
    expect(unfilledModels()).toEqual([]);
  });

  it("puts rows into every tenant table", async () => {
    const { rows } = await client.query<{ table: string }>(TABLES);
    const counts = await Promise.all(rows.map(async ({ table }) => [table, await count(table)] as const));

    expect(counts.filter(([, found]) => found < ROWS)).toEqual([]);
  });

  it("fills every reference, with different parents and with many children of the first", async () => {
    const { rows } = await client.query<{ table: string; column: string }>(REFERENCES);
    const found = await Promise.all(
      rows.map(async ({ table, column }) => ({
        reference: `${table}.${column}`,
        parents: await count(table, `DISTINCT "${column}"`),
      })),
    );

    expect(found.filter(({ parents }) => parents < ROWS)).toEqual([]);
    expect(await heapOf("branch_goods", "branch_id")).toBeGreaterThanOrEqual(ROWS);
    expect(await heapOf("good_properties", "good_id")).toBeGreaterThanOrEqual(ROWS);
  });

  async function count(table: string, what = "*"): Promise<number> {
    const sql = `SELECT count(${what})::int AS n FROM ${table} WHERE company_id = $1`;
    return (await client.query<{ n: number }>(sql, [companyId])).rows[0]?.n ?? 0;
  }

  /** Returns how many rows the parent with the lowest id has. */
  async function heapOf(table: string, column: string): Promise<number> {
    const sql = `SELECT count(*)::int AS n FROM ${table} WHERE company_id = $1 AND ${column} =
                   (SELECT min(${column}) FROM ${table} WHERE company_id = $1)`;
    return (await client.query<{ n: number }>(sql, [companyId])).rows[0]?.n ?? 0;
  }
});
