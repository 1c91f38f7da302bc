import pg from "pg";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { untilLockWaits } from "../support/lock-waits.js";

const UPSERTS = {
  goods: `mutation ($companyId: Int!, $mode: BulkMode!) {
    results: upsertGoods(companyId: $companyId, by: external_id, mode: $mode,
      rows: [{ externalId: "X", name: "new", priceE2: 5 }]) { ok created id error { code field } }
  }`,
  clients: `mutation ($companyId: Int!, $mode: BulkMode!) {
    results: upsertClients(companyId: $companyId, by: external_id, mode: $mode,
      rows: [{ externalId: "X", name: "new" }]) { ok created id error { code field } }
  }`,
};

let gateway: Gateway;
let company: TestCompany;
/** Somebody else, whose change is not committed yet. */
let rival: pg.Client;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  rival = new pg.Client({ connectionString: gateway.ownerUrl });
  await rival.connect();
  await rival.query("BEGIN");
});
afterEach(() => rival.end());
afterAll(() => gateway.close());

type Table = keyof typeof UPSERTS;

/** A row with the external id X. */
async function createRow(table: Table, deletedAt: Date | null): Promise<number> {
  const row = { externalId: "X", name: "old", deletedAt };
  if (table === "goods") return (await createGood(gateway, company.id, row)).id;
  return (await gateway.db.client.create({ data: { ...row, companyId: company.id } })).id;
}

/** Has the rival delete or restore a row, and upserts the one of its external id until then. */
async function upsertBeside(table: Table, mode: string, id: number, deletedAt: Date | null) {
  await rival.query(`UPDATE ${table} SET deleted_at = $3 WHERE company_id = $1 AND id = $2`, [
    company.id,
    id,
    deletedAt,
  ]);
  const upserting = company.owner.run(UPSERTS[table], { companyId: company.id, mode });
  await untilLockWaits(gateway.ownerUrl, 1);
  await rival.query("COMMIT");
  const { data } = await upserting;
  return data?.["results"] as { id: number }[];
}

const namesOf = async (table: Table): Promise<unknown[]> => {
  const { rows } = await rival.query<{ name: string }>(
    `SELECT id, name FROM ${table} WHERE company_id = $1 AND external_id = 'X' AND deleted_at IS NULL`,
    [company.id],
  );
  return rows;
};

describe.each(["goods", "clients"] as const)("%s that are upserted by their external ids", (table) => {
  it.each(["each", "all"])("change what somebody restores meanwhile: mode %s", async (mode) => {
    const id = await createRow(table, new Date());

    const results = await upsertBeside(table, mode, id, null);

    expect(results).toEqual([{ ok: true, created: false, id, error: null }]);
    expect(await namesOf(table)).toEqual([{ id, name: "new" }]);
  });

  it.each(["each", "all"])("create what somebody deletes meanwhile: mode %s", async (mode) => {
    const deleted = await createRow(table, null);

    const results = await upsertBeside(table, mode, deleted, new Date());

    const id = results[0]?.id ?? 0;
    expect(results).toEqual([{ ok: true, created: true, id, error: null }]);
    expect(id).not.toBe(deleted);
    expect(await namesOf(table)).toEqual([{ id, name: "new" }]);
  });
});
