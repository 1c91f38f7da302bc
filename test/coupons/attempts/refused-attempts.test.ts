import { setTimeout as sleep } from "node:timers/promises";
import { addJob } from "../../../src/core/jobs/jobs.js";
import { adminWith, createBranch, createCompany, signedInClient } from "../../support/factories.js";
import type { TestCompany } from "../../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../../support/gateway.js";
import { inDays } from "../coupon-rows.js";
import { createOrder, runningCoupon } from "../running-coupon.js";

const operation = (name: string, type: string, fields = "id") => /* GraphQL */ `
  mutation ($companyId: Int!, $input: ${type}!) { ${name}(companyId: $companyId, input: $input) { ${fields} } }`;
const CONSUME = operation("consumeCoupon", "ConsumeCouponInput");
const CONSUME_ALL = operation("consumeCoupons", "ConsumeCouponsInput", "totalDiscountE2");
const HOLD = operation("holdCoupon", "HoldCouponInput");
const CHECK = operation("checkCoupon", "CheckCouponInput", "discountE2");
const REDEEM = operation("redeemCoupon", "RedeemCouponInput", "balanceE2");
const ATTEMPTS = /* GraphQL */ `
  query ($companyId: Int!, $filter: CouponAttemptFilterInput, $first: Int) {
    couponAttempts(companyId: $companyId, filter: $filter, first: $first) {
      totalCount
      nodes {
        action
        couponId
        code
        clientId
        orderId
        branchId
        reason
        detail
        coupon {
          id
        }
      }
    }
  }
`;

describe("refused attempts", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companyId: number;
  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    companyId = company.id;
  });
  afterAll(() => gateway.close());

  const send = (document: string, input: object, headers?: Record<string, string>) =>
    company.owner.run(document, { companyId, input }, headers);
  const attempts = async (filter: object = {}) =>
    dataOf(await company.owner.run(ATTEMPTS, { companyId, filter }))["couponAttempts"];

  it("are kept with coupon, client, order, branch and reason, the latest first", async () => {
    const branch = await createBranch(gateway, companyId);
    const { id: clientId } = await signedInClient(gateway, companyId);
    const { id, codes } = await runningCoupon(gateway, companyId, { minPurchaseE2: 20_000 });
    const order = await createOrder(gateway, companyId, { clientId, branchId: branch.id });
    const [code = ""] = codes;

    expect(errorCodes(await send(CONSUME, { code, orderId: order.id }))).toEqual(["COUPON_MIN_PURCHASE"]);
    expect(errorCodes(await send(HOLD, { code, orderId: order.id }))).toEqual(["COUPON_MIN_PURCHASE"]);
    expect(errorCodes(await send(CHECK, { couponCode: code, subtotalE2: 1 }))).toEqual([
      "COUPON_MIN_PURCHASE",
    ]);
    expect(errorCodes(await send(CONSUME, { code: "nocodeatall", orderId: order.id }))).toEqual([
      "COUPON_NOT_FOUND",
    ]);

    const common = { clientId, orderId: order.id, branchId: branch.id };
    const refused = {
      ...common,
      couponId: id,
      coupon: { id },
      code,
      reason: "COUPON_MIN_PURCHASE",
      detail: "The purchase is too small: needed at least 200.00, was 100.00.",
    };
    expect(await attempts()).toEqual({
      totalCount: 3,
      nodes: [
        {
          ...common,
          ...{ action: "use", couponId: null, coupon: null, code: "NOCODEATALL", reason: "COUPON_NOT_FOUND" },
          detail: "No such coupon.",
        },
        { ...refused, action: "hold" },
        { ...refused, action: "use" },
      ],
    });
  });

  it("name the code of a basket that was refused, and nothing of a basket that was taken", async () => {
    const [good, bad] = [
      await runningCoupon(gateway, companyId),
      await runningCoupon(gateway, companyId, { status: "finished" }),
    ];
    const order = await createOrder(gateway, companyId);
    const codes = [good.codes[0], bad.codes[0]];

    expect(errorCodes(await send(CONSUME_ALL, { codes, orderId: order.id }))).toEqual(["COUPON_NOT_RUNNING"]);
    dataOf(await send(CONSUME_ALL, { codes: [codes[0]], orderId: order.id }));

    expect((await attempts()).nodes).toMatchObject([
      { couponId: bad.id, code: bad.codes[0], reason: "COUPON_NOT_RUNNING", clientId: null },
    ]);
  });

  it("are those of gift cards that were to be redeemed, of clients too", async () => {
    const { client, id: clientId } = await signedInClient(gateway, companyId);
    const { id, codes } = await runningCoupon(gateway, companyId, { type: "gift_card", totalCount: 1 });
    const input = { couponCode: codes[0], redeem: true };
    dataOf(await client.run(REDEEM, { companyId, input }));

    const refused = await client.run(REDEEM, { companyId, input });
    await client.run(REDEEM, { companyId, input: { ...input, redeem: false } });

    expect(errorCodes(refused)).toEqual(["COUPON_EXHAUSTED"]);
    expect((await attempts()).nodes).toMatchObject([
      { action: "use", couponId: id, clientId, orderId: null, reason: "COUPON_EXHAUSTED" },
    ]);
  });

  it("are found by coupon, client, code and reason", async () => {
    const { id: clientId } = await signedInClient(gateway, companyId);
    const [one, two] = [
      await runningCoupon(gateway, companyId, { minPurchaseE2: 20_000 }),
      await runningCoupon(gateway, companyId, { status: "finished" }),
    ];
    const orders = [
      await createOrder(gateway, companyId, { clientId }),
      await createOrder(gateway, companyId),
    ];
    await send(CONSUME, { code: one.codes[0], orderId: orders[0]?.id });
    await send(CONSUME, { code: two.codes[0], orderId: orders[1]?.id });

    const found = async (filter: object) =>
      (await attempts(filter)).nodes.map(({ couponId }: { couponId: number }) => couponId);

    expect(await found({ couponId: { eq: one.id } })).toEqual([one.id]);
    expect(await found({ clientId: { eq: clientId } })).toEqual([one.id]);
    expect(await found({ code: { eq: two.codes[0]?.toLowerCase() } })).toEqual([two.id]);
    expect(await found({ reason: { eq: "COUPON_NOT_RUNNING" } })).toEqual([two.id]);
    expect(await found({ reason: { in: ["COUPON_LIMIT"] } })).toEqual([]);
  });

  it("are kept beside a refusal that an Idempotency-Key keeps, once", async () => {
    const { id, codes } = await runningCoupon(gateway, companyId, { minPurchaseE2: 20_000 });
    const order = await createOrder(gateway, companyId);
    const headers = { "idempotency-key": "the-same-key" };
    const input = { code: codes[0], orderId: order.id };

    const answers = [await send(CONSUME, input, headers), await send(CONSUME, input, headers)];
    for (let wait = 0; wait < 100 && (await attempts()).totalCount === 0; wait += 1) await sleep(20);

    expect(answers.flatMap(errorCodes)).toEqual(["COUPON_MIN_PURCHASE", "COUPON_MIN_PURCHASE"]);
    expect((await attempts()).nodes).toMatchObject([{ couponId: id, orderId: order.id }]);
  });

  it("are for who may see coupons, of the own company", async () => {
    const { codes } = await runningCoupon(gateway, companyId, { status: "finished" });
    await send(CONSUME, { code: codes[0], orderId: (await createOrder(gateway, companyId)).id });
    const redeemer = await adminWith(gateway, companyId, "can_redeem_coupons");
    const other = await createCompany(gateway);

    expect(errorCodes(await redeemer.run(ATTEMPTS, { companyId }))).toEqual(["FORBIDDEN"]);
    expect(errorCodes(await other.owner.run(ATTEMPTS, { companyId }))).toEqual(["FORBIDDEN"]);
    expect(dataOf(await other.owner.run(ATTEMPTS, { companyId: other.id }))["couponAttempts"]).toEqual({
      totalCount: 0,
      nodes: [],
    });
  });

  it("are removed after 90 days, and no others", async () => {
    const common = { companyId, action: "use", reason: "COUPON_LIMIT", detail: "It was." };
    await gateway.db.couponAttempt.createMany({
      data: [
        { ...common, code: "OLD", createdAt: inDays(-90.1) },
        { ...common, code: "YOUNG", createdAt: inDays(-89.9) },
      ],
    });

    await addJob({ db: gateway.db }, "removeOldAttempts", {});
    await gateway.runJobs();

    expect((await attempts()).nodes.map(({ code }: { code: string }) => code)).toEqual(["YOUNG"]);
  });
});
