import type { CompanyScope } from "../../core/scope/company-scope.js";

/** A stored choice with its new values. */
export interface StoredChoice {
  readonly id: number;
  readonly name: string;
  readonly priceE2: number | bigint;
  readonly inOrder: number;
  readonly isDefault: boolean;
}

/** Changes choices of a property, all in one statement. */
export async function updateChoices(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  propertyId: number,
  choices: readonly StoredChoice[],
): Promise<void> {
  await db.$executeRaw`
    UPDATE property_options o
       SET name = w.name, price_e2 = w.price_e2, in_order = w.in_order, is_default = w.is_default, updated_at = now()
      FROM unnest(
             ${choices.map(({ id }) => id)}::int[],
             ${choices.map(({ name }) => name)}::text[],
             ${choices.map(({ priceE2 }) => BigInt(priceE2))}::bigint[],
             ${choices.map(({ inOrder }) => inOrder)}::int[],
             ${choices.map(({ isDefault }) => isDefault)}::boolean[]
           ) AS w (id, name, price_e2, in_order, is_default)
     WHERE o.company_id = ${companyId} AND o.property_id = ${propertyId} AND o.id = w.id`;
}
