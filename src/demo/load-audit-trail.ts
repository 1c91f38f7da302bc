import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";
import type { LoadedAdmins } from "./load-admins.js";
import { minutesBefore } from "./moment.js";

const PRICES = 12;
const DAY = 24 * 60;

/** What admins did last: prices that they changed and coupons that they set ready, each as the mutation notes it. */
export async function loadAuditTrail(
  { db, companyId, random }: DemoTarget,
  admins: LoadedAdmins,
): Promise<void> {
  const oldest = { where: { companyId, deletedAt: null }, orderBy: { id: "asc" } } as const;
  const goods = await db.good.findMany({
    ...oldest,
    take: PRICES,
    select: { id: true, priceE2: true },
  });
  const coupons = await db.coupon.findMany({
    ...oldest,
    where: { ...oldest.where, status: "ready" },
    select: { id: true },
  });
  const changes = [
    ...goods.map(({ id, priceE2 }) => ({
      operation: "updateGood",
      targetType: "good",
      targetId: id,
      changes: { price_e2: [Number(priceE2) + 10 * random.int(1, 9), Number(priceE2)] },
    })),
    ...coupons.map(({ id }) => ({
      operation: "setReady",
      targetType: "coupon",
      targetId: id,
      changes: { status: ["pending", "ready"] },
    })),
  ];
  await insertRows(
    db,
    "AuditEntry",
    changes.map((change, index) => ({
      companyId,
      ...change,
      action: "update",
      requestId: `demo-${index + 1}`,
      actorKind: "admin",
      adminId: random.pick(admins),
      createdAt: minutesBefore(Math.ceil(((changes.length - index) * 30 * DAY) / changes.length)),
    })),
  );
}
