import {
  createBranch,
  createBranchGroup,
  createCompany,
  createGood,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { startGateway, type Client, type Gateway } from "../support/gateway.js";
import { offerOptions } from "../carts/carts.js";
import { runningCoupon } from "./running-coupon.js";

describe("checking a coupon at a place and time", () => {
  let gateway: Gateway;
  let company: TestCompany;
  const checkByRest = (body: Record<string, unknown>, by: Client = company.owner, path = "") =>
    by.rest("POST", `/companies/${company.id}${path}/coupons/check`, {
      body: { subtotal_e2: 10_000, ...body },
    });

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway, { timeZoneOffset: "-04:00" });
  });

  afterAll(() => gateway.close());

  it("is for the shop of the path", async () => {
    const [here, there] = [
      await createBranchGroup(gateway, company.id),
      await createBranchGroup(gateway, company.id),
    ];
    const branch = await createBranch(gateway, company.id, { branchGroupId: here.id });
    const other = await createBranch(gateway, company.id, { branchGroupId: there.id });
    const { id, codes } = await runningCoupon(gateway, company.id, { targetType: "branch_group" });
    await gateway.db.couponBranchGroup.create({
      data: { companyId: company.id, couponId: id, branchGroupId: here.id },
    });
    const [code] = codes;

    expect((await checkByRest({ coupon_code: code }, company.owner, `/branches/${branch.id}`)).status).toBe(
      200,
    );
    const elsewhere = await checkByRest({ coupon_code: code }, company.owner, `/branches/${other.id}`);
    expect(elsewhere).toMatchObject({ status: 422, body: { code: "COUPON_WRONG_TARGET" } });
    expect((await checkByRest({ coupon_code: code })).status).toBe(200);
    const goodElsewhere = await createGood(gateway, company.id, { branchGroupId: there.id });
    const byGood = await checkByRest({ coupon_code: code, goods: [goodElsewhere.id] });
    expect(byGood.body.code).toBe("COUPON_WRONG_TARGET");
    expect((await checkByRest({ coupon_code: code, good_ids: `${goodElsewhere.id}` })).body.code).toBe(
      "COUPON_WRONG_TARGET",
    );
    const goodHere = await createGood(gateway, company.id, { branchGroupId: here.id });
    const anywhere = await createGood(gateway, company.id);
    const both = await checkByRest({ coupon_code: code, goods: [goodHere.id, goodElsewhere.id] });
    expect(both.body.code).toBe("COUPON_WRONG_TARGET");
    expect((await checkByRest({ coupon_code: code, goods: [goodHere.id, anywhere.id] })).status).toBe(200);
    const nowhere = await checkByRest({ coupon_code: code }, company.owner, "/branches/2000000000");
    expect(nowhere.status).toBe(404);
  });

  it("takes services at the branch's price as the base, and counts units", async () => {
    const branch = await createBranch(gateway, company.id);
    const service = await createGood(gateway, company.id, { type: 1, priceE2: 900 });
    const thing = await createGood(gateway, company.id, { type: 0, priceE2: 5000 });
    await gateway.db.branchGood.create({
      data: { companyId: company.id, branchId: branch.id, goodId: service.id, priceE2: 700 },
    });
    const { propertyId } = await offerOptions(gateway, { company, goodId: service.id }, { prices: [0] });
    const { codes } = await runningCoupon(gateway, company.id, {
      priceE2: 0,
      pricePrc: "0.5",
      appliesTo: "service",
    });
    const perUnit = await runningCoupon(gateway, company.id, { priceE2: 10, config: { applyForUnit: true } });
    const items = [
      { good_id: service.id, quantity: 2, properties: [{ property_id: propertyId, value: "Option 0" }] },
      { good_id: thing.id, quantity: 3 },
    ];

    const there = await checkByRest(
      { coupon_code: codes[0], items },
      company.owner,
      `/branches/${branch.id}`,
    );
    const anywhere = await checkByRest({ coupon_code: codes[0], items });

    expect(there.body.discount_e2).toBe(700);
    expect(anywhere.body.discount_e2).toBe(900);
    expect((await checkByRest({ coupon_code: perUnit.codes[0], items })).body.discount_e2).toBe(50);
  });

  it("judges by the time that is asked about, in the company's zone or the branch's", async () => {
    const branch = await gateway.db.branch.create({
      data: { companyId: company.id, name: "East", timeZoneOffset: "+02:00" },
    });
    const { codes } = await runningCoupon(gateway, company.id, {
      config: { hourBeg: "22:00", hourEnd: "02:00", days: [5] },
    });
    const [coupon_code] = codes;
    // The purchase is on a Saturday, at 01:30 with -04:00 and at 07:30 with +02:00.
    const datetime = "2099-01-03T05:30:00Z";
    const at = (extra: Record<string, unknown>) =>
      checkByRest({ coupon_code, datetime, ...extra }, company.owner, `/branches/${branch.id}`);

    expect((await at({})).status).toBe(200);
    expect((await at({ time: "22:30" })).body.code).toBe("COUPON_OUTSIDE_DAYS");
    expect((await at({ time: "03:00", datetime: "2099-01-02T12:00:00Z" })).body.code).toBe(
      "COUPON_OUTSIDE_HOURS",
    );
    expect((await at({ use_local_tz: true })).body.code).toBe("COUPON_OUTSIDE_DAYS");
  });

  it("knows the client's earlier orders: of the company, the shop or the branch, canceled ones apart", async () => {
    const { id: clientId } = await signedInClient(gateway, company.id);
    const shop = await createBranchGroup(gateway, company.id);
    const here = await createBranch(gateway, company.id, { branchGroupId: shop.id });
    const beside = await createBranch(gateway, company.id, { branchGroupId: shop.id });
    const elsewhere = await createBranch(gateway, company.id);
    const order = (branchId: number, status: string) =>
      gateway.db.order.create({
        data: { companyId: company.id, clientId, branchId, status, currencyIso: "USD" },
      });
    const coupons = await Promise.all(
      (["company", "branch_group", "branch"] as const).map((firstPurchaseMode) =>
        runningCoupon(gateway, company.id, { config: { onlyFirstPurchase: true, firstPurchaseMode } }),
      ),
    );
    const answers = async (path = `/branches/${here.id}`) => {
      const all = coupons.map(({ codes: [coupon_code] }) =>
        checkByRest({ coupon_code, client_id: clientId }, company.owner, path),
      );
      return (await Promise.all(all)).map(({ status }) => status);
    };

    await order(here.id, "canceled");
    expect(await answers()).toEqual([200, 200, 200]);
    await order(elsewhere.id, "created");
    expect(await answers()).toEqual([422, 200, 200]);
    expect(await answers("")).toEqual([422, 422, 422]);
    await order(beside.id, "created");
    expect(await answers()).toEqual([422, 422, 200]);
    await order(here.id, "delivered");
    expect(await answers()).toEqual([422, 422, 422]);
  });
});
