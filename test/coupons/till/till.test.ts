import { adminWith, createCompany, type TestCompany } from "../../support/factories.js";
import { startGateway, wrongFields, type Gateway } from "../../support/gateway.js";
import { createOrder, runningCoupon, tally } from "../running-coupon.js";

describe("coupons at a till", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  it("are held, used and given back over REST as over GraphQL", async () => {
    const till = await adminWith(gateway, company.id, "can_redeem_coupons");
    const { id, codes } = await runningCoupon(gateway, company.id);
    const { id: order } = await createOrder(gateway, company.id);
    const post = (path: string, body: object, by = till) =>
      by.rest("POST", `/companies/${company.id}/coupons/${path}`, { body });
    const input = { code: codes[0], order_id: order };
    const counters = async () => (await tally(gateway, company.id, id)).counters;

    const held = await post("hold", { ...input, ttl_seconds: 60 });
    expect(await counters()).toEqual({ spent: 0, given: 0, held: 1, reserved: 1000 });
    const used = await post("consume", input);
    const again = await post("consume", input);
    expect(await counters()).toEqual({ spent: 1, given: 1000, held: 0, reserved: 0 });
    const returned = await post("return", { coupon_id: id, order_id: order });

    expect([held, used, again, returned].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(held.body).toMatchObject({ coupon_id: id, order_id: order, amount_e2: 1000 });
    expect(used.body).toMatchObject({ coupon_id: id, order_id: order, amount_e2: 1000 });
    expect(again.body).toEqual(used.body);
    expect(returned.body.id).toBe(used.body.id);
    expect(await counters()).toEqual({ spent: 0, given: 0, held: 0, reserved: 0 });
  });

  it("say all that is wrong at once, on both faces", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id);
    const { id: orderId } = await createOrder(gateway, company.id);
    const byRest = async (path: string, body: object) => {
      const answer = await company.owner.rest("POST", `/companies/${company.id}/coupons/${path}`, { body });
      return [answer.status, ...wrongFields(answer.body.errors)];
    };
    const byGraphql = async (name: string, input: object) => {
      const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
      const { errors } = await company.owner.run(
        `mutation ($companyId: Int!, $input: ${type}!) { ${name}(companyId: $companyId, input: $input) { id } }`,
        { companyId: company.id, input },
      );
      return wrongFields(errors?.[0]?.extensions["errors"] as never);
    };
    const before = (await tally(gateway, company.id, id)).counters;

    for (const path of ["consume", "hold", "return"]) {
      expect(await byRest(path, {})).toEqual([422, "code:required", "order_id:required"]);
      expect(await byRest(path, { code: null, coupon_id: null, order_id: 0 })).toEqual([
        ...[422, "code:required", "order_id:min"],
      ]);
    }
    for (const name of ["consumeCoupon", "holdCoupon", "returnCoupon", "releaseCoupon"])
      expect(await byGraphql(name, { orderId: 0 })).toEqual(["code:required", "orderId:min"]);
    const both = { code: codes[0], couponId: id, orderId: 0 };
    for (const name of ["consumeCoupon", "holdCoupon"])
      expect(await byGraphql(name, both)).toEqual(["couponId:forbidden", "orderId:min"]);
    expect(await byGraphql("returnCoupon", both)).toEqual(["orderId:min"]);
    expect(await byGraphql("consumeCoupon", { orderId })).toEqual(["code:required"]);
    expect((await tally(gateway, company.id, id)).counters).toEqual(before);
  });

  it("are refused with the rule that does not hold, and for who may not redeem", async () => {
    const reader = await adminWith(gateway, company.id, "access_coupons");
    const { id, codes } = await runningCoupon(gateway, company.id, { minPurchaseE2: 20_000 });
    const { id: order } = await createOrder(gateway, company.id);
    const body = { code: codes[0], order_id: order };
    const path = `/companies/${company.id}/coupons/consume`;

    const refused = await company.owner.rest("POST", path, { body });
    const stranger = await reader.rest("POST", path, { body });

    expect([refused.status, refused.body.code]).toEqual([422, "COUPON_MIN_PURCHASE"]);
    expect([stranger.status, stranger.body.code]).toEqual([403, "FORBIDDEN"]);
    expect((await tally(gateway, company.id, id)).counters.spent).toBe(0);
  });
});
