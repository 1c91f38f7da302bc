import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Row } from "../../core/db/db.js";

type GoodMaterialRow = Row<"GoodMaterial">;

/**
 * Sets how much of a material a good needs, for a new link or an existing one, in one statement.
 *
 * @returns `null` when the good or the material does not exist.
 */
export async function upsertGoodMaterial(
  { db, companyId, at }: CompanyScope,
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
    SELECT g.company_id, g.id, m.id, ${quantityReal}::int, ${JSON.stringify(extras)}::jsonb, ${at}::timestamptz
      FROM goods g
      JOIN materials m ON m.company_id = g.company_id AND m.id = ${materialId}
     WHERE g.company_id = ${companyId} AND g.id = ${goodId} AND g.deleted_at IS NULL
    ON CONFLICT (company_id, good_id, material_id) DO UPDATE SET
      quantity_real = EXCLUDED.quantity_real,
      extras = EXCLUDED.extras,
      updated_at = EXCLUDED.updated_at
    RETURNING company_id AS "companyId", good_id AS "goodId", material_id AS "materialId",
      quantity_real AS "quantityReal", extras, created_at AS "createdAt", updated_at AS "updatedAt"`;
  return row ?? null;
}
