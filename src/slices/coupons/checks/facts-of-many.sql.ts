import { sql } from "../../../core/db/sql.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { COUPON_COLUMNS, type CouponColumns, UNKNOWN_SEGMENTS } from "./coupon-columns.sql.js";
import { candidatesOf, readConditionsOfMany, type ReadConditions } from "./coupon-conditions.sql.js";
import type { Candidate, Facts, Named, NamedRows } from "./coupon-facts.js";
import {
  basketWanted,
  goodsNamed,
  keepsChanging,
  MAX_ATTEMPTS,
  type NamedColumns,
  namedRows,
  purchasesWanted,
  withKinds,
} from "./coupon-facts.sql.js";

/**
 * Reads all promos that run with everything that the rules need, for each of several purchases without an order, whose items
 * tell their prices. It takes as many statements as for one purchase, and one more for each further 25 clients and places.
 *
 * @returns what `readFacts` returns for each.
 * @throws DomainError CONFLICT when a promo keeps changing.
 */
export async function readFactsOfMany(scope: CompanyScope, purchases: readonly Named[]): Promise<Facts[]> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const named = await readPurchases(scope, purchases);
    const promos = await readPromos(scope);
    const places = new Map(named.map((rows) => [placeOf(rows), rows]));
    const conditions = await readConditionsIn(scope, promos, [...places.values()]);
    if (conditions === null) continue;
    const known = await withKinds(scope.whole, named, promos);
    const candidates = new Map(
      Array.from(places.keys(), (place, index) => [place, candidatesOf(promos, conditions[index])]),
    );
    return known.map((rows) => ({
      rows,
      candidates: candidates.get(placeOf(rows)) as Candidate[],
      taken: [],
    }));
  }
  throw keepsChanging();
}

/** So many places are read by one statement: each adds a row for each promo. */
const MOST_PLACES = 25;

async function readConditionsIn(
  scope: CompanyScope,
  promos: readonly CouponColumns[],
  places: readonly NamedRows[],
): Promise<(readonly ReadConditions[])[] | null> {
  const conditions: (readonly ReadConditions[])[] = [];
  for (let first = 0; first < places.length; first += MOST_PLACES) {
    const read = await readConditionsOfMany(scope, promos, places.slice(first, first + MOST_PLACES));
    if (read === null) return null;
    conditions.push(...read);
  }
  return conditions;
}

/** Who buys, and where: by that alone conditions differ between purchases without an order. */
function placeOf({ clientId, branchId, shopIds }: NamedRows): string {
  return [clientId, branchId, ...shopIds].join();
}

/** Reads the rows that purchases name, in their order. */
async function readPurchases(scope: CompanyScope, purchases: readonly Named[]): Promise<NamedRows[]> {
  const { companyId } = scope;
  // PostgreSQL has no arrays of arrays of different lengths, so each is sent as its text.
  const listed = (of: (item: Named["items"][number]) => number | null): string[] =>
    purchases.map(({ items }) => `{${items.map((item) => of(item) ?? "NULL").join()}}`);
  const purchase = sql`
           (SELECT ${companyId}::int AS company_id, NULL::int AS order_id, w.*
              FROM unnest(${purchases.map(({ clientId }) => clientId)}::int[], ${purchases.map(({ branchId }) => branchId)}::int[],
                          ${listed(({ goodId }) => goodId)}::text[], ${listed(({ quantity }) => quantity)}::text[],
                          ${listed(({ totalPriceE2 }) => totalPriceE2)}::text[])
                   WITH ORDINALITY AS w (client_id, branch_id, good_ids, quantities, prices, purchase)) AS a`;
  const items = sql`unnest(a.good_ids::int[], a.quantities::int[], a.prices::bigint[])`;
  const goods = goodsNamed(companyId, { mayHaveLines: false, items, others: [] });
  const found = await scope.whole.rows<NamedColumns>(sql`
    ${purchasesWanted(companyId, { purchase, goods, columns: sql`a.purchase` })} ORDER BY a.purchase`);
  return found.map(namedRows);
}

function readPromos(scope: CompanyScope): Promise<CouponColumns[]> {
  const { companyId, at, reached } = scope;
  const wanted = { codes: [], couponIds: [], promos: { at, withFinished: false } };
  return scope.whole.rows<CouponColumns>(sql`
    SELECT ${COUPON_COLUMNS}, ${UNKNOWN_SEGMENTS}
      FROM ${basketWanted(companyId, wanted)}
      CROSS JOIN (SELECT (NULL::coupon_redemptions).*) AS r
     WHERE ${reached("Coupon", "c")}`);
}
