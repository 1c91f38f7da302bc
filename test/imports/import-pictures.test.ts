import { jpeg } from "../files/pictures.js";
import { localStore, type TestStore } from "../files/uploads.js";
import { startWebServer, type WebServer } from "../files/web-server.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { csv, goodsOf, importAll, openShop, readImport, send, type Shop } from "./imports.js";

const LEAST = { width: 2160, height: 1304 };
const LEAST_VERTICAL = { width: 1120, height: 1400 };

let web: WebServer;
let store: TestStore;
let gateway: Gateway;
let shop: Shop;
let one: string;
let two: string;
let tall: string;
beforeAll(async () => {
  web = await startWebServer();
  store = await localStore();
  gateway = await startGateway({
    own: "database",
    environment: { STORAGE_URL: store.url, FETCH_ALLOW: web.host },
  });
  one = web.serve("/one.jpg", await jpeg(LEAST));
  two = web.serve("/pictures/A%20b.jpg", await jpeg(LEAST));
  tall = web.serve("/tall.jpg", await jpeg(LEAST_VERTICAL));
});
beforeEach(async () => {
  web.requests.length = 0;
  shop = await openShop(gateway);
});
afterAll(async () => {
  await gateway.close();
  await web.close();
  await store.close();
});

const HEADERS = ["sku", "name", "price", "picture_urls", "vertical_picture_urls"];
const pathsFetched = (): (string | undefined)[] => web.requests.map(({ url }) => url).sort();

it("fetches the pictures that rows name once, and what the good shows never", async () => {
  const sheet = csv(HEADERS, ["A", "Water", 1, `${one}, ${two}`, tall], ["B", "Juice", 2, one, ""]);

  const first = await importAll(shop, sheet);
  const done = await readImport(shop, first.id as number);
  expect(done).toMatchObject({
    status: "finished",
    imported: 2,
    error_count: 0,
    pictures: { wanted: 4, fetched: 4, failed: 0 },
  });
  expect(
    (await goodsOf(shop)).map(({ pictures, verticalPictures }) =>
      [pictures, verticalPictures].map(({ length }) => length),
    ),
  ).toEqual([
    [2, 1],
    [1, 0],
  ]);
  expect(pathsFetched()).toEqual(["/one.jpg", "/one.jpg", "/pictures/A%20b.jpg", "/tall.jpg"]);

  const before = await goodsOf(shop);
  const again = await importAll(shop, sheet);
  const own = csv(HEADERS, ["A", "", "", `/files/${before[0]!.pictures[0]!}`, ""]);
  const withOwn = await importAll(shop, own);

  expect([again, withOwn].map(({ unchanged, pictures }) => [unchanged, pictures.wanted])).toEqual([
    [2, 0],
    [1, 0],
  ]);
  expect(web.requests).toHaveLength(4);
  expect(await goodsOf(shop)).toEqual(before);
});

it("lists pictures that cannot be had by their rows, which are done all the same", async () => {
  const inside = `http://127.0.0.1:${web.port + 1}/secret`;
  const sheet = csv(
    HEADERS,
    ["A", "Water", 1, web.serve("/small.jpg", await jpeg({ width: 9, height: 9 })), ""],
    ["B", "Juice", 2, inside, ""],
    ["C", "Tea", 3, "images/tea.jpg", ""],
    ["D", "Beer", "much", one, ""],
  );

  const { id } = await importAll(shop, sheet);
  const { errors, ...rest } = await readImport(shop, id as number);

  expect(rest).toMatchObject({
    status: "finished",
    imported: 3,
    failed: 1,
    error_count: 4,
    pictures: { wanted: 2, fetched: 0, failed: 2 },
  });
  const told = (errors as Record<string, unknown>[]).map(({ row, column, rule }) => [row, column, rule]);
  expect(told.slice(0, 2)).toEqual([
    [4, "D", "url"],
    [5, "C", "type"],
  ]);
  expect(told.slice(2).sort()).toEqual([
    [2, "D", "dimensions"],
    [3, "D", "fetch"],
  ]);
  expect((await goodsOf(shop)).map(({ pictures }) => pictures)).toEqual([[], [], []]);
  expect(pathsFetched()).toEqual(["/small.jpg"]);
});

/** The last cell of each row of the annotated copy, by the numbers of the rows. */
async function notesOf(job: Record<string, unknown>): Promise<Record<number, string>> {
  const { statusCode, payload } = await gateway.app.inject({ url: job["report_url"] as string });
  expect(statusCode).toBe(200);
  const lines = payload.trim().split(/\r?\n/u);
  return Object.fromEntries(
    lines.map((line, i) => [i + 1, /(?:"([^"]*)"|([^",]*))$/u.exec(line)?.slice(1).join("") ?? ""]),
  );
}

it("has the errors of pictures in the annotated copy, beside those of rows", async () => {
  const { company } = shop;
  const missing = `http://${web.host}/missing.jpg`;
  const sheet = csv(
    HEADERS,
    ["A", "Water", 1, missing, ""],
    ["B", "Juice", "much", "", ""],
    ["C", "Tea", 3, one, ""],
    ["D", "Beer", 4, "", missing],
  );

  const { id } = await importAll(shop, sheet);

  const notes = await notesOf(await readImport(shop, id as number));
  expect(notes).toMatchObject({ 1: "import_note", 4: "" });
  expect([2, 3, 5].map((row) => notes[row]?.split(":")[0])).toEqual([
    "picture_urls",
    "price",
    "vertical_picture_urls",
  ]);
  expect(Object.keys(notes)).toHaveLength(5);
  expect(
    await gateway.db.importJob.findMany({ where: { companyId: company.id, fileKey: { not: null } } }),
  ).toEqual([]);
});

it("makes an annotated copy when only pictures have errors, and none when nothing has", async () => {
  const named = (url: string) => csv(HEADERS, ["A", "Water", 1, url, ""]);

  const failed = await importAll(shop, named(`http://${web.host}/missing.jpg`));
  const fetched = await importAll(shop, named(one));

  expect((await notesOf(failed))[2]).toMatch(/^picture_urls: /u);
  expect(fetched).toMatchObject({ report_url: null, pictures: { wanted: 1, fetched: 1 } });
  const where = { companyId: shop.company.id, fileKey: { not: null } };
  expect(await gateway.db.importJob.count({ where })).toBe(0);
});

it("has errors of pictures at their rows that were noted while later rows were done", async () => {
  const { company } = shop;
  const rows = Array.from({ length: 30 }, (_, i) => [
    `S-${i}`,
    `Good ${i}`,
    i % 10 === 9 ? "much" : 1,
    "",
    "",
  ]);
  const { body } = await send(shop, csv(HEADERS, ...rows));
  // A picture of row 29 stands here as if it had been noted before the errors of the rows above it.
  await gateway.db.importError.create({
    data: {
      companyId: company.id,
      importJobId: body.id as number,
      place: 0,
      row: 29,
      field: "picture_urls",
      rule: "fetch",
      message: "is gone",
    },
  });
  await gateway.db.importJob.updateMany({
    where: { companyId: company.id, id: body.id as number },
    data: { errorCount: 1 },
  });

  await gateway.runJobs();

  const notes = await notesOf(await readImport(shop, body.id as number));
  expect(Object.keys(notes)).toHaveLength(31);
  expect(
    Object.entries(notes)
      .filter(([, note]) => note !== "")
      .map(([row]) => Number(row)),
  ).toEqual([1, 11, 21, 29, 31]);
  expect(notes[29]).toBe("picture_urls: is gone");
});

it.each([
  ["columns in braces", { host_image_url: `http://HOST/pictures/{Code} {kind}.jpg` }],
  ["a variable", { host_image_url: `http://HOST/pictures/Code b.jpg`, host_image_var: "Code" }],
])("makes the address of each good's picture of %s", async (_case, parts) => {
  const host_image_url = parts.host_image_url.replace("HOST", web.host).replace(" ", "%20");
  const sheet = csv(["Code", "name", "price", "kind"], ["A", "Water", 1, "b"], ["", "Tea", 1, "c"]);

  const { id } = await importAll(shop, sheet, { ...parts, host_image_url });

  expect(await readImport(shop, id as number)).toMatchObject({
    imported: 2,
    pictures: { wanted: 1, fetched: 1, failed: 0 },
  });
  expect(pathsFetched()).toEqual(["/pictures/A%20b.jpg"]);
});

it("fails when the address names a column that is not there", async () => {
  const parts = { host_image_url: `http://${web.host}/{photo}.jpg` };

  const job = await importAll(shop, csv(["name", "price"], ["Water", 1]), parts);

  expect(job).toMatchObject({
    status: "failed",
    message: "The address of pictures names the column photo, which the sheet does not have.",
  });
  expect(await goodsOf(shop)).toEqual([]);
});

it("fetches nothing for a dry run, nor for an import that was canceled", async () => {
  const sheet = csv(HEADERS, ["A", "Water", 1, one, ""]);

  const dry = await importAll(shop, sheet, { dry_run: "true" });
  const { body } = await send(shop, sheet);
  const path = `/companies/${shop.company.id}/import-jobs/${body.id as number}`;
  await shop.company.owner.run(
    "mutation ($companyId: Int!, $id: Int!) { cancelImport(companyId: $companyId, importJobId: $id) { id } }",
    { companyId: shop.company.id, id: body.id as number },
  );
  await gateway.runJobs();

  expect(dry.pictures).toEqual({ wanted: 1, fetched: 0, failed: 0 });
  expect((await shop.company.owner.rest("GET", path)).body.pictures).toEqual({
    wanted: 0,
    fetched: 0,
    failed: 0,
  });
  expect(web.requests).toHaveLength(0);
  const companyId = shop.company.id;
  expect(await gateway.db.goodPictureSource.count({ where: { companyId } })).toBe(0);
});
