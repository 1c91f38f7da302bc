import { workbookOf } from "../sheets/sheet-files.js";
import { localStore, sendForm, type TestStore } from "../files/uploads.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { csv, goodsOf, importAll, openShop, readImport, shopPath } from "./imports.js";

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

it("costs the row alone that has a NUL, which no text can have", async () => {
  const shop = await openShop(gateway);

  const job = await importAll(
    shop,
    csv(["sku", "name", "price", "other"], ["A", "Te\0a", 1, ""], ["B", "Milk", 1, "x\0y"]),
  );

  expect(job).toMatchObject({ status: "finished", imported: 1, failed: 1 });
  expect(job.errors).toMatchObject([{ row: 2, column: "B", field: "name", rule: "type" }]);
  expect((await goodsOf(shop)).map(({ name }) => name)).toEqual(["Milk"]);
});

it("costs the row alone whose codes a spreadsheet has rounded", async () => {
  const shop = await openShop(gateway);

  const job = await importAll(
    shop,
    csv(
      ["sku", "name", "price", "barcodes"],
      ["A", "Tea", 1, "4,00638E+12"],
      ["4.00638E+12", "Milk", 1, ""],
      ["E+12", "Nut 4,00638E+12", 1, "4006381333931"],
    ),
  );

  expect(job).toMatchObject({ imported: 1, failed: 2 });
  expect(job.errors).toMatchObject([
    { row: 2, field: "barcodes", rule: "type" },
    { row: 3, field: "sku", rule: "type" },
  ]);
  expect(await goodsOf(shop)).toMatchObject([{ name: "Nut 4,00638E+12", barcodes: ["4006381333931"] }]);
});

it("costs the row alone whose price or fee is negative", async () => {
  const shop = await openShop(gateway);

  const job = await importAll(
    shop,
    csv(
      ["sku", "name", "price", "provider_fee"],
      ["A", "Tea", 1, "-0.01"],
      ["B", "Milk", -1, ""],
      ["C", "Nut", 1, "0.00"],
    ),
  );

  expect(job).toMatchObject({ imported: 1, failed: 2 });
  expect(job.errors).toMatchObject([
    { row: 2, field: "provider_fee", rule: "min" },
    { row: 3, field: "price", rule: "min" },
  ]);
  expect(await goodsOf(shop)).toMatchObject([{ name: "Nut", providerFeeE2: 0n }]);
});

it("costs the row alone that has a cell too long for its format, or for its field", async () => {
  const shop = await openShop(gateway);
  const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const row = (...cells: readonly string[]): string => `<row>${cells.map(text).join("")}</row>`;
  const long = "a".repeat(32_768);
  const bytes = await workbookOf(
    row("sku", "name", "price", "details", "other") +
      row("A", "Tea", "1", long, "") +
      row("B", "Milk", "1", "white", long) +
      row("C", long.slice(1), "1", "x", "") +
      row("D".repeat(17), "Nut", "1", "x", ""),
  );
  const file = { bytes, name: "goods.xlsx" };

  const { body } = await sendForm(gateway, shop.company.owner, shopPath(shop), { file });
  await gateway.runJobs();
  const job = await readImport(shop, body.id as number);

  expect(job).toMatchObject({ status: "finished", total_rows: 4, imported: 1, failed: 3 });
  expect(job.errors).toMatchObject([
    {
      row: 2,
      column: "D",
      field: "details",
      rule: "max_length",
      message: "must have at most 32,767 characters",
    },
    { row: 4, column: "B", field: "name", rule: "max_length" },
    { row: 5, column: "A", field: "sku", rule: "max_length", message: "must have at most 16 characters" },
  ]);
  expect((await goodsOf(shop)).map(({ name }) => name)).toEqual(["Milk"]);
  expect(job.report_url).not.toBeNull();
});

it("passes over a row of nothing but spaces, which counts in the numbers of the others", async () => {
  const shop = await openShop(gateway);

  const job = await importAll(
    shop,
    csv(
      ["sku", "name", "price"],
      [" ", "\t", "\u00a0"],
      ["A", "Tea", 1],
      ["", "  ", ""],
      ["D".repeat(17), "Nut", 1],
    ),
  );

  expect(job).toMatchObject({ status: "finished", total_rows: 2, imported: 1, failed: 1 });
  expect(job.errors).toMatchObject([
    { row: 5, field: "sku", rule: "max_length", message: "must have at most 16 characters" },
  ]);
  expect((await goodsOf(shop)).map(({ name }) => name)).toEqual(["Tea"]);
});

it("takes a name with line breaks for one in one line, and finds its good again by it", async () => {
  const shop = await openShop(gateway);
  const sheet = csv(
    ["name", "price", "details"],
    ["Green tea\n loose\t100 g", 1, "two\nlines"],
    ["Milk", 1, "white"],
  );

  const [first, again] = [await importAll(shop, sheet), await importAll(shop, sheet)];

  expect([first.imported, first.errors]).toEqual([2, []]);
  expect([again.imported, again.unchanged, again.errors]).toEqual([0, 2, []]);
  expect((await goodsOf(shop)).map(({ name, details }) => [name, details])).toEqual([
    ["Green tea loose 100 g", "two\nlines"],
    ["Milk", "white"],
  ]);
});

it("takes the apostrophe off the codes of a sheet of Shopify, and of no other sheet", async () => {
  const shop = await openShop(gateway);
  const sheet = (first: string) =>
    csv(
      [first, "Title", "Variant SKU", "Variant Price", "Variant Barcode"],
      ["tea", "'Tea'", "'00123", 1, "'4006381333931"],
    );

  await importAll(shop, sheet("Handle"));
  await importAll(shop, sheet("Other"));

  expect((await goodsOf(shop)).map(({ sku, name, barcodes }) => [sku, name, barcodes])).toEqual([
    ["00123", "'Tea'", ["4006381333931"]],
    ["'00123", "'Tea'", ["'4006381333931"]],
  ]);
});

it("names the keys that an object in a cell lacks", async () => {
  const shop = await openShop(gateway);
  const lacking = ["display_mode", "enabled", "max_quantity", "min_quantity", "step_quantity", "unit_name"];

  const one = await importAll(
    shop,
    csv(["sku", "name", "price", "unit_config"], ["A", "Tea", 1, '{"fraction":2}']),
  );
  const two = await importAll(
    shop,
    csv(["sku", "name", "price", "unit_config.fraction"], ["A", "Tea", 1, 2]),
  );

  for (const job of [one, two]) {
    const told = job.errors as { column: string; field: string; rule: string }[];
    expect(told.map(({ field }) => field).sort()).toEqual(lacking.map((key) => `unit_config.${key}`));
    expect(told.every(({ column, rule }) => column === "D" && rule === "required")).toBe(true);
  }
  expect(await goodsOf(shop)).toEqual([]);
});

it("costs the row alone when the database refuses what the rules allow", async () => {
  await gateway.asOwner(`
    CREATE FUNCTION refuse_thirteen() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'internal reason' USING ERRCODE = 'check_violation'; END $$`);
  await gateway.asOwner(`
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
