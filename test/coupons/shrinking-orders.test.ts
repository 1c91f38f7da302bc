import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { createOrder, runningCoupon, tally } from "./running-coupon.js";

describe("an order that becomes smaller", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const run = (document: string, variables: object) =>
    company.owner.run(document, { companyId: company.id, ...variables });
  const consume = (input: object) =>
    run(
      `mutation ($companyId: Int!, $input: ConsumeCouponInput!) {
        consumeCoupon(companyId: $companyId, input: $input) { amountE2 } }`,
      { input },
    );
  const change = (id: number, input: object) =>
    run(
      `mutation ($companyId: Int!, $id: Int!, $input: UpdateOrderInput!) {
        updateOrder(companyId: $companyId, id: $id, input: $input) {
          id discountWarnings { couponId reason detail } couponUses { couponId amountE2 returnedAt } } }`,
      { id, input },
    );

  it("keeps a coupon whose smallest purchase it is below by then, and says so", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { minPurchaseE2: 5_000n });
    const fine = await runningCoupon(gateway, company.id, { priceE2: 100 });
    const { id: orderId } = await createOrder(gateway, company.id, {
      ...{ subtotalE2: 8_000, deliveryE2: 0, totalE2: 8_000 },
    });
    for (const code of [codes[0], fine.codes[0]]) dataOf(await consume({ code, orderId }));

    const before = dataOf(await change(orderId, { source: null })).updateOrder.discountWarnings;
    const smaller = dataOf(await change(orderId, { subtotalE2: 4_999, totalE2: 4_999 })).updateOrder;
    const again = dataOf(await change(orderId, { subtotalE2: 5_000, totalE2: 5_000 })).updateOrder;

    expect(before).toEqual([]);
    expect(smaller.discountWarnings).toEqual([
      {
        ...{ couponId: id, reason: "COUPON_MIN_PURCHASE" },
        detail: "The purchase is too small: needed at least 50.00, was 49.99.",
      },
    ]);
    expect(smaller.couponUses).toEqual([
      { couponId: id, amountE2: 1_000, returnedAt: null },
      { couponId: fine.id, amountE2: 100, returnedAt: null },
    ]);
    expect(again.discountWarnings).toEqual([]);
    expect((await tally(gateway, company.id, id)).counters).toMatchObject({ spent: 1, given: 1_000 });
    expect(errorCodes(await change(orderId, { subtotalE2: 1_099 }))).toEqual(["VALIDATION_FAILED"]);
  });
});
