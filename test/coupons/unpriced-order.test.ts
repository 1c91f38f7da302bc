import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createOrder, runningCoupon, tally } from "./running-coupon.js";

const UNUSED = { spent: 0, given: 0, held: 0, reserved: 0 };

describe("an order that has no price", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const send = (document: string, input: object) =>
    company.owner.run(document, { companyId: company.id, input });
  const mutation = (name: string, fields: string) => (input: object) =>
    send(
      `mutation ($companyId: Int!, $input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) {
        ${name}(companyId: $companyId, input: $input) { ${fields} } }`,
      input,
    );
  const consume = mutation("consumeCoupon", "id amountE2");
  const hold = mutation("holdCoupon", "id amountE2");
  const consumeAll = mutation("consumeCoupons", "totalDiscountE2 uses { id }");
  const discounts = (input: object) =>
    send(
      `query ($companyId: Int!, $input: DiscountsInput!) { discounts(companyId: $companyId, input: $input) {
        totalDiscountE2 applied { discountE2 explanation { baseE2 steps { step amountE2 detail } } } } }`,
      input,
    );
  const unpriced = async () =>
    (await createOrder(gateway, company.id, { subtotalE2: 0, deliveryE2: 0, totalE2: 0 })).id;
  const half = (terms: Parameters<typeof runningCoupon>[2] = {}) =>
    runningCoupon(gateway, company.id, { priceE2: 0, pricePrc: "0.5", ...terms });

  it.each(["total", "subtotal", "base_price", "service", "delivery"])(
    "needs the price of the goods in the input, and nothing is used, held or shown without: %s",
    async (appliesTo) => {
      const { id, codes } = await half({ appliesTo });
      const promo = await half({ type: "promo", appliesTo });
      const [code] = codes;
      const orderId = await unpriced();
      const told = { orderId, deliveryE2: 100, basePriceE2: 900, subtotalFullE2: 900 };

      for (const answer of [
        await consume({ ...told, code }),
        await hold({ ...told, code }),
        await consume({ ...told, couponId: promo.id }),
        await consumeAll({ ...told, codes }),
        await consumeAll({ ...told, withPromos: true }),
        await discounts({ ...told, codes }),
        await discounts({ codes }),
        await discounts({}),
      ]) {
        expect(errorCodes(answer)).toEqual(["VALIDATION_FAILED"]);
        expect(wrongFields(answer.errors?.[0]?.extensions["errors"])).toEqual(["subtotalE2:required"]);
      }
      for (const couponId of [id, promo.id]) {
        const { counters, rows } = await tally(gateway, company.id, couponId);
        expect([counters, rows]).toEqual([UNUSED, UNUSED]);
      }
      // Other tests take promos along.
      await gateway.db.coupon.update({
        where: { companyId_id: { companyId: company.id, id: promo.id } },
        data: { status: "finished" },
      });
      dataOf(await consume({ ...told, code, subtotalE2: 900 }));
    },
  );

  it("is not needed where the order has a price, were it the delivery alone", async () => {
    const { codes } = await half({ appliesTo: "delivery" });
    const { id: orderId } = await createOrder(gateway, company.id, {
      subtotalE2: 0,
      deliveryE2: 300,
      totalE2: 300,
    });

    expect(dataOf(await consume({ code: codes[0], orderId })).consumeCoupon.amountE2).toBe(150);
  });

  it("gets what it holds, and what it has used, without telling the price again", async () => {
    const { id: clientId } = await signedInClient(gateway, company.id);
    const [one, other] = [await half({ config: { limit: 1 } }), await half()];
    const orderId = await unpriced();
    for (const { codes } of [one, other])
      dataOf(await hold({ code: codes[0], orderId, clientId, subtotalE2: 400 }));

    const again = await hold({ code: one.codes[0], orderId, clientId });
    const shown = await discounts({ codes: [one.codes[0]], orderId, clientId, explain: true });
    const used = await consume({ code: one.codes[0], orderId, clientId });
    const repeated = await consume({ code: one.codes[0], orderId });
    const all = await consumeAll({ codes: [one.codes[0], other.codes[0]], orderId, clientId });

    expect(dataOf(again).holdCoupon.amountE2).toBe(200);
    expect(dataOf(shown).discounts).toEqual({
      totalDiscountE2: 200,
      applied: [
        {
          discountE2: 200,
          explanation: {
            baseE2: 200,
            steps: [{ step: "flat", amountE2: 200, detail: "2.00 as it was held" }],
          },
        },
      ],
    });
    expect(dataOf(used).consumeCoupon.amountE2).toBe(200);
    expect(dataOf(repeated)).toEqual(dataOf(used));
    expect(dataOf(all).consumeCoupons.totalDiscountE2).toBe(400);
    for (const { id } of [one, other]) {
      const { counters, rows } = await tally(gateway, company.id, id);
      expect(counters).toEqual({ spent: 1, given: 200, held: 0, reserved: 0 });
      expect(rows).toEqual(counters);
    }
  });
});
