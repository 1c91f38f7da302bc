import { localStore, type TestStore } from "../files/uploads.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { csv, goodsOf, importAll, openShop } from "./imports.js";

const ROWS = 600;

let store: TestStore;
let gateway: Gateway;
beforeAll(async () => {
  store = await localStore();
  gateway = await startGateway({ own: "database", environment: { STORAGE_URL: store.url } });
});
afterAll(async () => {
  await gateway.close();
  await store.close();
});

it("costs the row alone when the database refuses what the rules allow", async () => {
  await gateway.db.$executeRawUnsafe(`
    CREATE FUNCTION refuse_thirteen() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'internal reason' USING ERRCODE = 'check_violation'; END $$`);
  await gateway.db.$executeRawUnsafe(`
    CREATE TRIGGER refuse_thirteen BEFORE INSERT ON goods FOR EACH ROW
      WHEN (NEW.sku IN ('S-13', 'S-550')) EXECUTE FUNCTION refuse_thirteen()`);
  const shop = await openShop(gateway);
  const rows = Array.from({ length: ROWS }, (_, i) => [`S-${i}`, `Good ${i}`, 1]);

  const job = await importAll(shop, csv(["sku", "name", "price"], ...rows));

  expect(job).toMatchObject({ status: "finished", total_rows: ROWS, imported: ROWS - 2, failed: 2 });
  expect(job.errors).toEqual(
    [15, 552].map((row) => ({
      row,
      column: null,
      header: null,
      field: null,
      rule: "refused",
      message: "cannot be written as it is",
    })),
  );
  expect(await goodsOf(shop)).toHaveLength(ROWS - 2);
}, 60_000);
