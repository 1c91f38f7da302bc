import { setTimeout as sleep } from "node:timers/promises";
import type { Sheets } from "../../src/core/sheets/sheet.js";
import { sheetsWithin } from "../support/sheets-within.js";
import { inputCheck } from "../../src/engine/guard/check-input.js";
import { localStore, type TestStore } from "../files/uploads.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { sharedSchema } from "../support/schema.js";
import { csv, goodsOf, openShop, readImport, send, type Shop } from "./imports.js";

/** A batch has 200 rows, so these are three. */
const ROWS = 500;
const SHEET = csv(
  ["sku", "name", "price"],
  ...Array.from({ length: ROWS }, (_, i) => [`S-${i}`, `Good ${i}`, 1]),
);

let store: TestStore;
let gateway: Gateway;
let shop: Shop;
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeEach(async () => {
  store = await localStore();
  gateway = await startGateway({ own: "database", environment: { STORAGE_URL: store.url } });
  shop = await openShop(gateway);
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});
afterEach(async () => {
  process.off("unhandledRejection", note);
  await gateway.close();
  await store.close();
});

/** Makes every batch of goods take half a second to write, and lets `when` fail after that. */
async function writeSlowly(when = "false"): Promise<void> {
  await gateway.asOwner(`
    CREATE OR REPLACE FUNCTION write_slowly() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_sleep(0.5);
      IF ${when} THEN RAISE EXCEPTION 'the disk is full' USING ERRCODE = 'disk_full'; END IF;
      RETURN NULL;
    END $$`);
  await gateway.asOwner(`
    CREATE OR REPLACE TRIGGER write_slowly AFTER INSERT ON goods FOR EACH STATEMENT EXECUTE FUNCTION write_slowly()`);
}

/** Checks rows as the service does, and fails at the good of a name. */
function checkUntil(name: string): ReturnType<typeof inputCheck> {
  const check = inputCheck(sharedSchema());
  return (operation, input) => {
    if ((input as { name?: string }).name === name) throw new Error("the check failed");
    return check(operation, input);
  };
}

/** Lets a job that failed come at once. */
const retry = () => gateway.db.$executeRaw`UPDATE graphile_worker._private_jobs SET run_at = now()`;

it("keeps the batch that is written slowly while the check of the next one fails", async () => {
  const { body } = await send(shop, SHEET);
  await writeSlowly();

  await expect(gateway.runJobs({ check: checkUntil("Good 240") })).rejects.toThrow("the check failed");

  expect(unhandled).toEqual([]);
  expect(await readImport(shop, body.id as number)).toMatchObject({ status: "running", total_rows: 200 });
  await retry();
  await gateway.runJobs();
  expect(await readImport(shop, body.id as number)).toMatchObject({ status: "finished", imported: ROWS });
  expect(await goodsOf(shop)).toHaveLength(ROWS);
});

it("tries again when a slow write fails, whether or not the check of the next batch fails meanwhile", async () => {
  const { body } = await send(shop, SHEET);
  await writeSlowly("true");

  await expect(gateway.runJobs({ check: checkUntil("Good 240") })).rejects.toThrow(/disk is full/u);
  await retry();
  await expect(gateway.runJobs()).rejects.toThrow(/disk is full/u);

  expect(unhandled).toEqual([]);
  expect(await readImport(shop, body.id as number)).toMatchObject({ status: "running", total_rows: 0 });
  await writeSlowly();
  await retry();
  await gateway.runJobs();
  expect(await readImport(shop, body.id as number)).toMatchObject({ status: "finished", imported: ROWS });
  expect(await goodsOf(shop)).toHaveLength(ROWS);
});

it("frees the reader at once when it is canceled, however long the next rows take", async () => {
  const { body } = await send(shop, SHEET);
  const variables = { c: shop.company.id, id: body.id as number };
  let isFreed = false;
  const slow: Sheets = {
    ...sheetsWithin,
    async *read({ signal }) {
      await shop.company.owner.run(
        "mutation ($c: Int!, $id: Int!) { cancelImport(companyId: $c, importJobId: $id) { id } }",
        variables,
      );
      await sleep(60_000, undefined, { signal: signal as AbortSignal }).finally(() => (isFreed = true));
      yield { rows: [], read: 0 };
    },
  };

  await gateway.runJobs({ sheets: slow });

  expect(isFreed).toBe(true);
  expect(await readImport(shop, body.id as number)).toMatchObject({
    status: "failed",
    message: "It was canceled.",
    total_rows: 0,
  });
  expect(await goodsOf(shop)).toEqual([]);
}, 20_000);
