import { isPriced, subtotalOf } from "../../src/slices/orders/order-price.rules.js";

const order = (subtotalE2: bigint, deliveryE2: bigint, totalE2: bigint) => ({
  subtotalE2,
  deliveryE2,
  totalE2,
});

it.each([
  [order(900n, 100n, 5_000n), 900n],
  [order(0n, 100n, 1_000n), 900n],
  [order(0n, 100n, 101n), 1n],
  [order(0n, 100n, 100n), 0n],
  [order(0n, 100n, 99n), 0n],
  [order(0n, 0n, 0n), 0n],
])("has, with %o, the subtotal %s", (prices, expected) => {
  expect(subtotalOf(prices)).toBe(expected);
});

it("is priced when one of its prices is known", () => {
  expect([order(1n, 0n, 0n), order(0n, 1n, 0n), order(0n, 0n, 1n), order(0n, 0n, 0n)].map(isPriced)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
