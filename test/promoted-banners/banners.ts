import { unique } from "../support/factories.js";
import type { Gateway } from "../support/gateway.js";

export const bannersPath = (companyId: number) => `/companies/${companyId}/promoted-banners`;

/** Creates a banner for the company itself. */
export function createBanner(
  { db }: Gateway,
  companyId: number,
  overrides: object = {},
): Promise<{ id: number; name: string }> {
  return db.promotedBanner.create({
    data: { companyId, name: unique(), targetType: "company", targetId: companyId, ...overrides },
  });
}

/** Creates a row of each kind that a banner can lead to, by the name of its kind. */
export async function createTargets({ db }: Gateway, companyId: number): Promise<Record<string, number>> {
  const data = { companyId, name: unique() };
  const good = { ...data, shortDetails: "", details: "", priceE2: 100, type: 0 };
  return {
    branch_group: (await db.branchGroup.create({ data })).id,
    good: (await db.good.create({ data: good })).id,
    branch_category: (await db.branchCategory.create({ data })).id,
    city: (await db.city.create({ data })).id,
  };
}
