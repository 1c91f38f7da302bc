import { findColumns } from "../../src/slices/imports/import-columns.rules.js";

type Found = Parameters<typeof findColumns>;
const fieldsOf = (headers: readonly string[], mapping: Found[1] = [], profile: Found[3] = null) =>
  findColumns(headers, mapping, true, profile).map(({ field }) => field);

describe("the columns of a sheet of WooCommerce", () => {
  it("have the regular price as the price, although the sale price stands before it", () => {
    const headers = ["ID", "SKU", "Name", "Sale price", "Regular price", "Stock"];
    expect(fieldsOf(headers)).toEqual([null, "sku", "name", null, "price", "stock"]);
  });

  it.each([
    [
      ["Sale price", "Price"],
      [null, "price"],
    ],
    [
      ["sale_price", "price_e2"],
      [null, "price_e2"],
    ],
    [
      ["Regular price", "Sale price"],
      ["price", null],
    ],
    [
      ["Sale price (EUR)", "Regular price (EUR)"],
      [null, "price"],
    ],
    [
      ["Name", "Sale price"],
      ["name", "price"],
    ],
  ])("%j are %j", (headers, fields) => {
    expect(fieldsOf(headers)).toEqual(fields);
  });

  it("have the sale price as the price where the mapping says so", () => {
    const mapping = [{ column: "Sale price", field: "price" }];
    expect(fieldsOf(["Sale price", "Regular price"], mapping)).toEqual(["price", null]);
  });
});

it("gives a field to the first header that fits it", () => {
  expect(fieldsOf(["Preis", "Price", "Titre", "Name"])).toEqual(["price", null, "name", null]);
});

it("takes an amount in hundredths and with decimals side by side, as exports have it", () => {
  const headers = ["price_e2", "price", "Sale price", "provider_fee", "provider_fee_e2"];
  expect(fieldsOf(headers)).toEqual(["price_e2", "price", null, "provider_fee", "provider_fee_e2"]);
});

describe("the exact header id", () => {
  const VARIANTS = ["Superior", "Nombre del atributo 1", "Valor(es) del atributo 1"];

  it.each([
    ["id", ["sku", "name"], null],
    ["id", ["sku", "Parent"], null],
    ["id", ["sku", "Is featured?"], "shopify" as const],
    [null, ["sku", "Is featured?"], null],
    [null, ["SKU", ...VARIANTS], null],
    [null, ["sku", "name"], "woocommerce" as const],
  ])("is %j beside %j with the profile %j", (field, headers, profile) => {
    expect(fieldsOf(["id", ...headers], [], profile)[0]).toBe(field);
  });

  it("is that of an id where the mapping says so, whoever wrote the sheet", () => {
    expect(fieldsOf(["id"], [{ column: "id", field: "id" }], "woocommerce")).toEqual(["id"]);
  });
});
