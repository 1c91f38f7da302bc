import { invalidField } from "../../core/errors/domain-error.js";
import { MAX_AMOUNT } from "../../core/money.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { applicablePromos } from "../coupons/checks/promo.service.js";
import type { CartItemSnapshot } from "./cart-item.model.js";
import { type LockedCart, writeShares } from "./cart-item.sql.js";
import { isService, shareDiscount } from "./cart-promo.rules.js";

interface PricedRow {
  readonly id: number;
  readonly goodId: number;
  readonly units: number;
  readonly originalTotalE2: bigint;
  readonly isService: boolean;
}

/**
 * Gives a cart the best promo that applies to all that is in it, and shares the discount among the rows: the cart costs
 * what the promos say of the same goods.
 *
 * @throws DomainError VALIDATION_FAILED when the cart costs more than the largest amount.
 */
export async function applyPromo(scope: CompanyScope, cart: LockedCart): Promise<void> {
  const rows = await readRows(scope, cart.id);
  if (rows.length === 0) return;
  const best = await bestPromo(scope, cart, rows);
  const shares = shareDiscount(best?.discountE2 ?? 0n, rows, best?.coupon.appliesTo === "service");
  const priced = rows.map(({ id, originalTotalE2 }, index) => ({
    id,
    totalPriceE2: originalTotalE2 - (shares[index] ?? 0n),
  }));
  await writeShares(scope, best?.coupon.id ?? null, priced);
}

async function readRows({ db, companyId }: CompanyScope, cartId: number): Promise<PricedRow[]> {
  const rows = await db.cartItem.findMany({
    where: { companyId, cartId },
    orderBy: [{ id: "asc" }],
    select: { id: true, goodId: true, snapshot: true, good: { select: { type: true } } },
  });
  return rows.map(({ id, goodId, snapshot, good }) => {
    const { units, originalTotalE2 } = snapshot as unknown as CartItemSnapshot;
    return { id, goodId, units, originalTotalE2: BigInt(originalTotalE2), isService: isService(good) };
  });
}

async function bestPromo(
  scope: CompanyScope,
  { clientId, branchId }: LockedCart,
  rows: readonly PricedRow[],
) {
  const subtotalE2 = rows.reduce((sum, { originalTotalE2 }) => sum + originalTotalE2, 0n);
  if (subtotalE2 > MAX_AMOUNT)
    throw invalidField("quantity", "max", "makes the cart cost more than the largest amount");
  if (subtotalE2 === 0n) return undefined;
  const items = rows.map(({ goodId, units }) => ({ goodId, quantity: units }));
  const promos = await applicablePromos(scope, {
    clientId,
    branchId,
    items,
    subtotalE2: Number(subtotalE2),
  });
  return promos.find(({ discountE2 }) => discountE2 > 0n);
}
