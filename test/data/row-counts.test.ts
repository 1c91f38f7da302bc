import pg from "pg";
import { foldRowCounts } from "../../src/engine/counts/fold-row-counts.sql.js";
import { COUNTED_TABLES } from "../../src/engine/counts/row-counts.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { fillCompany } from "../support/fill-company.js";
import { startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
let pool: pg.Pool;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  company = await createCompany(gateway);
  // The gateway's own pool refuses statements about all companies.
  const { connectionString } = gateway.database.pool.options;
  pool = new pg.Pool({ connectionString, max: 4 });
});
afterAll(async () => {
  await pool.end();
  await gateway.close();
});

/** What the database has counted, and what there is: live and deleted rows of each table and company. */
async function counts(): Promise<{ counted: unknown[]; real: unknown[] }> {
  const { rows: soft } = await pool.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'deleted_at'",
  );
  const isSoft = new Set(soft.map(({ name }) => name));
  const each = [...COUNTED_TABLES].sort().map((table) => {
    const deleted = isSoft.has(table) ? "count(deleted_at)" : "0::bigint";
    return `SELECT '${table}' AS name, company_id, count(*) - ${deleted} AS live, ${deleted} AS deleted FROM ${table} GROUP BY 2`;
  });
  const client = await pool.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
    const { rows: real } = await client.query(`${each.join(" UNION ALL ")} ORDER BY 1, 2`);
    const { rows: counted } = await client.query(`
      SELECT table_name AS name, company_id, sum(live)::bigint AS live, sum(deleted)::bigint AS deleted
        FROM row_counts GROUP BY 1, 2 HAVING sum(live) <> 0 OR sum(deleted) <> 0 ORDER BY 1, 2`);
    return { counted, real };
  } finally {
    await client.query("COMMIT");
    client.release();
  }
}

describe("the counts of rows", () => {
  it("are kept for the tables that lists take their totals from", async () => {
    const { rows } = await pool.query<{ name: string }>(
      "SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname ~ '_count_'",
    );

    expect(rows.map(({ name }) => name).sort()).toEqual([...COUNTED_TABLES].sort());
  });

  it("are those of the rows, whatever is written and folded at once", async () => {
    const others = await Promise.all([createCompany(gateway), createCompany(gateway)]);
    await Promise.all(others.map(({ id }, index) => fillCompany(gateway.db, id, 3 + index)));
    let isDone = false;
    const folding = (async () => {
      while (!isDone) await Promise.all([foldRowCounts(pool), foldRowCounts(pool)]);
    })();
    const checking = (async () => {
      while (!isDone) {
        const { counted, real } = await counts();
        expect(counted).toEqual(real);
      }
    })();

    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        for (let round = 0; round < 6; round += 1) {
          const companyId = [company.id, ...others.map(({ id }) => id)][(worker + round) % 3] as number;
          const good = await createGood(gateway, companyId, { name: `Good ${worker} ${round}` });
          const where = { companyId, id: good.id };
          if (round % 3 > 0) await gateway.db.good.updateMany({ where, data: { deletedAt: new Date() } });
          if (round % 4 === 0) await gateway.db.good.updateMany({ where, data: { deletedAt: null } });
          if (round % 5 === 0) await gateway.db.good.deleteMany({ where });
          await gateway.db
            .$transaction(async (db) => {
              await db.order.createMany({
                data: Array.from({ length: 5 }, () => ({ companyId, currencyIso: "USD" })),
              });
              if (round % 2 === 0) throw new Error("undone");
            })
            .catch(() => undefined);
        }
      }),
    );
    isDone = true;
    await Promise.all([folding, checking]);

    const { counted, real } = await counts();
    expect(counted).toEqual(real);
    while ((await foldRowCounts(pool)) > 0);
    const { rows } = await pool.query("SELECT 1 FROM row_counts WHERE id > 0");
    expect(rows).toEqual([]);
    expect((await counts()).counted).toEqual(real);
  });

  it("are the totals of lists without a filter, deleted rows or not", async () => {
    const shop = await createCompany(gateway);
    const goods = [];
    for (const name of ["A", "B", "C"]) goods.push(await createGood(gateway, shop.id, { name }));
    // A page that shows all rows needs no count.
    const total = async (query = "") =>
      (await shop.owner.rest("GET", `/companies/${shop.id}/goods?per_page=1${query}`)).headers[
        "x-total-count"
      ];

    expect([await total(), await total("&with_deleted=1")]).toEqual(["3", "3"]);
    await shop.owner.rest("DELETE", `/companies/${shop.id}/goods/${goods[0]?.id}`);
    expect([await total(), await total("&with_deleted=1")]).toEqual(["2", "3"]);
    expect(await total("&filter[name][gte]=B")).toBe("2");
    await gateway.db.good.updateMany({ where: { companyId: shop.id }, data: { deletedAt: null } });
    expect(await total()).toBe("3");
    expect(
      gateway.statements.filter((text) => text.includes("count(*)") && text.includes("goods")),
    ).toHaveLength(1);
  });
});
