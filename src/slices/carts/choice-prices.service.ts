import type { FieldError } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Extra } from "./cart-good.js";
import { price } from "./cart-item.rules.js";
import { readCartGoods } from "./cart-item.sql.js";

/** An item of a purchase, with what is chosen of its good. */
export interface ChosenItem {
  readonly goodId: number;
  readonly quantity: number;
  /** What all of it costs, in hundredths; without it what is chosen says so. */
  readonly totalPriceE2?: number | null;
  readonly properties?: readonly Extra[] | null;
}

/** What items cost by what is chosen of them. */
export interface ChoicePrices {
  /** In hundredths, by the place of the item; of those alone that have a choice and no price. */
  readonly totals: ReadonlyMap<number, bigint>;
  /** The wrong fields of `items`: choices that the good does not offer at the branch. */
  readonly errors: readonly FieldError[];
}

/** Prices what is chosen of items without a price, at a branch, as carts do. */
export async function priceChoices(
  { companyId, rows }: Pick<CompanyScope, "companyId" | "rows">,
  branchId: number | null,
  items: readonly ChosenItem[],
): Promise<ChoicePrices> {
  const isChosen = ({ totalPriceE2, properties }: ChosenItem): boolean =>
    totalPriceE2 == null && (properties ?? []).length > 0;
  const chosen = items.flatMap((item, place) => (isChosen(item) ? [{ ...item, place }] : []));
  const wanted = chosen.map(({ goodId }) => ({ goodId, branchId }));
  const goods = wanted.length === 0 ? [] : await readCartGoods({ companyId, rows }, wanted);
  const totals = new Map<number, bigint>();
  const errors: FieldError[] = [];
  for (const good of goods) {
    const { place, quantity, properties } = chosen[good.place - 1] as (typeof chosen)[number];
    const read = price(good, { quantity, extras: properties ?? [] });
    totals.set(place, read.priced.originalTotalE2);
    for (const error of read.errors)
      errors.push({ ...error, field: `items[${place}].${error.field.replace(/^extras/u, "properties")}` });
  }
  return { totals, errors };
}
