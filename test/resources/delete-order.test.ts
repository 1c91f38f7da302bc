import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { createOrder, runningCoupon, tally } from "../coupons/running-coupon.js";

const DELETE = "mutation ($c: Int!, $id: Int!) { answer: deleteOrder(companyId: $c, id: $id) { id } }";
const DELETE_ALL =
  "mutation ($c: Int!, $ids: [Int!]!) { answer: deleteOrders(companyId: $c, ids: $ids) { id ok error { code message } } }";
const CANCEL =
  "mutation ($c: Int!, $id: Int!) { answer: updateOrder(companyId: $c, id: $id, input: { status: canceled }) { id } }";
const use = (name: string, type: string) =>
  `mutation ($c: Int!, $input: ${type}!) { answer: ${name}(companyId: $c, input: $input) { id } }`;
const CONSUME = use("consumeCoupon", "ConsumeCouponInput");
const HOLD = use("holdCoupon", "HoldCouponInput");

const KEPT =
  "The order has a use of coupons on record, so it is kept: cancel it instead, which gives them back.";

describe("deleting an order", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const run = (document: string, variables: object) => acme.owner.run(document, { c: acme.id, ...variables });
  const exists = async (id: number) =>
    (await gateway.db.order.count({ where: { companyId: acme.id, id } })) === 1;
  const refused = async (id: number) => {
    const { errors } = await run(DELETE, { id });
    const { code, status } = errors?.[0]?.extensions ?? {};
    return [code, status, errors?.[0]?.message];
  };

  it("says of one that has used coupons why it stays and what to do, which helps", async () => {
    const coupon = await runningCoupon(gateway, acme.id);
    const other = await runningCoupon(gateway, acme.id);
    const { id } = await createOrder(gateway, acme.id);
    dataOf(await run(CONSUME, { input: { code: coupon.codes[0], orderId: id } }));

    const once = await refused(id);
    dataOf(await run(CONSUME, { input: { code: other.codes[0], orderId: id } }));
    const twice = await refused(id);
    const before = (await tally(gateway, acme.id, coupon.id)).counters;
    dataOf(await run(CANCEL, { id }));
    const canceled = await refused(id);

    expect(once).toEqual(["CONFLICT", 409, KEPT]);
    expect(twice).toEqual(["CONFLICT", 409, KEPT.replace("a use", "2 uses")]);
    expect(canceled).toEqual([
      "CONFLICT",
      409,
      "The order has 2 uses of coupons on record, so it is kept: it is canceled already.",
    ]);
    expect(await exists(id)).toBe(true);
    expect(before).toMatchObject({ spent: 1, given: 1000 });
    expect((await tally(gateway, acme.id, coupon.id)).counters).toMatchObject({ spent: 0, given: 0 });
  });

  it("leaves it out among many, and gives back what the others hold", async () => {
    const { id: couponId, codes } = await runningCoupon(gateway, acme.id);
    const [kept, gone] = [await createOrder(gateway, acme.id), await createOrder(gateway, acme.id)];
    dataOf(await run(CONSUME, { input: { code: codes[0], orderId: kept.id } }));
    dataOf(await run(HOLD, { input: { code: codes[0], orderId: gone.id } }));

    const { answer } = dataOf(await run(DELETE_ALL, { ids: [kept.id, gone.id] }));

    expect(answer).toEqual([
      { id: kept.id, ok: false, error: { code: "CONFLICT", message: KEPT } },
      { id: gone.id, ok: true, error: null },
    ]);
    expect([await exists(kept.id), await exists(gone.id)]).toEqual([true, false]);
    expect((await tally(gateway, acme.id, couponId)).counters).toEqual({
      spent: 1,
      given: 1000,
      held: 0,
      reserved: 0,
    });
  });
});
