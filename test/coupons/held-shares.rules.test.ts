import fc from "fast-check";
import type { ItemShare } from "../../src/slices/coupons/amounts/discount-shares.rules.js";
import { storedParts } from "../../src/slices/coupons/amounts/left-of-purchase.rules.js";
import type { PricedItem } from "../../src/slices/coupons/amounts/priced-item.js";

const COUPON = { appliesTo: "total" };
const item = (goodId: number, priceE2: bigint): PricedItem => ({
  ...{ goodId, priceE2 },
  ...{ quantity: 1, units: 1, isService: false },
});
const share = (goodId: number, amountE2: number): ItemShare => ({ goodId, quantity: 1, amountE2 });
const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

/** The parts of a discount that was split so, on items of which so much is left. */
function partsOn(items: readonly PricedItem[], shares: readonly ItemShare[], deliveryE2 = 0n) {
  const discountE2 = total(shares.map(({ amountE2 }) => BigInt(amountE2))) + deliveryE2;
  const lines = items.map(({ priceE2 }) => priceE2);
  const left = { goodsE2: total(lines), deliveryE2: 0n, lines };
  return storedParts({ coupon: COUPON, discountE2, items: shares, deliveryE2 }, { items }, left);
}

describe("the shares of what is held", () => {
  it.each([
    ["stay, whatever the items cost by then", [item(1, 1_000n), item(2, 60n)], [45n, 55n]],
    ["are cut to what an item can bear", [item(1, 1_000n), item(2, 50n)], [45n, 50n]],
    ["go with their goods", [item(2, 1_000n), item(1, 1_000n)], [55n, 45n]],
    ["leave out items that came later", [item(3, 900n), item(1, 900n), item(2, 900n)], [0n, 45n, 55n]],
    ["of what is not there any more are none of the others'", [item(1, 1_000n)], [45n]],
  ])("%s", (_, items, lines) => {
    expect(partsOn(items, [share(1, 45), share(2, 55)]).lines).toEqual(lines);
  });

  it("go to another item of the same good where their own cannot bear them", () => {
    const shares = [share(1, 45), share(1, 455)];

    expect(partsOn([item(1, 1_000n), item(1, 100n)], shares).lines).toEqual([400n, 100n]);
    expect(partsOn([item(1, 40n), item(2, 900n), item(1, 480n)], shares).lines).toEqual([40n, 0n, 460n]);
    expect(partsOn([item(1, 40n), item(1, 60n)], shares).lines).toEqual([40n, 60n]);
  });

  it("leave goods and delivery what they had", () => {
    expect(partsOn([item(1, 10n)], [share(1, 45)], 30n)).toEqual({
      ...{ goodsE2: 45n, deliveryE2: 30n, lines: [10n] },
    });
  });

  it("are as much of each good as was held, as far as its items can bear that", () => {
    const good = fc.integer({ min: 1, max: 4 });
    const held = fc.array(fc.record({ goodId: good, amountE2: fc.nat(500) }), { maxLength: 8 });
    const bought = fc.array(fc.record({ goodId: good, priceE2: fc.bigInt(0n, 800n) }), { maxLength: 8 });
    const property = fc.property(held, bought, (shares, lines) => {
      const items = lines.map(({ goodId, priceE2 }) => item(goodId, priceE2));

      const parts = partsOn(
        items,
        shares.map(({ goodId, amountE2 }) => share(goodId, amountE2)),
      );

      const ofGood = (id: number) => items.flatMap(({ goodId }, place) => (goodId === id ? [place] : []));
      expect(items.every(({ priceE2 }, place) => (parts.lines[place] as bigint) <= priceE2)).toBe(true);
      for (const id of [1, 2, 3, 4]) {
        const heldE2 = total(shares.map(({ goodId, amountE2 }) => (goodId === id ? BigInt(amountE2) : 0n)));
        const costE2 = total(ofGood(id).map((place) => items[place]?.priceE2 as bigint));
        const gotE2 = total(ofGood(id).map((place) => parts.lines[place] as bigint));
        expect(gotE2).toBe(heldE2 < costE2 ? heldE2 : costE2);
      }
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  it("are the very same on the same items", () => {
    const line = fc.record({
      goodId: fc.nat(3),
      priceE2: fc.nat(900),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const property = fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const shares = lines.map(({ goodId, priceE2, part }) => share(goodId, Math.floor(priceE2 * part)));

      const { lines: got } = partsOn(
        lines.map(({ goodId, priceE2 }) => item(goodId, BigInt(priceE2))),
        shares,
      );

      expect(got).toEqual(shares.map(({ amountE2 }) => BigInt(amountE2)));
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});
