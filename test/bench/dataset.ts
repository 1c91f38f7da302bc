import pg from "pg";
import { createDatabase } from "../../src/engine/connections/client.js";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";
import { BIG_COMPANY, makeBigCompany } from "../../src/demo/big-company.js";
import type { Dataset } from "./workloads.js";

const GOODS = 200_000;
/** So many goods are before the page that is deep in the list. */
const DEPTH = GOODS * 0.75;

/** Makes a company of 200,000 goods at the first run, and finds it at later runs. */
export async function prepareDataset(url: string): Promise<Dataset> {
  await applyMigrations(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const known = await bigCompany(client);
    const companyId = known ?? (await make(url));
    const { rows } = await client.query<{ ids: number[] }>(
      `SELECT array[max(id), (SELECT id FROM goods WHERE company_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)] AS ids
         FROM goods WHERE company_id = $1`,
      [companyId, DEPTH],
    );
    const [goodId = 0, deepId = 0] = rows[0]?.ids ?? [];
    return { companyId, goodId, aboveAll: goodId + 1, deepId, depth: DEPTH };
  } finally {
    await client.end();
  }
}

/** Other data of the benches has companies with as many goods, which have no properties. */
async function bigCompany(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ id: number }>(
    `SELECT c.id FROM companies c WHERE starts_with(c.name, $2) AND c.enabled
        AND (SELECT count(*) FROM goods g WHERE g.company_id = c.id) >= $1 ORDER BY c.id LIMIT 1`,
    [GOODS, BIG_COMPANY],
  );
  return rows[0]?.id;
}

async function make(url: string): Promise<number> {
  process.stderr.write(`making a company of ${GOODS} goods, once\n`);
  // Statements that take long are no failure here, however busy the machine.
  const database = await createDatabase({ url, poolSize: 2, statementTimeoutMs: 600_000 });
  try {
    const { id } = await makeBigCompany(database, GOODS, () => undefined);
    await database.pool.query("VACUUM ANALYZE");
    return id;
  } finally {
    await database.close();
  }
}
