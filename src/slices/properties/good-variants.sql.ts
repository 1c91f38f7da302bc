import { sql, type Sql } from "../../core/db/sql.js";
import type { Db } from "../../core/scope/company-scope.js";

export interface StoredOption {
  readonly id: number;
  readonly name: string;
  readonly priceE2: number;
  readonly isDefault: boolean;
}

/** A property that a good has. */
export interface OfferedProperty {
  readonly goodPropertyId: number;
  readonly goodId: number;
  readonly propertyId: number;
  readonly displayName: string;
  readonly isOfOptions: boolean;
  /** Whether another good has it, too. */
  readonly isShared: boolean;
  readonly options: readonly StoredOption[];
}

const optionsOf = (companyId: number): Sql => sql`
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'priceE2', o.price_e2, 'isDefault', o.is_default)
                             ORDER BY o.in_order, o.id), '[]')
     FROM property_options AS o WHERE o.company_id = ${companyId} AND o.property_id = p.id)`;

/** Locks the properties of goods until the transaction ends: nobody else changes their options. */
export async function lockGoodProperties(
  db: Db,
  companyId: number,
  goodIds: readonly number[],
): Promise<void> {
  await db.$queryRaw<object[]>`
    SELECT FROM properties WHERE company_id = ${companyId} AND id IN (
      SELECT property_id FROM good_properties WHERE company_id = ${companyId} AND good_id = ANY (${[...goodIds]}::int[]))
     ORDER BY id FOR UPDATE`;
}

/** The properties of goods, in the order of each good. */
export async function optionsOfGoods(
  db: Db,
  companyId: number,
  goodIds: readonly number[],
): Promise<OfferedProperty[]> {
  return db.$queryRaw<OfferedProperty[]>`
    SELECT gp.id AS "goodPropertyId", gp.good_id AS "goodId", gp.property_id AS "propertyId", gp.display_name AS "displayName",
           p.type & 256 <> 0 AS "isOfOptions",
           EXISTS (SELECT FROM good_properties AS other
                    WHERE other.company_id = ${companyId} AND other.property_id = gp.property_id AND other.good_id <> gp.good_id) AS "isShared",
           ${optionsOf(companyId)} AS options
      FROM good_properties AS gp
      JOIN properties AS p ON p.company_id = ${companyId} AND p.id = gp.property_id
     WHERE gp.company_id = ${companyId} AND gp.good_id = ANY (${[...goodIds]}::int[])
     ORDER BY gp.good_id, gp.in_order, gp.id`;
}

/** A property that goods may get. */
export interface LikeProperty {
  readonly propertyId: number;
  readonly version: number;
  readonly options: readonly StoredOption[];
}

/** The properties of a shop with options that have a name, the oldest first. */
export async function propertiesLike(
  db: Db,
  { companyId, branchGroupId }: { companyId: number; branchGroupId: number | null },
  name: string,
): Promise<LikeProperty[]> {
  return db.$queryRaw<LikeProperty[]>`
    SELECT p.id AS "propertyId", p.version, ${optionsOf(companyId)} AS options FROM properties AS p
     WHERE p.company_id = ${companyId} AND p.name = ${name} AND NOT p.disabled AND p.type & 256 <> 0
       AND p.branch_group_id IS NOT DISTINCT FROM ${branchGroupId}::int
     ORDER BY p.id LIMIT 1000`;
}

/** Keeps a property as it was read until the transaction ends. @returns whether it still is as it was read. */
export async function keepProperty(
  db: Db,
  companyId: number,
  { propertyId, version }: Pick<LikeProperty, "propertyId" | "version">,
): Promise<boolean> {
  const kept = await db.$queryRaw<object[]>`
    SELECT FROM properties
     WHERE company_id = ${companyId} AND id = ${propertyId} AND version = ${version} FOR SHARE`;
  return kept.length > 0;
}
