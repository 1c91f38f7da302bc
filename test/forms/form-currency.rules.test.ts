import { showsCurrency } from "../../src/slices/forms/form-currency.rules.js";

const NONE = { currencyIso: null, taxFlatE2: 0n, taxPercent: 0 };
const SHOWN = { iso: "USD", taxFlatE2: 0, taxPercent: 0 };

it.each<[string, Partial<{ currencyIso: string | null }>, Partial<typeof SHOWN> | null, boolean]>([
  ["what a form without one shows", {}, {}, true],
  ["the same in other letters", {}, { iso: "usd" }, true],
  ["another currency", {}, { iso: "EUR" }, false],
  ["a flat tax", {}, { taxFlatE2: 1 }, false],
  ["a tax by percent", {}, { taxPercent: 0.01 }, false],
  ["none", {}, null, false],
  ["that of a form with one of its own", { currencyIso: "USD" }, {}, false],
])("knows %s", (_, stored, sent, isShown) => {
  expect(showsCurrency({ ...NONE, ...stored }, "USD", sent === null ? null : { ...SHOWN, ...sent })).toBe(
    isShown,
  );
});
