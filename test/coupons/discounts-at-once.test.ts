import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { createOrder, runningCoupon } from "./running-coupon.js";

const DISCOUNTS = `query ($c: Int!, $i: DiscountsInput!) {
  discounts(companyId: $c, input: $i) { applied { code coupon { id } } refused { code reason coupon { id } } }
}`;
const USE = `mutation ($c: Int!, $i: ConsumeCouponsInput!) { consumeCoupons(companyId: $c, input: $i) { totalDiscountE2 } }`;

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const run = async (text: string, i: object) => dataOf(await company.owner.run(text, { c: company.id, i }));
const discounts = async (i: object) => (await run(DISCOUNTS, { subtotalE2: 10_000, ...i }))["discounts"];

it("shows two coupons that an order uses at once either both used or both free", async () => {
  const { id: clientId } = await gateway.db.client.create({
    data: { companyId: company.id, name: "Ada", email: "ada@example.com", phone: "+15550001" },
  });
  const free = await runningCoupon(gateway, company.id, { totalCount: 1 });
  const limited = await runningCoupon(gateway, company.id, { totalCount: 1, config: { limit: 5 } });
  const codes = [free.promoCode, limited.promoCode];
  let isOver = false;
  const using = (async () => {
    for (let turn = 0; turn < 25; turn += 1) {
      const { id: orderId } = await createOrder(gateway, company.id, { clientId });
      await run(USE, { codes, orderId });
      // A canceled order gives all of its uses back.
      await gateway.db.order.update({
        where: { companyId_id: { companyId: company.id, id: orderId } },
        data: { status: "canceled" },
      });
    }
  })().finally(() => (isOver = true));
  const seen = new Map<number, number>();
  while (!isOver) {
    const { applied } = await discounts({ codes, clientId });
    seen.set(applied.length, (seen.get(applied.length) ?? 0) + 1);
  }
  await using;

  expect([...seen.keys()].sort()).toEqual([0, 2]);
});

it("reads all that is asked for by one statement, and by two when a coupon has conditions", async () => {
  const plain = await Promise.all([1, 2, 3].map(() => runningCoupon(gateway, company.id)));
  await runningCoupon(gateway, company.id, { type: "promo" });
  const once = { codes: plain.map(({ promoCode }) => promoCode), withPromos: true };
  await discounts(once);
  const conditional = await runningCoupon(gateway, company.id, { config: { limit: 1 } });
  const statements = async (input: object): Promise<number> => {
    gateway.statements.length = 0;
    await discounts(input);
    return gateway.statements.filter((text) => text.includes("coupons")).length;
  };

  expect(await statements(once)).toBe(1);
  expect(await statements({ ...once, codes: [...once.codes, conditional.promoCode] })).toBe(2);
});

it("distinguishes two codes of one coupon, and takes a coupon that is named twice once", async () => {
  const { id, codes } = await runningCoupon(gateway, company.id, { type: "personal", totalCount: 2 });
  const promo = await runningCoupon(gateway, company.id, { type: "promo" });
  const { id: orderId } = await createOrder(gateway, company.id);
  await run(`mutation ($c: Int!, $i: HoldCouponInput!) { holdCoupon(companyId: $c, input: $i) { id } }`, {
    code: codes[0],
    orderId,
  });

  const found = await discounts({
    codes: [...codes, "NOSUCHCODE"],
    couponIds: [promo.id, promo.id],
    withPromos: true,
  });

  expect(found.applied).toEqual(
    expect.arrayContaining([
      { code: codes[1], coupon: { id } },
      { code: null, coupon: { id: promo.id } },
    ]),
  );
  expect(found.applied).toHaveLength(2);
  expect(found.refused).toEqual(
    expect.arrayContaining([
      { code: codes[0], reason: "COUPON_CODE_USED", coupon: { id } },
      { code: "NOSUCHCODE", reason: "COUPON_NOT_FOUND", coupon: null },
    ]),
  );
  expect(found.refused).toHaveLength(2);
});
