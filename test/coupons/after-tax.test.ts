import type { CouponConfig } from "../../src/slices/coupons/coupon-config.model.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { createOrder, runningCoupon, tally } from "./running-coupon.js";

const operation = (name: string, type: string, fields: string) => /* GraphQL */ `
  mutation ($companyId: Int!, $input: ${type}!) { answer: ${name}(companyId: $companyId, input: $input) { ${fields} } }`;
const CHECK = operation("checkCoupon", "CheckCouponInput", "discountE2");
const CONSUME = operation("consumeCoupon", "ConsumeCouponInput", "amountE2");

const feeRule = (terms: object) =>
  ({ name: "rule", ...terms }) as NonNullable<CouponConfig["feeRules"]>[number];
const TAXED = { subtotalE2: 4_900, subtotalFullE2: 5_800 };

describe("a coupon that applies after tax", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const tenth = (terms: { minPurchaseE2?: bigint; config: CouponConfig }) =>
    runningCoupon(gateway, company.id, { priceE2: 0, pricePrc: "0.1", ...terms });
  const run = (document: string, input: object) =>
    company.owner.run(document, { companyId: company.id, input });
  const checkByRest = (body: object) =>
    company.owner.rest("POST", `/companies/${company.id}/coupons/check`, { body });
  const rest = ({ subtotalE2, subtotalFullE2 }: { subtotalE2: number; subtotalFullE2?: number }) => ({
    subtotal_e2: subtotalE2,
    subtotal_full_e2: subtotalFullE2,
  });

  it("goes by the subtotal with taxes for its smallest purchase as for its discount", async () => {
    const { id, codes } = await tenth({ minPurchaseE2: 5_000n, config: { applyAfterTax: true } });
    const [couponCode] = codes;
    const { id: orderId } = await createOrder(gateway, company.id, {
      subtotalE2: TAXED.subtotalE2,
      deliveryE2: 0,
      totalE2: TAXED.subtotalFullE2,
    });

    const checked = await run(CHECK, { couponCode, ...TAXED });
    const { status, body } = await checkByRest({ coupon_code: couponCode, ...rest(TAXED) });
    const untaxed = await run(CONSUME, { code: couponCode, orderId });
    const before = await tally(gateway, company.id, id);
    const used = await run(CONSUME, { code: couponCode, orderId, subtotalFullE2: TAXED.subtotalFullE2 });

    expect(dataOf(checked).answer.discountE2).toBe(580);
    expect([status, body.discount_e2]).toEqual([200, 580]);
    expect(errorCodes(untaxed)).toEqual(["COUPON_MIN_PURCHASE"]);
    expect(before.counters).toEqual({ spent: 0, given: 0, held: 0, reserved: 0 });
    expect(dataOf(used).answer.amountE2).toBe(580);
  });

  it("names in a refusal the subtotal by which it went", async () => {
    const { codes } = await tenth({ minPurchaseE2: 6_000n, config: { applyAfterTax: true } });
    const figures = { rule: "min_purchase", required: "at least 60.00", actual: "58.00" };

    const checked = await run(CHECK, { couponCode: codes[0], ...TAXED });
    const { status, body } = await checkByRest({ coupon_code: codes[0], ...rest(TAXED) });

    expect(checked.errors?.[0]?.extensions).toMatchObject({ code: "COUPON_MIN_PURCHASE", ...figures });
    expect([status, body]).toEqual([
      422,
      expect.objectContaining({ code: "COUPON_MIN_PURCHASE", ...figures }),
    ]);
  });

  it("goes by it for the prices of fee rules and their hours, too", async () => {
    const { codes } = await tenth({
      config: {
        applyAfterTax: true,
        feeRules: [
          feeRule({ priceMinE2: 5_000, hourBeg: "08:00", hourEnd: "10:00" }),
          feeRule({ priceMaxE2: 4_999, hourBeg: "20:00", hourEnd: "22:00" }),
        ],
      },
    });
    const at = (time: string) => run(CHECK, { couponCode: codes[0], ...TAXED, time });

    expect(dataOf(await at("09:00")).answer.discountE2).toBe(580);
    expect(errorCodes(await at("21:00"))).toEqual(["COUPON_OUTSIDE_HOURS"]);
  });

  it("gives the same with an order as without, and never more than the goods cost", async () => {
    const { codes } = await runningCoupon(gateway, company.id, {
      ...{ priceE2: 0, pricePrc: "1", config: { applyAfterTax: true } },
    });
    const { id: orderId } = await createOrder(gateway, company.id, {
      ...{ subtotalE2: TAXED.subtotalE2, deliveryE2: 0, totalE2: TAXED.subtotalFullE2 },
    });

    const alone = await run(CHECK, { couponCode: codes[0], ...TAXED });
    const ordered = await run(CHECK, { couponCode: codes[0], ...TAXED, orderId });
    const used = await run(CONSUME, {
      ...{ code: codes[0], orderId, subtotalFullE2: TAXED.subtotalFullE2 },
    });

    expect([alone, ordered].map((one) => dataOf(one).answer.discountE2)).toEqual([4_900, 4_900]);
    expect(dataOf(used).answer.amountE2).toBe(4_900);
  });

  it("is the only one to do so", async () => {
    const { codes } = await tenth({ minPurchaseE2: 5_000n, config: {} });

    expect(errorCodes(await run(CHECK, { couponCode: codes[0], ...TAXED }))).toEqual(["COUPON_MIN_PURCHASE"]);
  });
});
