import type { PrismaClient } from "../generated/prisma/client.js";
import { DEMO_MOMENT } from "./moment.js";
import { readData } from "./read-company.js";

/** Ids of the rows that the goods of a big company hang on. */
export interface BulkParents {
  readonly companyId: number;
  readonly shopIds: readonly number[];
  /** One branch for each shop, in the same order. */
  readonly branchIds: readonly number[];
  readonly goodTypeIds: readonly number[];
  readonly categoryIds: readonly number[];
  readonly propertyIds: readonly number[];
}

/** Words that the names of goods are put together from; their numbers share no factor. */
type BulkWords = Readonly<Record<"qualities" | "things" | "places", string[]>>;

export const PROPERTIES_PER_GOOD = 3;

/**
 * Inserts the goods with the numbers `first` to `last` in one statement: each with three properties, in a
 * category, and sold by its shop's branch. Neighbouring goods have different properties.
 */
export async function insertBulkGoods(
  db: PrismaClient,
  parents: BulkParents,
  { first, last, total }: { first: number; last: number; total: number },
): Promise<void> {
  const { companyId } = parents;
  const [shops, branches] = [[...parents.shopIds], [...parents.branchIds]];
  const [types, categories] = [[...parents.goodTypeIds], [...parents.categoryIds]];
  const properties = [...parents.propertyIds];
  const { qualities, things, places } = readData<BulkWords>("bulk-words");
  await db.$executeRaw`
    WITH plan AS (
      SELECT n,
             (${qualities}::text[])[1 + n % ${qualities.length}::int] AS quality,
             (${things}::text[])[1 + n % ${things.length}::int] AS thing,
             (${places}::text[])[1 + n % ${places.length}::int] AS place,
             1 + n % ${shops.length}::int AS shop,
             ${DEMO_MOMENT}::timestamptz - make_interval(mins => ${total}::int - n) AS moment
        FROM generate_series(${first}::int, ${last}::int) AS n
    ), new_goods AS (
      INSERT INTO goods (company_id, name, short_details, details, price_e2, type, sku, unit, keywords, barcodes,
                         good_type_id, branch_group_id, rating_e2, rating_sum, rating_count, created_at, updated_at)
      SELECT ${companyId}::int,
             concat_ws(' ', quality, thing, n),
             concat(quality, ' ', lower(thing), ' for the ', lower(place)),
             concat(quality, ' ', lower(thing), ', made for the ', lower(place), '.', chr(10), 'Number ', n, ' of the range.'),
             199 + (n::bigint * 7919) % 50000,
             0,
             concat('BIG-', lpad(n::text, 8, '0')),
             'piece',
             ARRAY[lower(thing), lower(place)],
             ARRAY[concat('20', lpad(n::text, 11, '0'))],
             (${types}::int[])[1 + n % ${types.length}::int],
             (${shops}::int[])[shop],
             300 + n % 200, (300 + n % 200) / 10, 10,
             moment, now()
        FROM plan
       ORDER BY n
      RETURNING company_id, id, branch_group_id, substring(sku FROM 5)::int AS n, price_e2
    ), new_properties AS (
      INSERT INTO good_properties (company_id, good_id, property_id, display_name, options, in_order, updated_at)
      SELECT company_id, id,
             (${properties}::int[])[1 + (n * ${PROPERTIES_PER_GOOD}::int + k) % ${properties.length}::int],
             concat('Choice ', k + 1), 256, k + 1, now()
        FROM new_goods, generate_series(0, ${PROPERTIES_PER_GOOD}::int - 1) AS k
    ), new_categories AS (
      INSERT INTO good_categories (company_id, category_id, good_id)
      SELECT company_id, (${categories}::int[])[1 + n % ${categories.length}::int], id FROM new_goods
    )
    INSERT INTO branch_goods (company_id, branch_id, good_id, stock, updated_at)
    SELECT company_id, (${branches}::int[])[array_position(${shops}::int[], branch_group_id)], id, n % 100, now()
      FROM new_goods`;
}

/** Lets the planner know of the many new rows, which it would learn of a minute later. */
export async function analyseBulkTables(db: PrismaClient): Promise<void> {
  await db.$executeRaw`ANALYZE goods, good_properties, good_categories, branch_goods`;
}
