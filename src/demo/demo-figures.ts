import type { DemoFigures } from "../api/explorers/home-page.js";
import type { Db } from "../core/db/db.js";
import { readCompany } from "./read-company.js";

/** What there is of each demo company that the database holds. */
export async function demoFigures(db: Db): Promise<DemoFigures[]> {
  const domains = (["avila", "spreewerk"] as const).map((name) => readCompany(name).profile.domain);
  const companies = await db.company.findMany({
    where: { domain: { in: domains }, deletedAt: null },
    orderBy: { id: "asc" },
    select: { id: true, name: true },
  });
  return Promise.all(
    companies.map(async ({ id, name }) => {
      const where = { companyId: id };
      const [shops, branches, goods, clients, orders, coupons] = await Promise.all([
        db.branchGroup.count({ where }),
        db.branch.count({ where }),
        db.good.count({ where: { ...where, deletedAt: null } }),
        db.client.count({ where: { ...where, deletedAt: null } }),
        db.order.count({ where }),
        db.coupon.count({ where: { ...where, deletedAt: null } }),
      ]);
      return { id, name, figures: { shops, branches, goods, clients, orders, coupons } };
    }),
  );
}
