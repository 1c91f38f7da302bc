import { readCell } from "../../src/slices/goods/good-cell.rules.js";
import { columnOfHeader } from "../../src/slices/goods/good-headers.js";

describe("an amount", () => {
  it.each([
    ["12.34", 1234],
    ["12,34", 1234],
    ["12", 1200],
    [".5", 50],
    ["1.234,56 €", 123456],
    ["$1,234.56", 123456],
    ["1,234", 123400],
    ["1.234.567", 123456700],
    ["1'234.50", 123450],
    ["1 234,50 zł", 123450],
    ["CHF 5.-".replace(".-", ".00"), 500],
    ["12.340000", 1234],
    ["-3,10", -310],
    ["90071992547409.91", 9007199254740991],
    ["EUR12.5", 1250],
    ["R$ 1.234,50", 123450],
    ["US$12.50", 1250],
    ["-12,50 US$", -1250],
    ["S/ 12.50", 1250],
    ["12,50 Kč", 1250],
    ["CHF 5.-", 500],
    ["1.234,– €", 123400],
  ])("%s is read to the hundredth", (text, value) => {
    expect(readCell("amount", text, null)).toEqual({ value });
  });

  it.each([
    ["1.234", "decimals"],
    ["12.345", "decimals"],
    ["twelve", "type"],
    ["1,23,4", "type"],
    ["1.2.3", "type"],
    ["12.34.56,7", "type"],
    ["", "type"],
    ["1e3", "type"],
    ["5-", "type"],
    ["-", "type"],
    [",-", "type"],
  ])("%s is refused", (text, rule) => {
    expect(readCell("amount", text, null)).toMatchObject({ wrong: { rule } });
  });

  it("goes by the sign that is given", () => {
    expect(readCell("amount", "1.234", ",")).toEqual({ value: 123400 });
    expect(readCell("amount", "1,234", ",")).toMatchObject({ wrong: { rule: "decimals" } });
  });
});

it("reads yes and no in several languages", () => {
  const all = ["TRUE", "Ja", "sí", "oui", "x", "1", "false", "Nein", "não", "0", "perhaps"];

  expect(all.map((text) => readCell("boolean", text, null))).toMatchObject([
    ...Array.from({ length: 6 }, () => ({ value: true })),
    ...Array.from({ length: 4 }, () => ({ value: false })),
    { wrong: { rule: "type" } },
  ]);
});

it("reads lists with any separator, or as JSON", () => {
  expect(readCell("texts", "a, b;c | a", null)).toEqual({ value: ["a", "b", "c"] });
  expect(readCell("texts", '["a,b"]', null)).toEqual({ value: ["a,b"] });
});

it("takes the apostrophe off that keeps a spreadsheet from running a text", () => {
  expect(readCell("text", "'=1+1", null)).toEqual({ value: "=1+1" });
  expect(readCell("text", "'tis", null)).toEqual({ value: "'tis" });
});

it("reads percentages as fractions", () => {
  expect(readCell("fraction", "3%", null)).toEqual({ value: 0.03 });
  expect(readCell("fraction", "0,1255", null)).toEqual({ value: 0.1255 });
});

it.each([
  ["Variant SKU", "sku"],
  ["Art.-Nr.", "sku"],
  ["Désignation", "name"],
  ["NOMBRE", "name"],
  ["Preço", "price"],
  ["Verkoopprijs", "price"],
  ["Price_E2", "price_e2"],
  ["Body (HTML)", "details"],
  ["Słowa kluczowe", "keywords"],
  ["Meta: keywords", "keywords"],
  ["Kleur", null],
  ["Price (USD)", "price"],
  ["Preis in EUR", "price"],
  ["Compare-at price [MXN]", "compare_at_price"],
  ["Stock (EUR)", null],
  ["EUR", null],
  ["Prix TTC", "price"],
  ["PVP", "price"],
  ["Preço de venda", "price"],
  ["Cód. Barras", "barcodes"],
  ["Libellé", "name"],
  ["Item #", "sku"],
  ["Reference #", "sku"],
])("the header %s means %s", (header, column) => {
  expect(columnOfHeader(header)).toBe(column);
});

it.each(["amount", "decimal", "fraction", "integer", "boolean"] as const)(
  "refuses at once a text of any length that should be of the kind %s",
  (kind) => {
    const before = performance.now();
    expect(readCell(kind, `1${" ".repeat(200_000)}x`, null)).toMatchObject({ wrong: { rule: "type" } });
    expect(performance.now() - before).toBeLessThan(1_000);
  },
);
