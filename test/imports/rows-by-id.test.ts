import { boundAdmin } from "../bounds/two-shops.js";
import { createBranchGroup } from "../support/factories.js";
import type { FormParts } from "../files/uploads.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { csv, goodsOf, importAll, openShop, shopPath, type Shop } from "./imports.js";

let gateway: Gateway;
let shop: Shop;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
beforeEach(async () => {
  shop = await openShop(gateway);
});
afterAll(() => gateway.close());

const good = async (values: object, branchGroupId: number | null = shop.shopId) =>
  gateway.db.good.create({
    data: {
      ...{ companyId: shop.company.id, branchGroupId, name: "Tea", shortDetails: "Tea", details: "Tea" },
      ...{ priceE2: 100, type: 0, ...values },
    },
  });
const shown = async () =>
  (await goodsOf(shop)).map(({ id, externalId, sku, name, priceE2 }) => [
    id,
    externalId,
    sku,
    name,
    Number(priceE2),
  ]);

describe("a row", () => {
  it("is of the good of its id, whatever its sku, else of that of its external id", async () => {
    const [one, two, three] = [
      await good({ sku: "A", name: "One" }),
      await good({ externalId: "X-2", name: "Two" }),
      await good({ sku: "C", name: "Three" }),
    ];
    const sheet = csv(
      ["id", "external_id", "sku", "name", "price_e2"],
      [one.id, "X-1", "A-2", "Uno", 110],
      ["", "X-2", "B", "Dos", 120],
      ["", "X-3", "C", "Tres", 130],
      ["", "X-4", "D", "Cuatro", 140],
    );

    const first = await importAll(shop, sheet);
    const again = await importAll(shop, sheet);

    expect(first).toMatchObject({ imported: 1, updated: 3, unchanged: 0, failed: 0 });
    expect(again).toMatchObject({ imported: 0, updated: 4, unchanged: 4, failed: 0 });
    expect(await shown()).toEqual([
      [one.id, "X-1", "A-2", "Uno", 110],
      [two.id, "X-2", "B", "Dos", 120],
      [three.id, "X-3", "C", "Tres", 130],
      [expect.any(Number), "X-4", "D", "Cuatro", 140],
    ]);
  });

  it("with an id that the shop has not is of the good of its sku, and its note says so", async () => {
    const { id: otherShop } = await createBranchGroup(gateway, shop.company.id);
    const elsewhere = await good({ sku: "E", name: "Elsewhere" }, otherShop);
    const one = await good({ sku: "A", name: "One" });
    const sheet = csv(
      ["id", "sku", "name", "price_e2"],
      [elsewhere.id, "A", "Uno", 110],
      ["99999999999", "B", "New", 120],
    );

    const tried = await importAll(shop, sheet, { dry_run: "true" });
    const done = await importAll(shop, sheet);

    const note = "its id is that of no good of the shop, and counts as none";
    expect(tried.preview).toMatchObject([
      { row: 2, action: "update", note },
      { row: 3, action: "create", note },
    ]);
    expect(done).toMatchObject({ imported: 1, updated: 1, failed: 0 });
    expect((await shown())[0]).toEqual([one.id, null, "A", "Uno", 110]);
    expect(
      await gateway.db.good.findFirst({ where: { companyId: shop.company.id, id: elsewhere.id } }),
    ).toEqual(elsewhere);
  });

  it("is refused alone where another good has its sku or its external id, or another row its good", async () => {
    const [one, two] = [await good({ sku: "A" }), await good({ sku: "B", externalId: "X" })];
    const before = await shown();

    const job = await importAll(
      shop,
      csv(
        ["id", "external_id", "sku", "name", "price_e2"],
        [one.id, "", "B", "Uno", 110],
        ["", "X", "", "Dos", 120],
        [two.id, "", "B-2", "Zwei", 130],
        [one.id, "", "A", "Un", 140],
      ),
    );

    expect(job.errors).toMatchObject([
      { row: 2, field: "sku", rule: "unique", message: `is that of good ${two.id}` },
      { row: 4, field: "sku", rule: "unique" },
      { row: 5, field: "id", rule: "unique" },
    ]);
    expect(job).toMatchObject({ updated: 1, failed: 3 });
    expect(await shown()).toEqual([before[0], [two.id, "X", "B", "Dos", 120]]);
  });

  it("is refused without the id of the good whose external id it has, where that is of another shop", async () => {
    const { id: otherId } = await createBranchGroup(gateway, shop.company.id);
    const others = [await good({ externalId: "X" }, otherId), await good({ externalId: "Z" }, otherId)];
    const own = await good({ sku: "A", externalId: "Y" });
    const before = await shown();
    const bounds = { branchGroupIds: [shop.shopId] };
    const bound = await boundAdmin(gateway, shop.company.id, bounds, "can_import_goods", "can_edit_goods");
    const sheet = csv(
      ["id", "external_id", "name", "price_e2"],
      ["", "X", "Uno", 110],
      [own.id, "Z", "Dos", 120],
    );

    const runs: FormParts[] = [{}, { dry_run: "true" }, { preview: "changes" }];
    for (const parts of runs) {
      const job = await importAll(shop, sheet, parts, { client: bound });

      const taken = { field: "external_id", rule: "unique", message: "is already taken" };
      expect(job.errors).toMatchObject([
        { row: 2, ...taken },
        { row: 3, ...taken },
      ]);
      for (const { id } of others) expect(JSON.stringify(job)).not.toContain(`good ${id}`);
    }
    expect(await shown()).toEqual(before);
  });

  it("tells goods that share a sku apart by their ids", async () => {
    const [one, two] = [await good({ sku: "A" }), await good({ sku: "A" })];

    const job = await importAll(shop, csv(["id", "sku", "price_e2"], [one.id, "A", 110], [two.id, "A", 120]));

    expect(job).toMatchObject({ updated: 2, failed: 0 });
    expect((await shown()).map((row) => row[4])).toEqual([110, 120]);
  });

  it("passes over the ids of WooCommerce, and of a header that is no exact one", async () => {
    const one = await good({ sku: "A" });

    const woo = await importAll(
      shop,
      csv(["id", "SKU", "Name", "Is featured?", "Regular price"], [one.id, "W", "Woo", 0, "1.00"]),
    );
    const named = await importAll(
      shop,
      csv(["id", "Type", "SKU", "Name", "Regular price"], [one.id, "simple", "H", "Hat", 7]),
      { "config[]": "profile=woocommerce" },
    );
    const other = await importAll(shop, csv(["ID", "sku", "name", "price_e2"], [one.id, "Q", "Other", 5]));

    expect([woo.imported, named.imported, other.imported]).toEqual([1, 1, 1]);
    expect(other.ignored_columns).toEqual(["ID"]);
    expect((await shown())[0]).toEqual([one.id, null, "A", "Tea", 100]);
  });
});

describe("a cell with \\N", () => {
  it("empties what may be empty, and a blank one leaves it as it is", async () => {
    const values = {
      ...{ externalId: "X", sku: "A", compareAtPriceE2: 200, eta: "1 h", weight: "5 kg", label: "new" },
      ...{ maxQuantity: 3, keywords: ["a"], barcodes: ["1"], unit: "kg", unitConfig: { enabled: false } },
    };
    const [one, two] = [await good(values), await good({ ...values, externalId: "Y", sku: "B" })];
    const header = "id,external_id,sku,compare_at_price_e2,compare_at_price,eta,weight,label";
    const more = "max_quantity,keywords,barcodes,unit,unit_config";
    const path = `/companies/${shop.company.id}/branches/${shop.branchId}/goods/import`;
    await importAll(shop, csv(["sku", "branch_price_e2", "stock"], ["A", 90, 4], ["B", 90, 4]), {}, { path });

    const job = await importAll(
      shop,
      `${header},${more},branch_price_e2,stock\n${one.id}${",\\N".repeat(14)}\n${two.id}${",".repeat(14)}\n`,
      {},
      { path },
    );

    expect(job).toMatchObject({ updated: 2, unchanged: 1, failed: 0 });
    const [emptied, kept] = await goodsOf(shop);
    expect(emptied).toMatchObject({
      ...{ externalId: null, sku: null, compareAtPriceE2: null, eta: null, weight: null, label: null },
      ...{ maxQuantity: null, keywords: [], barcodes: [], unit: "", unitConfig: null, priceE2: 100n },
    });
    expect(kept).toMatchObject({ ...values, compareAtPriceE2: 200n, externalId: "Y", sku: "B" });
    const sold = await gateway.db.branchGood.findMany({
      where: { companyId: shop.company.id },
      orderBy: { goodId: "asc" },
    });
    expect(sold.map(({ priceE2, stock }) => [priceE2, stock === null ? null : Number(stock)])).toEqual([
      [null, null],
      [90n, 4],
    ]);
  });

  it("is wrong in what may not be empty, and changes nothing of its row", async () => {
    const one = await good({ sku: "A" });

    const job = await importAll(
      shop,
      csv(["id", "name", "price_e2", "category_names", "label"], [one.id, "\\N", "\\N", "\\N", "new"]),
    );

    expect(job.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      "category_names",
      "name",
      "price_e2",
    ]);
    expect(await goodsOf(shop)).toEqual([one]);
  });
});

describe("the price to compare with", () => {
  it("comes from Shopify's column, and goes out and in unchanged", async () => {
    const job = await importAll(
      shop,
      csv(
        ["Handle", "Title", "Variant SKU", "Variant Price", "Variant Compare At Price"],
        ["tea", "Tea", "'T-1", "9.90", "12.00"],
        ["mug", "Mug", "'M-1", "5.00", ""],
      ),
    );
    expect(job).toMatchObject({ imported: 2, failed: 0 });
    const goods = await goodsOf(shop);
    expect(goods.map(({ priceE2, compareAtPriceE2 }) => [priceE2, compareAtPriceE2])).toEqual([
      [990n, 1200n],
      [500n, null],
    ]);

    const { owner, id } = shop.company;
    const table = await owner.rest(
      "GET",
      `/companies/${id}/branch-groups/${shop.shopId}/goods?format=csv&sort=id`,
    );
    const again = await importAll(shop, String(table.body), {}, { path: shopPath(shop) });

    expect(String(table.body).split("\r\n")[0]).toMatch(
      /^\uFEFF?id,external_id,sku,.*compare_at_price_e2,compare_at_price/u,
    );
    expect(again).toMatchObject({ updated: 2, unchanged: 2, failed: 0 });
    expect(await goodsOf(shop)).toEqual(goods);
  });
});
