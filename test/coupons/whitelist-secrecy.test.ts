import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { runningCoupon } from "./running-coupon.js";

const CHECK = `mutation ($companyId: Int!, $input: CheckCouponInput!) {
  answer: checkCoupon(companyId: $companyId, input: $input) { coupon { whitelist } explanation { rules { actual required } } }
}`;
const REDEEM = `mutation ($companyId: Int!, $input: RedeemCouponInput!) {
  answer: redeemCoupon(companyId: $companyId, input: $input) { coupon { whitelist } }
}`;
const PROMOS = `query ($companyId: Int!, $input: ApplicablePromosInput!) {
  answer: applicablePromos(companyId: $companyId, input: $input) {
    coupon { whitelist } explanation { rules { actual required } }
  }
}`;

describe("the part of a coupon's list that clients see", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let me: { id: number; client: Client };
  let others: number[];
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
    me = await signedInClient(gateway, company.id);
    others = [];
    for (let n = 0; n < 3; n += 1) others.push((await signedInClient(gateway, company.id)).id);
  });
  afterAll(() => gateway.close());

  const listed = (type: string) =>
    runningCoupon(gateway, company.id, { type, whitelist: [...others, me.id], totalCount: 2 });
  const by = async (client: Client, document: string, input: object) =>
    dataOf(await client.run(document, { companyId: company.id, input })).answer;
  const post = (client: Client, action: string, body: object) =>
    client.rest("POST", `/companies/${company.id}/coupons/${action}`, { body });

  it.each(["personal", "batch"])("is their own place on it when they check a coupon: %s", async (type) => {
    const { codes } = await listed(type);
    const [couponCode] = codes;

    const input = { couponCode, subtotalE2: 1000, explain: true };
    const answer = await by(me.client, CHECK, input);
    const { body } = await post(me.client, "check", {
      coupon_code: couponCode,
      subtotal_e2: 1000,
      explain: true,
    });

    expect([answer.coupon.whitelist, body.whitelist]).toEqual([[me.id], [me.id]]);
    for (const { rules } of [answer.explanation, body.explanation]) {
      expect(rules[7]).toMatchObject({
        actual: `client ${me.id}`,
        required: "a client of the coupon's list",
      });
    }
  });

  it("is their own place on it when they redeem a gift card, verify it or are answered again", async () => {
    const { codes } = await listed("gift_card");
    const [couponCode, another] = codes;
    const headers = { "idempotency-key": `secrecy-${company.id}` };
    const again = () =>
      me.client.rest("POST", `/companies/${company.id}/coupons/redeem`, {
        body: { coupon_code: another, redeem: true },
        headers,
      });

    const answers = [
      (await by(me.client, REDEEM, { couponCode })).coupon.whitelist,
      (await post(me.client, "redeem", { coupon_code: couponCode })).body.whitelist,
      (await by(me.client, REDEEM, { couponCode, redeem: true })).coupon.whitelist,
      (await again()).body.whitelist,
      (await again()).body.whitelist,
    ];

    expect(answers).toEqual(Array(5).fill([me.id]));
  });

  it("is their own place on it when they ask for promos", async () => {
    await listed("promo");

    const [promo] = await by(me.client, PROMOS, { subtotalE2: 1000, explain: true });

    expect(promo.coupon.whitelist).toEqual([me.id]);
  });
});
