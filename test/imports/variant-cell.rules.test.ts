import { readVariants } from "../../src/slices/imports/variant-cell.rules.js";

const sizes = (option: object, name = "Size") => [{ name, property: { options: [option] } }];

it("takes names as all texts are stored: normalised and trimmed", () => {
  const sent = [
    ...sizes({ name: " M ", price_e2: 5 }, "Size "),
    { name: "Cafe\u0301", options: [{ name: "L" }] },
  ];

  expect(readVariants(sent)).toEqual({
    value: [
      { name: "Size", options: [{ name: "M", priceE2: 5 }] },
      { name: "Caf\u00e9", options: [{ name: "L", priceE2: 0 }] },
    ],
  });
});

it.each([
  ["a property twice, but for blanks", [...sizes({ name: "M" }), ...sizes({ name: "L" }, "Size ")], "unique"],
  ["an amount in another form", sizes({ name: "M", human_price_e2: 3.5 }), "type"],
  ["a negative amount", sizes({ name: "M", price_e2: -1 }), "type"],
  ["a name of blanks", sizes({ name: "  " }), "type"],
  ["a name of two lines", sizes({ name: "M\nL" }), "type"],
  ["no options", [{ name: "Size" }], "type"],
])("refuses %s", (_, sent, rule) => {
  expect(readVariants(sent)).toMatchObject({ wrong: { rule } });
});
