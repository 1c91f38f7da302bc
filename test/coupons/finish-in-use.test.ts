import pg from "pg";
import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { untilLockWaits } from "../support/lock-waits.js";
import { createOrders, runningCoupon } from "./running-coupon.js";

const CONSUME = `mutation ($companyId: Int!, $input: ConsumeCouponInput!) {
  consumeCoupon(companyId: $companyId, input: $input) { id } }`;
const FINISH = `mutation ($companyId: Int!, $couponId: Int!) {
  setFinished(companyId: $companyId, couponId: $couponId) { id status } }`;

const ROUNDS = 2;
const USES = 40;

describe("a coupon that is finished while it is used", () => {
  let gateway: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  it("ends after its last use, and lets none in after that", async () => {
    const { owner, id: companyId } = company;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id: couponId, codes } = await runningCoupon(gateway, companyId, { totalCount: 1000 });
      const orders = await createOrders(gateway, companyId, USES);

      const finishing = owner.run(FINISH, { companyId, couponId });
      const uses = orders.map((orderId) =>
        owner.run(CONSUME, { companyId, input: { code: codes[0], orderId } }),
      );
      dataOf(await finishing);
      const done = (await Promise.all(uses)).filter(({ errors }) => errors === undefined);

      const coupon = await gateway.db.coupon.findFirstOrThrow({ where: { companyId, id: couponId } });
      const { _max: last, _count: count } = await gateway.db.couponRedemption.aggregate({
        where: { companyId, couponId },
        _max: { createdAt: true },
        _count: true,
      });
      expect(coupon).toMatchObject({ status: "finished", spentCount: done.length });
      expect(count).toBe(done.length);
      expect(coupon.endsAt?.getTime()).toBeGreaterThan(last.createdAt?.getTime() ?? 0);
    }
  });

  it("ends after a use that was let in while the request waited", async () => {
    const { owner, id: companyId } = company;
    const { id: couponId, codes } = await runningCoupon(gateway, companyId);
    const [orderId] = await createOrders(gateway, companyId, 1);
    const user = new pg.Client({ connectionString: gateway.url });
    await user.connect();
    await user.query("BEGIN");
    await user.query("SELECT FROM coupons WHERE company_id = $1 AND id = $2 FOR NO KEY UPDATE", [
      companyId,
      couponId,
    ]);

    const finishing = owner.run(FINISH, { companyId, couponId });
    await untilLockWaits(gateway.url);
    const { rows } = await user.query(
      `SELECT outcome, clock.at FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS at) clock, coupons c,
              orders o,
              use_coupon($1, $2, $3, NULL, NULL, $4, 1000, 0, clock.at, NULL, c.updated_at, false, o.xmin, NULL)
        WHERE c.company_id = $1 AND c.id = $2 AND o.company_id = $1 AND o.id = $3`,
      [companyId, couponId, orderId, codes[0]],
    );
    await user.query("COMMIT");
    await user.end();
    dataOf(await finishing);

    const [use] = rows as { outcome: string; at: Date }[];
    const { endsAt } = await gateway.db.coupon.findFirstOrThrow({ where: { companyId, id: couponId } });
    expect(use?.outcome).toBe("used");
    expect(endsAt?.getTime()).toBe((use?.at.getTime() ?? 0) + 1);
  });
});
