import fc from "fast-check";
import { tellVariants, type Variant } from "../../src/slices/imports/variants.rules.js";

const option = (name: string, ...listed: string[]) => ({ name, listed });
const variant = (row: number, priceE2: number, ...values: (string | null)[]): Variant => ({
  row,
  priceE2,
  values,
});

it("gives back any lowest price and differences of which variants were made", () => {
  const costs = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.nat(1_000_000), costs, costs, (base, sizes, colours) => {
      const variants = sizes.flatMap((size, s) =>
        colours.map((colour, c) => variant(s * 10 + c, base + size + colour, `s${s}`, `c${c}`)),
      );
      const [low, less] = [Math.min(...sizes), Math.min(...colours)];

      const told = tellVariants([option("Size"), option("Colour")], variants as [Variant]);

      expect(told).toMatchObject({
        priceE2: base + low + less,
        variants: [
          { name: "Size", options: sizes.map((size, s) => ({ name: `s${s}`, priceE2: size - low })) },
          {
            name: "Colour",
            options: colours.map((colour, c) => ({ name: `c${c}`, priceE2: colour - less })),
          },
        ],
      });
    }),
  );
});

it("takes no value for all values of the option", () => {
  const told = tellVariants(
    [option("Colour"), option("Size", "L", "S")],
    [variant(2, 100, "Red", null), variant(3, 150, "Blue", null)],
  );

  expect(told).toMatchObject({
    priceE2: 100,
    row: 2,
    variants: [{ options: [{ priceE2: 0 }, { priceE2: 50 }] }, { options: [{ name: "L" }, { name: "S" }] }],
  });
});

it("says which row costs something else, which combination is there twice and which one is missing", () => {
  const [a, b] = [variant(2, 100, "A"), variant(3, 100, "A")];

  expect(tellVariants([option("X")], [a, b])).toEqual({ row: 3, wrong: "is A, as is the variant of row 2" });
  expect(tellVariants([option("X", "A", "B")], [a])).toMatchObject({ row: null });
  expect(tellVariants([option("X")], [variant(2, 1, "x".repeat(65))])).toMatchObject({ row: null });
  expect(tellVariants([option("X")], [variant(2, 1, "😀".repeat(65))])).toMatchObject({ row: null });
  expect(tellVariants([option("X")], [variant(2, 1, "😀".repeat(64))])).toMatchObject({ row: 2 });
  const many = Array.from({ length: 2_001 }, (_, i) => `${i}`);
  expect(tellVariants([option("X", ...many)], [a])).toEqual({
    row: null,
    wrong: "would have more than 2000 combinations",
  });
});
