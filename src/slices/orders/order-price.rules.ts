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
