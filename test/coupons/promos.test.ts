import {
  createBranch,
  createBranchGroup,
  createCompany,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import {
  dataOf,
  errorCodes,
  startGateway,
  wrongFields,
  type Client,
  type Gateway,
} from "../support/gateway.js";
import { runningCoupon } from "./running-coupon.js";

const PROMOS = /* GraphQL */ `
  query ($companyId: Int!, $input: ApplicablePromosInput!) {
    applicablePromos(companyId: $companyId, input: $input) {
      coupon {
        id
      }
      discountE2
      explanation {
        steps {
          amountE2
        }
      }
    }
  }
`;

describe("applicablePromos", () => {
  let gateway: Gateway;
  let company: TestCompany;
  const promos = (input: Record<string, unknown> = {}, by: Client = company.owner) =>
    by.run(PROMOS, { companyId: company.id, input: { subtotalE2: 10_000, ...input } });
  const promo = (overrides: Parameters<typeof runningCoupon>[2] = {}) =>
    runningCoupon(gateway, company.id, { type: "promo", ...overrides });
  const found = async (...args: Parameters<typeof promos>) =>
    (dataOf(await promos(...args)).applicablePromos as { coupon: { id: number }; discountE2: number }[]).map(
      ({ coupon, discountE2 }) => [coupon.id, discountE2],
    );

  beforeAll(async () => {
    gateway = await startGateway();
  });

  beforeEach(async () => {
    company = await createCompany(gateway);
  });

  afterAll(() => gateway.close());

  it("answers those that run and apply, best first", async () => {
    const small = await promo({ priceE2: 100 });
    const large = await promo({ priceE2: 0, pricePrc: "0.2" });
    const due = await promo({ status: "ready", startsAt: new Date(Date.now() - 1000), priceE2: 50 });
    await promo({ status: "finished" });
    await promo({ endsAt: new Date(Date.now() - 1000) });
    await promo({ status: "ready", startsAt: new Date(Date.now() + 60_000) });
    await promo({ deletedAt: new Date() });
    await promo({ minPurchaseE2: 20_000 });
    await promo({ totalCount: 0 });
    await runningCoupon(gateway, company.id);

    expect(await found()).toEqual([
      [large.id, 2000],
      [small.id, 100],
      [due.id, 50],
    ]);
  });

  it("explains the discounts on request", async () => {
    await promo({ priceE2: 100, pricePrc: "0.1" });

    const { applicablePromos } = dataOf(await promos({ subtotalE2: 1005, explain: true }));

    const [{ discountE2, explanation }] = applicablePromos;
    expect(discountE2).toBe(201);
    expect(explanation.steps.map(({ amountE2 }: { amountE2: number }) => amountE2)).toEqual([100, 100, 1]);
  });

  it("refuses a purchase of unknown goods, and one whose total is more than an amount can be", async () => {
    await promo({ appliesTo: "total", pricePrc: "1" });
    const most = Number.MAX_SAFE_INTEGER;
    const wrong = async (input: Record<string, unknown>) =>
      wrongFields((await promos(input)).errors?.[0]?.extensions["errors"]);

    expect(await wrong({ subtotalE2: most, deliveryE2: most })).toEqual(["deliveryE2:max"]);
    expect(await wrong({ goods: [2_000_000_000] })).toEqual(["goods[0]:exists"]);
    expect(await wrong({ goodIds: "2000000000" })).toEqual(["goodIds:exists"]);
    expect(await found({ subtotalE2: most, deliveryE2: 0 })).toEqual([[expect.any(Number), most]]);
  });

  it("looks at the branch and its shop", async () => {
    const shop = await createBranchGroup(gateway, company.id);
    const branch = await createBranch(gateway, company.id, { branchGroupId: shop.id });
    const elsewhere = await createBranch(gateway, company.id);
    const there = await promo({ targetType: "branch" });
    await gateway.db.couponBranch.create({
      data: { companyId: company.id, couponId: there.id, branchId: branch.id },
    });
    const notThere = await promo({ config: { targetBlacklist: [branch.id] }, targetType: "branch" });

    expect((await found({ branchId: branch.id })).map(([id]) => id)).toEqual([there.id]);
    expect((await found({ branchId: elsewhere.id })).map(([id]) => id)).toEqual([notThere.id]);
    expect(errorCodes(await promos({ branchId: 2_000_000_000 }))).toEqual(["VALIDATION_FAILED"]);
  });

  it("leaves out what does not go with the coupon of the code", async () => {
    const plain = await promo({ priceE2: 300 });
    const inSlot = await promo({ priceE2: 200, config: { collisionSlot: 1 }, targetType: "good" });
    const alone = await runningCoupon(gateway, company.id, { config: { usableInPromos: false } });
    const sameSlot = await runningCoupon(gateway, company.id, { config: { collisionSlot: 1 } });
    const avoids = await runningCoupon(gateway, company.id, { config: { avoidSameTargetPromos: true } });
    const ids = async (couponCode?: string) =>
      (await found({ ...(couponCode !== undefined && { couponCode }) })).map(([id]) => id);

    expect(await ids()).toEqual([plain.id, inSlot.id]);
    expect(await ids(alone.codes[0])).toEqual([]);
    expect(await ids(sameSlot.codes[0])).toEqual([plain.id]);
    expect(await ids(avoids.codes[0])).toEqual([plain.id, inSlot.id]);
    expect(errorCodes(await promos({ couponCode: "NOSUCHCODE" }))).toEqual(["COUPON_NOT_FOUND"]);
  });

  it("knows the client, who asks for itself alone", async () => {
    const { id, client } = await signedInClient(gateway, company.id);
    const other = await signedInClient(gateway, company.id);
    const mine = await promo({ whitelist: [id], config: { onlyFirstPurchase: true } });

    expect(await found({}, client)).toEqual([[mine.id, 1000]]);
    expect(await found({}, other.client)).toEqual([]);
    expect(await found({ clientId: id })).toEqual([[mine.id, 1000]]);
    expect(errorCodes(await promos({ clientId: id }, other.client))).toEqual(["FORBIDDEN"]);
    await gateway.db.order.create({ data: { companyId: company.id, clientId: id, currencyIso: "USD" } });
    expect(await found({}, client)).toEqual([]);
  });

  it("takes as many statements for many promos as for few", async () => {
    const { codes } = await runningCoupon(gateway, company.id);
    const count = async () => {
      gateway.statements.length = 0;
      dataOf(await promos({ couponCode: codes[0] }));
      return gateway.statements.filter((sql) => sql.includes("coupons")).length;
    };
    for (let n = 0; n < 2; n += 1) await promo();
    const few = await count();
    for (let n = 0; n < 20; n += 1) await promo();

    expect([few, await count()]).toEqual([1, 1]);
  });
});
