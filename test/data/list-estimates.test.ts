import pg from "pg";
import { conditionSql } from "../../src/engine/reads/condition-sql.js";
import { createCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { planNodes } from "../support/plan-nodes.js";

const GOODS = 5_000;
/** With fewer barcodes in all, PostgreSQL would have statistics of those that come once. */
const BARCODES = 50_000;

let gateway: Gateway;
let client: pg.Client;
let companyId: number;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  client = new pg.Client({ connectionString: gateway.ownerUrl });
  await client.connect();
  companyId = (await createCompany(gateway)).id;
  await client.query(
    `INSERT INTO goods (company_id, name, short_details, details, price_e2, type, keywords, barcodes, updated_at)
     SELECT $1::int, 'Good', '', '', 100, 0, ARRAY[CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END], ARRAY(SELECT 'b' || b FROM generate_series(n, $3::int, $2::int) AS b), now()
       FROM generate_series(1, $2::int) AS n`,
    [companyId, GOODS, BARCODES],
  );
  await client.query("ANALYZE goods");
});
afterAll(async () => {
  await client.end();
  await gateway.close();
});

/** Returns how many goods the planner expects to have one of the texts. */
async function expected(field: "keywords" | "barcodes", texts: readonly string[]): Promise<number> {
  const { text, values } = conditionSql("Good", {
    companyId,
    [field]: { foldedOverlaps: texts },
  });
  const { rows } = await client.query(`EXPLAIN (FORMAT JSON) SELECT id FROM goods WHERE ${text}`, [
    ...values,
  ]);
  return planNodes(rows)[0]?.["Plan Rows"] ?? NaN;
}

describe("the planner", () => {
  it("expects a barcode to be rare, so that it does not walk a company for it", async () => {
    expect(await expected("barcodes", ["b77"])).toBe(1);
    expect(await expected("barcodes", ["b77", "B78", "none"])).toBeLessThan(5);
  });

  it("expects a keyword of many goods to be frequent", async () => {
    expect(await expected("keywords", ["Even"])).toBeGreaterThan(GOODS / 10);
  });
});
