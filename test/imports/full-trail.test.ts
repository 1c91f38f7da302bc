import { jpeg } from "../files/pictures.js";
import { localStore, type TestStore } from "../files/uploads.js";
import { startWebServer, type WebServer } from "../files/web-server.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { csv, goodsOf, importAll, openShop, readImport, type Shop } from "./imports.js";

const HEADERS = ["sku", "name", "price", "details", "picture_urls"];
const FULL = {
  column: null,
  header: null,
  field: "trail",
  rule: "quota",
  message: "has no room for entries longer than 4 KB",
};

let web: WebServer;
let store: TestStore;
let gateway: Gateway;
let shop: Shop;
beforeAll(async () => {
  web = await startWebServer();
  store = await localStore();
  gateway = await startGateway({
    own: "database",
    environment: { STORAGE_URL: store.url, FETCH_ALLOW: web.host, QUOTAS: "trail=20kB" },
  });
});
beforeEach(async () => {
  shop = await openShop(gateway);
  await fillTrail();
});
afterAll(async () => {
  await gateway.close();
  await web.close();
  await store.close();
});

const change = (text: string) =>
  shop.company.owner.rest("PATCH", `/companies/${shop.company.id}`, { body: { custom_json: { text } } });

/** Changes the company until no long entry has room in the trail. */
async function fillTrail(): Promise<void> {
  for (const letter of "abcdefgh") if ((await change(letter.repeat(9_000))).status !== 200) return;
  throw new Error("the trail has room");
}

function entries(): Promise<number> {
  return gateway.db.auditEntry.count({ where: { companyId: shop.company.id, targetType: "good" } });
}

const LONG_ROW = csv(
  HEADERS,
  ["A", "Tea", 1, "short", ""],
  ["B", "Milk", 1, "y".repeat(9_000), ""],
  ["C", "Nut", 1, "short", ""],
);

it("costs the row alone whose entry has no room in the trail", async () => {
  const job = await importAll(shop, LONG_ROW);

  expect(job).toMatchObject({ status: "finished", total_rows: 3, imported: 2, failed: 1, message: null });
  expect(job.errors).toEqual([{ row: 3, ...FULL }]);
  expect(job.error_counts).toEqual([{ field: "trail", rule: "quota", count: 1, first_row: 3 }]);
  expect((await goodsOf(shop)).map(({ sku }) => sku)).toEqual(["A", "C"]);
  expect(await entries()).toBe(2);
});

it("says so in a dry run, which writes nothing", async () => {
  const job = await importAll(shop, LONG_ROW, { dry_run: "true" });

  expect(job).toMatchObject({ status: "finished", total_rows: 3, imported: 2, failed: 1, message: null });
  expect(job.errors).toEqual([{ row: 3, ...FULL }]);
  expect([await goodsOf(shop), await entries()]).toEqual([[], 0]);
});

it("costs the picture alone whose good has no room for its entry", async () => {
  const picture = web.serve("/one.jpg", await jpeg({ width: 2160, height: 1304 }));
  await importAll(shop, csv(HEADERS, ["A", "Tea", 1, "", ""], ["B", "Milk", 1, "", ""]));
  const [tea, milk] = await goodsOf(shop);
  const pictures = Array.from(
    { length: 12 },
    (_, i) => `https://pictures.example.com/${"x".repeat(400)}${i}`,
  );
  await gateway.db.good.updateMany({
    where: { companyId: shop.company.id, id: tea!.id },
    data: { pictures },
  });

  const { id } = await importAll(shop, csv(HEADERS, ["A", "", "", "", picture], ["B", "", "", "", picture]));
  const job = await readImport(shop, id as number);

  expect(job).toMatchObject({ status: "finished", pictures: { wanted: 2, fetched: 1, failed: 1 } });
  expect(job.errors).toEqual([{ row: 2, ...FULL, column: "E", header: "picture_urls" }]);
  expect(await goodsOf(shop)).toMatchObject([{ pictures }, { id: milk!.id, pictures: [expect.any(String)] }]);
});
