import { wrongFields, startGateway, type Gateway } from "../support/gateway.js";
import { UNIT_CONFIG } from "../goods/examples.js";
import { sendGraphqlForm } from "../files/uploads.js";
import { csv, goodsOf, importAll, openShop, send, type Shop } from "./imports.js";

let gateway: Gateway;
let shop: Shop;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
beforeEach(async () => {
  shop = await openShop(gateway);
});
afterAll(() => gateway.close());

const HEADER = ["sku", "name", "price_e2"];
const IMPORT = `mutation ($companyId: Int!, $shopId: Int!, $input: ImportGoodsInput!) {
  importBranchGroupGoods(companyId: $companyId, branchGroupId: $shopId, input: $input) { id }
}`;
const PREVIEW = { preview: "changes" };

/** The lines of the table of an import. */
async function tableOf(url: string): Promise<string[]> {
  const { body } = await gateway.app.inject(url);
  return body.trim().split("\r\n");
}

it("has the rows that would change, with the values before and after, and changes no goods", async () => {
  await importAll(shop, csv(HEADER, ["A-1", "Water", 150], ["A-2", "Tea", 200], ["A-3", "Milk", 90]));
  const before = await goodsOf(shop);
  const [, tea] = before;

  const job = await importAll(
    shop,
    csv(HEADER, ["A-1", "Water", 150], ["A-2", "Tea", 210], ["A-4", "Rum", 999], ["A-5", "", 1]),
    PREVIEW,
  );

  expect(job).toMatchObject({ status: "finished", dry_run: true, imported: 1, updated: 2, failed: 1 });
  expect(job.change_count).toBe(2);
  expect(job.changes[0]).toEqual({
    row: 3,
    good_id: tea?.id,
    changes: { price_e2: { before: 200, after: 210 } },
    note: null,
  });
  expect(job.changes[1]).toMatchObject({
    row: 4,
    good_id: null,
    changes: { sku: { before: null, after: "A-4" }, price_e2: { before: null, after: 999 } },
  });
  expect(await tableOf(job.changes_url as string)).toEqual([
    '"row","good_id","field","before","after","note"',
    `"3","${tea?.id}","price_e2","200","210",""`,
    ...Object.entries(job.changes[1].changes as Record<string, { after: unknown }>).map(
      ([field, { after }]) => `"4","","${field}","","${String(after)}",""`,
    ),
  ]);
  expect(await goodsOf(shop)).toEqual(before);
});

it("notes second goods of a name, or of a sku that differs by case or leading zeros, within the sheet too", async () => {
  await importAll(shop, csv(HEADER, ["007", "Water", 150], ["ab", "Tea", 200]));
  const [water, tea] = await goodsOf(shop);

  const job = await importAll(
    shop,
    csv(
      HEADER,
      ["7", "Still water", 150],
      ["B", "Tea", 200],
      ["0B", "Rum", 1],
      ["C", "Rum", 1],
      ["D", "Gin", 1],
    ),
    PREVIEW,
  );

  const bySku = (other: string) =>
    `makes a second good beside ${other}, whose sku differs by case or leading zeros alone`;
  const byName = (other: string) => `makes a second good of the name of ${other}`;
  expect(job.changes.map(({ note }: { note: string | null }) => note)).toEqual([
    bySku(`good ${water?.id}`),
    byName(`good ${tea?.id}`),
    bySku("the good of row 3"),
    byName("the good of row 4"),
    null,
  ]);
  expect(job.changes.map(({ good_id }: { good_id: number | null }) => good_id)).toEqual(Array(5).fill(null));
});

it("has the first 1,000 rows, and all of them in its table, over several batches", async () => {
  const rows = Array.from({ length: 1_250 }, (_, i) => [`S-${i}`, `Good ${i}`, i]);
  await importAll(shop, csv(HEADER, ...rows));
  const sheet = csv(HEADER, ...rows.map(([sku = "", name = "", price]) => [sku, name, Number(price) + 1]));

  const job = await importAll(shop, sheet, PREVIEW);

  expect([job.change_count, job.changes.length, job.preview.length]).toEqual([1_250, 1_000, 20]);
  expect(job.changes[999]).toMatchObject({
    row: 1_001,
    changes: { price_e2: { before: 999, after: 1_000 } },
  });
  const table = await tableOf(job.changes_url as string);
  expect(table).toHaveLength(1_251);
  expect(table.at(-1)).toMatch(/^"1251","\d+","price_e2","1249","1250",""$/u);
  const kept = await gateway.db.importChange.count({ where: { companyId: shop.company.id } });
  expect(kept).toBe(1_000);
});

it("shows categories, pictures that would be fetched, and what goods are at the branch", async () => {
  const { id: companyId } = shop.company;
  const path = `/companies/${companyId}/branches/${shop.branchId}/goods/import`;
  const { id: tea } = await gateway.db.category.create({ data: { companyId, name: "Teas" } });
  await importAll(shop, csv([...HEADER, "stock"], ["A", "Tea", 100, 5]), {}, { path });

  const job = await importAll(
    shop,
    csv(
      [...HEADER, "stock", "branch_price", "categories", "picture_urls"],
      ["A", "Tea", 100, 4, "0.90", "Teas", "https://example.com/a.jpg"],
    ),
    PREVIEW,
    { path },
  );

  expect(job.changes.map(({ changes }: { changes: unknown }) => changes)).toEqual([
    {
      stock: { before: 5, after: 4 },
      branch_price_e2: { before: null, after: 90 },
      categories: { before: [], after: [tea] },
      picture_urls: { before: [], after: ["https://example.com/a.jpg"] },
    },
  ]);
});

it("shows the unit of a good by the keys of REST, in all three places", async () => {
  const unit = { ...UNIT_CONFIG, weight_per_unit: 5 };
  await importAll(shop, csv([...HEADER, "unit_config"], ["A", "Tea", 1, JSON.stringify(unit)]));

  const job = await importAll(shop, csv(["sku", "unit_config.unit_name"], ["A", "lb"]), PREVIEW);

  const after = { ...unit, unit_name: "lb" };
  expect(job.changes[0].changes).toEqual({ unit_config: { before: unit, after } });
  expect(job.preview[0].good.unit_config).toEqual(after);
  const [, line = ""] = await tableOf(job.changes_url as string);
  const written = [...line.matchAll(/"(?<cell>(?:[^"]|"")*)"/gu)];
  const cells = written.map(({ groups }) => (groups?.["cell"] ?? "").replaceAll('""', '"'));
  expect(cells[2]).toBe("unit_config");
  expect(cells.slice(3, 5).map((cell) => JSON.parse(cell) as unknown)).toEqual([unit, after]);
});

it("has no changes and no table where nothing would change", async () => {
  const sheet = csv(HEADER, ["A-1", "Water", 150]);
  await importAll(shop, sheet);

  const job = await importAll(shop, sheet, PREVIEW);

  expect([job.change_count, job.changes, job.changes_url, job.unchanged]).toEqual([0, [], null, 1]);
});

it("contradicts an import that is no dry run, and is one of the words", async () => {
  const sheet = csv(HEADER, ["A-1", "Water", 150]);

  const contradicting = await send(shop, sheet, { ...PREVIEW, dry_run: "false" });
  const inConfig = await send(shop, sheet, { ...PREVIEW, "config[]": "dry_run=false" });
  const unknown = await send(shop, sheet, { preview: "everything" });

  expect([contradicting.status, wrongFields(contradicting.body.errors)]).toEqual([422, ["dry_run:mismatch"]]);
  expect([inConfig.status, wrongFields(inConfig.body.errors)]).toEqual([422, ["config[0]:mismatch"]]);
  expect([unknown.status, wrongFields(unknown.body.errors)]).toEqual([422, ["preview:enum"]]);
  expect(await gateway.db.importJob.count({ where: { companyId: shop.company.id } })).toBe(0);
});

it("is wished and shown by GraphQL as by REST", async () => {
  const { owner, id: companyId } = shop.company;
  const variables = { companyId, shopId: shop.shopId, input: { file: null, preview: "changes" } };
  const file = {
    bytes: Buffer.from(csv(HEADER, ["A-1", "Water", 150])),
    name: "goods.csv",
    type: "text/csv",
  };
  const { body } = await sendGraphqlForm(gateway, owner, {
    operations: JSON.stringify({ query: IMPORT, variables }),
    map: JSON.stringify({ file: ["variables.input.file"] }),
    file,
  });
  await gateway.runJobs();

  const { data } = await owner.run(
    `query ($companyId: Int!, $id: Int!) {
      importJob(companyId: $companyId, id: $id) { dryRun changeCount changes { row goodId changes note } changesUrl }
    }`,
    { companyId, id: body.data?.["importBranchGroupGoods"].id as number },
  );

  expect(data?.["importJob"]).toMatchObject({
    dryRun: true,
    changeCount: 1,
    changes: [{ row: 2, goodId: null, changes: { price_e2: { before: null, after: 150 } }, note: null }],
    changesUrl: expect.stringContaining("/files/"),
  });
  expect(await goodsOf(shop)).toEqual([]);
});
