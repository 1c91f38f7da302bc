import { unscopedDb } from "../../src/engine/tenancy/bounded-db.js";
import { writeGoods, type GoodChange } from "../../src/slices/goods/good-batch.service.js";
import { adminWith } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { csv, goodsOf, importAll, openShop, readImport, send, shopPath, type Shop } from "./imports.js";

let gateway: Gateway;
let shop: Shop;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
beforeEach(async () => {
  shop = await openShop(gateway);
});
afterAll(() => gateway.close());

const SHEET = csv(
  ["SKU", "Product Name", "Price", "Tags", "EAN", "Colour"],
  ["A-1", "Water", "1.50", "cold, clear", "004006381333931", "blue"],
  ["A-2", "Tea", "2,25 €", "hot", "", ""],
);

it("answers at once with a job, whose path shows what came of it", async () => {
  const { status, body, headers } = await send(shop, SHEET);
  await gateway.runJobs();

  expect([status, body.status, body.total_rows]).toEqual([202, "queued", 0]);
  expect(headers["location"]).toBe(`/api/companies/${shop.company.id}/import-jobs/${body.id}`);
  const { body: done } = await shop.company.owner.rest(
    "GET",
    String(headers["location"]).replace("/api", ""),
  );
  expect(done).toMatchObject({
    status: "finished",
    total_rows: 2,
    imported: 2,
    updated: 0,
    failed: 0,
    errors: [],
    file_name: "goods.csv",
    format: "csv",
    ignored_columns: ["Colour"],
    report_url: null,
  });
  expect(done.columns.slice(0, 3)).toEqual([
    { column: "A", header: "SKU", field: "sku" },
    { column: "B", header: "Product Name", field: "name" },
    { column: "C", header: "Price", field: "price" },
  ]);
  expect(await goodsOf(shop)).toMatchObject([
    {
      sku: "A-1",
      name: "Water",
      shortDetails: "Water",
      details: "Water",
      priceE2: 150n,
      type: 0,
      keywords: ["cold", "clear"],
      barcodes: ["004006381333931"],
    },
    { sku: "A-2", priceE2: 225n, keywords: ["hot"], barcodes: [] },
  ]);
});

it("updates by sku, and changes nothing when the same file comes again", async () => {
  await importAll(shop, SHEET);
  const before = await goodsOf(shop);
  const count = () =>
    gateway.db.auditEntry.count({ where: { companyId: shop.company.id, targetType: "good" } });
  const entries = await count();

  const again = await importAll(shop, SHEET);
  const same = await goodsOf(shop);
  const changed = await importAll(shop, csv(["sku", "price"], ["A-2", "3"], ["A-1", ""]));

  expect(again).toMatchObject({ imported: 0, updated: 2, unchanged: 2, failed: 0 });
  expect([same, entries]).toEqual([before, 2]);
  expect(changed).toMatchObject({ imported: 0, updated: 2, unchanged: 1 });
  const after = await goodsOf(shop);
  expect(after[0]).toEqual(before[0]);
  expect(after[1]).toMatchObject({ name: "Tea", priceE2: 300n });
  expect(await count()).toBe(3);
});

it("finds goods without a sku by their names", async () => {
  const sheet = csv(["Name", "Preis"], ["Brot", "1.234,50 €"], ["Käse", "€ 3"]);
  const first = await importAll(shop, sheet);
  const second = await importAll(shop, sheet);

  expect([first.imported, second.unchanged]).toEqual([2, 2]);
  expect((await goodsOf(shop)).map(({ name, priceE2 }) => [name, priceE2])).toEqual([
    ["Brot", 123450n],
    ["Käse", 300n],
  ]);
});

it("writes the changes to the trail in the name of whoever sent the file, and names nobody in the journal", async () => {
  const importer = await adminWith(gateway, shop.company.id, "can_import_goods");

  const { body, headers } = await send(shop, SHEET, {}, { client: importer });
  await gateway.runJobs();

  const entries = await gateway.db.auditEntry.findMany({
    where: { companyId: shop.company.id },
    orderBy: { id: "asc" },
  });
  const { adminId } = entries[0] ?? {};
  expect(adminId).not.toBeNull();
  expect(
    entries.map(({ operation, requestId, action, targetType, adminId: by }) => [
      operation,
      requestId,
      action,
      targetType,
      by,
    ]),
  ).toEqual([
    ["importBranchGroupGoods", headers["x-request-id"], "create", "import_job", adminId],
    ["importBranchGroupGoods", headers["x-request-id"], "create", "good", adminId],
    ["importBranchGroupGoods", headers["x-request-id"], "create", "good", adminId],
    ["importBranchGroupGoods", headers["x-request-id"], "import", "import_job", adminId],
  ]);
  expect(entries[0]?.targetId).toBe(BigInt(body.id as number));
  const journal = await gateway.db.journalEntry.findMany({
    where: { companyId: shop.company.id, type: "Good" },
  });
  expect(
    journal.map(({ action, actorKind, actorId, requestId }) => [action, actorKind, actorId, requestId]),
  ).toEqual(Array(2).fill(["created", null, null, null]));
});

it("says what is wrong with each cell, and does all other rows", async () => {
  const { body } = await send(
    shop,
    csv(
      ["sku", "name", "price", "max_quantity", "notes_enabled", "unit_config.fraction"],
      ["B-1", "Fine", "1", "2", "yes", ""],
      ["B-2", "x".repeat(81), "twelve", "2.5", "perhaps", ""],
      ["B-3", "", "-1", "", "", ""],
      ["B-1", "Again", "1", "", "", ""],
      ["", "", "1", "", "", ""],
      ["B-6", "#REF!", "1", "", "", ""],
      ["B-7", "Parts", "1", "", "", "10"],
      ["B-8", "New", "", "", "", ""],
    ),
  );
  await gateway.runJobs();

  const job = await readImport(shop, body.id as number);
  expect(job).toMatchObject({ status: "finished", total_rows: 8, imported: 1, updated: 0, failed: 7 });
  const told = job.errors.map((error: Record<string, unknown>) => [
    error["row"],
    error["column"],
    error["field"],
    error["rule"],
  ]);
  expect(told.slice(0, 7)).toEqual([
    [3, "C", "price", "type"],
    [3, "D", "max_quantity", "type"],
    [3, "E", "notes_enabled", "type"],
    [3, "B", "name", "max_length"],
    [4, "C", "price", "min"],
    [5, "A", "sku", "unique"],
    [6, "A", "sku", "required"],
  ]);
  expect(told).toContainEqual([7, "B", "name", "type"]);
  expect(told).toContainEqual([8, "F", "unit_config.unit_name", "required"]);
  expect(told.at(-1)).toEqual([9, "C", "price", "required"]);
  expect(job.errors[5].message).toBe("names the good of row 2; each good has one row");
  expect((await goodsOf(shop)).map(({ sku }) => sku)).toEqual(["B-1"]);
  const { body: report, headers } = await (async () => {
    const answer = await gateway.app.inject({ url: job.report_url as string });
    return { body: answer.body, headers: answer.headers };
  })();
  expect(headers["content-disposition"]).toMatch(/^attachment/u);
  expect(headers["cache-control"]).toBe("private, no-store");
  expect(report.split("\n")[4]).toContain("sku: names the good of row 2");
});

it("puts goods on sale at the branch, with its own price and stock", async () => {
  const path = `/companies/${shop.company.id}/branches/${shop.branchId}/goods/import`;
  const sheet = csv(
    ["sku", "name", "price", "stock", "branch_price"],
    ["C-1", "Cup", 2, "10,5", "1.80"],
    ["C-2", "Mug", 3, "", ""],
  );
  await importAll(shop, sheet, {}, { path });
  const read = () =>
    gateway.db.branchGood.findMany({ where: { companyId: shop.company.id }, orderBy: { id: "asc" } });
  const before = await read();

  const again = await importAll(shop, sheet, {}, { path });

  expect(
    before.map(({ branchId, priceE2, stock }) => [branchId, priceE2, stock === null ? null : Number(stock)]),
  ).toEqual([
    [shop.branchId, 180n, 10.5],
    [shop.branchId, null, null],
  ]);
  expect([again.unchanged, await read()]).toEqual([2, before]);
});

it("links categories, by the mapping or by their names, and names those that are unknown", async () => {
  const { id: companyId } = shop.company;
  const make = (name: string) => gateway.db.category.create({ data: { companyId, name } });
  const [drinks, food] = [await make("Drinks"), await make("Food")];

  const job = await importAll(
    shop,
    csv(
      ["sku", "name", "price", "Kategorie"],
      ["D-1", "Tea", 1, "Getränke; food"],
      ["D-2", "Toy", 1, "Toys"],
    ),
    { "category_mapping[]": `Getränke=${drinks.id}` },
  );

  expect([job.imported, job.unknown_categories]).toEqual([2, ["Toys"]]);
  const links = await gateway.db.goodCategory.findMany({
    where: { companyId },
    orderBy: { categoryId: "asc" },
  });
  expect(links.map(({ categoryId }) => categoryId)).toEqual([drinks.id, food.id]);
});

it("needs the permission to import, and changes nothing without it", async () => {
  const editor = await adminWith(gateway, shop.company.id, "can_edit_goods");

  const { status, body } = await send(shop, SHEET, {}, { client: editor });
  const nobody = await send(shop, SHEET, {}, { client: gateway.anonymous });

  expect([status, body.permission, nobody.status]).toEqual([403, "can_import_goods", 401]);
  expect(await gateway.db.importJob.count({ where: { companyId: shop.company.id } })).toBe(0);
  expect(await gateway.db.storedFile.count({ where: { companyId: shop.company.id } })).toBe(0);
});

it("does not tell others of an import", async () => {
  const { body } = await send(shop, SHEET);
  const stranger = await openShop(gateway);

  const foreign = await readImport(
    { ...shop, company: { ...stranger.company, id: shop.company.id } },
    body.id as number,
  );
  const own = await readImport(stranger, body.id as number);

  expect([foreign.code, own.code]).toEqual(["FORBIDDEN", "NOT_FOUND"]);
});

it("refuses a shop that is not there before it looks at the file", async () => {
  const { status } = await send(shop, "", {}, { path: shopPath({ ...shop, shopId: 999_999_999 }) });

  expect(status).toBe(404);
});

it("reads few rows for each good of a shop that PostgreSQL takes for an empty one", async () => {
  const [other, { id: companyId }] = [await openShop(gateway), shop.company];
  const target = { companyId, branchGroupId: shop.shopId, branchId: shop.branchId };
  const good = { details: "", shortDetails: "", priceE2: 100, type: 0 };
  const rows = Array.from({ length: 2_000 }, (_, n) => ({ ...good, sku: `S-${n}`, name: `Good ${n}` }));
  const others = { companyId: other.company.id, branchGroupId: other.shopId };
  await gateway.db.good.createMany({ data: rows.map((row) => ({ ...row, ...others })) });
  await gateway.db.$executeRaw`ANALYZE goods, branch_goods`;
  const changes = rows.slice(0, 400).map(({ sku, name }, n): GoodChange => {
    const key = n % 2 === 0 ? { sku, name } : { sku: null, name };
    const none = { good: {}, branchGood: {} };
    return {
      id: null,
      ...key,
      good: { ...good, name },
      branchGood: { stock: n },
      second: none,
      unitParts: null,
      categoryIds: [],
    };
  });
  const rules = { creates: true, updates: true, defaults: {}, check: () => [] };

  const [kinds, read] = await unscopedDb(gateway.db).$transaction(async (db) => {
    await writeGoods(db, target, changes, rules);
    const fetched = async () => {
      const [row] = await db.$queryRaw<{ sum: bigint }[]>`
        SELECT sum(idx_tup_fetch)::bigint AS sum FROM pg_stat_xact_user_tables WHERE relname IN ('goods', 'branch_goods')`;
      return Number(row?.sum);
    };
    const before = await fetched();
    const outcomes = await writeGoods(db, target, changes, rules);
    return [new Set(outcomes.map(({ kind }) => kind)), (await fetched()) - before];
  });

  expect([...kinds]).toEqual(["unchanged"]);
  expect(read).toBeLessThan(10 * changes.length);
});
