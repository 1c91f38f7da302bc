import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Row } from "../../core/db/db.js";

type GoodMaterialRow = Row<"GoodMaterial">;

/**
 * Sets how much of a material a good needs, for a new link or an existing one, in one statement.
 *
 * @returns `null` when the good or the material does not exist.
 */
export async function upsertGoodMaterial(
  { db, companyId }: CompanyScope,
  {
    goodId,
    materialId,
    quantityReal,
    extras,
  }: Pick<GoodMaterialRow, "goodId" | "materialId" | "quantityReal"> & {
    readonly extras: readonly unknown[];
  },
): Promise<GoodMaterialRow | null> {
  const [row] = await db.$queryRaw<GoodMaterialRow[]>`
    INSERT INTO good_materials (company_id, good_id, material_id, quantity_real, extras, updated_at)
    SELECT g.company_id, g.id, m.id, ${quantityReal}::int, ${JSON.stringify(extras)}::jsonb, now()
      FROM goods g
      JOIN materials m ON m.company_id = g.company_id AND m.id = ${materialId}
     WHERE g.company_id = ${companyId} AND g.id = ${goodId} AND g.deleted_at IS NULL
    ON CONFLICT (company_id, good_id, material_id) DO UPDATE SET
      quantity_real = EXCLUDED.quantity_real,
      extras = EXCLUDED.extras,
      updated_at = EXCLUDED.updated_at
    RETURNING company_id AS "companyId", good_id AS "goodId", material_id AS "materialId",
      quantity_real AS "quantityReal", extras, created_at AS "createdAt", updated_at AS "updatedAt", version,
      shares_second AS "sharesSecond"`;
  return row ?? null;
}

type Locking = Pick<CompanyScope, "db" | "companyId">;

/** Locks a tag whose goods change, until the transaction ends. @returns whether it exists. */
export async function lockTag({ db, companyId }: Locking, id: number): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT FROM good_tags WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Locks goods of which a part changes, in the order of their ids. */
export async function lockGoods({ db, companyId }: Locking, ids: readonly number[]): Promise<void> {
  await db.$queryRaw`
    SELECT FROM goods WHERE company_id = ${companyId} AND id = ANY (${[...ids]}::int[])
     ORDER BY id FOR NO KEY UPDATE`;
}

/** Locks the goods that carry a tag or will. */
export async function lockGoodsOfTag(
  { db, companyId }: Locking,
  goodTagId: number,
  ids: readonly number[],
): Promise<void> {
  await db.$queryRaw`
    SELECT FROM goods
     WHERE company_id = ${companyId}
       AND id IN (SELECT unnest(${[...ids]}::int[])
                  UNION SELECT good_id FROM good_tag_goods
                         WHERE company_id = ${companyId} AND good_tag_id = ${goodTagId})
     ORDER BY id FOR NO KEY UPDATE`;
}
