import { setTimeout as sleep } from "node:timers/promises";
import { startGateway, type Gateway } from "../support/gateway.js";
import { cleanUp, makeDataDirectory, startService, type ServiceProcess } from "../support/service-process.js";
import { localStore, type TestStore } from "../files/uploads.js";
import { csv, goodsOf, openShop, readImport, send, type Shop } from "./imports.js";

const ROWS = 3_000;

let store: TestStore;
let gateway: Gateway;
let shop: Shop;
beforeEach(async () => {
  store = await localStore();
  gateway = await startGateway({ own: "database", environment: { STORAGE_URL: store.url } });
  shop = await openShop(gateway);
});
afterEach(async () => {
  await cleanUp();
  await gateway.close();
  await store.close();
});

/** A process that does the jobs; nothing else does. */
async function startProcess(): Promise<ServiceProcess> {
  const process = startService({
    DATABASE_URL: gateway.url,
    STORAGE_URL: store.url,
    DATA_DIR: await makeDataDirectory(),
    LOG_LEVEL: "info",
  });
  await process.ready;
  return process;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

const sheet = (name: string, order: 1 | -1 = 1): string => {
  const rows = Array.from({ length: ROWS }, (_, i) => [`S-${i}`, `${name} ${i}`, 1]);
  return csv(["sku", "name", "price"], ...(order === 1 ? rows : rows.reverse()));
};
const hasEnded = async (id: number): Promise<boolean> =>
  ["finished", "failed"].includes((await readImport(shop, id)).status as string);
const entriesOfGoods = () =>
  gateway.db.auditEntry.count({ where: { companyId: shop.company.id, targetType: "good" } });

it("goes on after each kill, with exactly one effect of each row", async () => {
  const { body } = await send(shop, sheet("Good"));
  const id = body.id as number;
  const done = async (): Promise<number> => (await readImport(shop, id)).total_rows as number;

  for (const signal of ["SIGKILL", "SIGKILL", "SIGTERM"] as const) {
    const before = await done();
    const process = await startProcess();
    await until(async () => (await done()) > before);
    process.kill(signal);
    await process.exited;
    expect(await readImport(shop, id)).toMatchObject({ status: "running" });
  }
  await startProcess();
  await until(() => hasEnded(id));

  expect(await readImport(shop, id)).toMatchObject({
    status: "finished",
    total_rows: ROWS,
    imported: ROWS,
    updated: 0,
    failed: 0,
  });
  const goods = await goodsOf(shop);
  expect([goods.length, new Set(goods.map(({ sku }) => sku)).size]).toEqual([ROWS, ROWS]);
  expect(await entriesOfGoods()).toBe(ROWS);
});

it("does two of the same goods at once without a good too many", async () => {
  const ids = [
    (await send(shop, sheet("One"))).body.id as number,
    (await send(shop, sheet("Two", -1))).body.id as number,
  ];

  await Promise.all([startProcess(), startProcess()]);
  for (const id of ids) await until(() => hasEnded(id));

  const [one, two] = await Promise.all(ids.map((id) => readImport(shop, id)));
  expect([one.status, two.status, one.failed, two.failed]).toEqual(["finished", "finished", 0, 0]);
  expect(one.imported + two.imported).toBe(ROWS);
  const goods = await goodsOf(shop);
  expect(new Set(goods.map(({ sku }) => sku)).size).toBe(goods.length);
  expect(goods).toHaveLength(ROWS);
});
