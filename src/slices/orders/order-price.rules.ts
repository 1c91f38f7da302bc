import type { FieldError } from "../../core/errors/domain-error.js";
import { MAX_AMOUNT } from "../../core/money.js";

/** The prices of an order, in hundredths. */
export interface OrderPrices {
  readonly subtotalE2: bigint;
  readonly deliveryE2: bigint;
  readonly totalE2: bigint;
}

/** The subtotal of an order: its total without the delivery where it has none. */
export function subtotalOf({ subtotalE2, deliveryE2, totalE2 }: OrderPrices): bigint {
  return subtotalE2 === 0n && totalE2 > deliveryE2 ? totalE2 - deliveryE2 : subtotalE2;
}

/** Returns whether an order has any price. */
export function isPriced({ subtotalE2, deliveryE2, totalE2 }: OrderPrices): boolean {
  return subtotalE2 > 0n || deliveryE2 > 0n || totalE2 > 0n;
}

/** The prices of an order. */
export const PRICES = ["subtotalE2", "deliveryE2", "totalE2"] as const;

export const NO_PRICES: OrderPrices = { subtotalE2: 0n, deliveryE2: 0n, totalE2: 0n };

/** The prices that an input names. */
export type SentPrices = Partial<Record<(typeof PRICES)[number], number>>;

/** Finds a subtotal and a delivery that exceed the largest amount together, of what is sent and what is stored beside it. */
export function tooLarge(sent: SentPrices, stored: OrderPrices): FieldError[] {
  if (sent.subtotalE2 === undefined && sent.deliveryE2 === undefined) return [];
  const subtotalE2 = BigInt(sent.subtotalE2 ?? stored.subtotalE2);
  if (subtotalE2 + BigInt(sent.deliveryE2 ?? stored.deliveryE2) <= MAX_AMOUNT) return [];
  const field = sent.deliveryE2 === undefined ? "subtotalE2" : "deliveryE2";
  return [{ field, rule: "max", message: `subtotal and delivery must be <= ${MAX_AMOUNT} together` }];
}
