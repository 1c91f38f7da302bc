import { sql } from "../../core/db/sql.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";

export interface GoodPropertyValues {
  readonly propertyId: number;
  readonly displayName: string;
  readonly options: number;
  readonly disabled: boolean;
}

/**
 * Writes a good's properties in the given order, in one statement; the row of a property that the good has keeps
 * its id.
 */
export async function upsertGoodProperties(
  { db, companyId }: CompanyScope,
  goodId: number,
  values: readonly GoodPropertyValues[],
): Promise<void> {
  if (values.length === 0) return;
  const rows = values.map(
    ({ propertyId, displayName, options, disabled }, index) =>
      sql`(${companyId}::int, ${goodId}::int, ${propertyId}::int, ${displayName}, ${options}::int, ${disabled}::boolean, ${index + 1}::int, now())`,
  );
  await db.$executeRaw`
    INSERT INTO good_properties
      (company_id, good_id, property_id, display_name, options, disabled, in_order, updated_at)
    VALUES ${sql.join(rows)}
    ON CONFLICT (company_id, good_id, property_id) DO UPDATE SET
      display_name = EXCLUDED.display_name,
      options = EXCLUDED.options,
      disabled = EXCLUDED.disabled,
      in_order = EXCLUDED.in_order,
      updated_at = EXCLUDED.updated_at`;
}
