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

describe("several purchases in one document", () => {
  const MANY_ASKED = 50;
  const FIELDS =
    "{ totalDiscountE2 applied { coupon { id } discountE2 items { goodId amountE2 } } refused { reason coupon { id } } }";

  const asked = (count: number): string => {
    const places = Array.from({ length: count }, (_, place) => place);
    const variables = places.map((place) => `$i${place}: DiscountsInput!`).join(", ");
    const fields = places.map((place) => `a${place}: discounts(companyId: $c, input: $i${place}) ${FIELDS}`);
    return `query ($c: Int!, ${variables}) { ${fields.join(" ")} }`;
  };
  const together = (inputs: readonly object[]) =>
    company.owner.run(asked(inputs.length), {
      c: company.id,
      ...Object.fromEntries(inputs.map((input, place) => [`i${place}`, input])),
    });

  /** Purchases that differ in what promos look at: price, client, branch, goods, and the moment. */
  async function purchases(): Promise<object[]> {
    const { id: companyId } = company;
    const client = async (name: string) =>
      gateway.db.client.create({
        data: { companyId, name, email: `${name}@example.com`, phone: "+15550001" },
      });
    const [ada, bob] = await Promise.all(["ada", "bob"].map(client));
    const shop = await gateway.db.branchGroup.create({ data: { companyId, name: "Shop" } });
    const branch = await gateway.db.branch.create({
      data: { companyId, branchGroupId: shop.id, name: "Branch" },
    });
    const good = await gateway.db.good.create({
      data: {
        companyId,
        branchGroupId: shop.id,
        name: "Tea",
        type: 1,
        priceE2: 700,
        shortDetails: "",
        details: "",
      },
    });
    await runningCoupon(gateway, companyId, { type: "promo", priceE2: 300, config: { limit: 1 } });
    await runningCoupon(gateway, companyId, {
      type: "promo",
      priceE2: 200,
      config: { feeRules: [{ name: "Large", priceMinE2: 5_000 }] },
    });
    await runningCoupon(gateway, companyId, {
      type: "promo",
      priceE2: 100,
      config: { onlyFirstPurchase: true },
    });
    const ofShop = await runningCoupon(gateway, companyId, { type: "promo", targetType: "branch_group" });
    await gateway.db.couponBranchGroup.create({
      data: { companyId, couponId: ofShop.id, branchGroupId: shop.id },
    });
    await runningCoupon(gateway, companyId, {
      type: "promo",
      priceE2: 50,
      config: { limit: 1 },
    });
    const { id: orderId } = await createOrder(gateway, companyId, { clientId: bob?.id as number });
    await run(USE, { withPromos: true, orderId });
    const items = [{ goodId: good.id, quantity: 2 }];
    const later = new Date(Date.now() + 86_400_000).toISOString();
    return [
      { subtotalE2: 1_000 },
      { subtotalE2: 9_000, clientId: ada?.id },
      { subtotalE2: 9_000, clientId: bob?.id },
      { subtotalE2: 9_000, branchId: branch.id },
      { subtotalE2: 1_400, items, clientId: bob?.id },
      { subtotalE2: 1_400, items: [{ ...items[0], totalPriceE2: 1_400 }], explain: true },
      { subtotalE2: 9_000, datetime: later },
    ];
  }

  it("are judged as each by itself", async () => {
    const inputs = (await purchases()).map((input) => ({ ...input, withPromos: true }));
    const alone: unknown[] = [];
    for (const input of inputs) alone.push(dataOf(await together([input]))["a0"]);

    const all = Array.from({ length: MANY_ASKED }, (_, place) => place % inputs.length);
    const found = dataOf(await together(all.map((place) => inputs[place] as object)));

    expect(new Set(alone.map((one) => JSON.stringify(one))).size).toBeGreaterThan(3);
    expect(all.map((_, place) => found[`a${place}`])).toEqual(all.map((place) => alone[place]));
  });

  it("are refused each by itself", async () => {
    await runningCoupon(gateway, company.id, { type: "promo" });
    const { data, errors } = await together([
      { subtotalE2: 1_000, withPromos: true },
      { subtotalE2: 1_000, withPromos: true, branchId: 1_000_000_000 },
      { withPromos: true },
      { subtotalE2: 5_000, withPromos: true },
    ]);

    expect(data).toMatchObject({
      ...{ a0: { totalDiscountE2: 1_000 }, a1: null, a2: null },
      ...{ a3: { totalDiscountE2: 1_000 } },
    });
    // Errors stand in the order in which fields fail.
    expect(
      errors?.map(({ path, extensions }) => `${path?.join(".")} ${extensions?.["code"]}`).sort(),
    ).toEqual(["a1 VALIDATION_FAILED", "a2 VALIDATION_FAILED"]);
  });

  it("of many clients share what campaigns have left", async () => {
    const { id: companyId } = company;
    const campaign = async (name: string, budgetE2: number): Promise<number> =>
      (await gateway.db.campaign.create({ data: { companyId, name, budgetE2 } })).id;
    const [small, large] = [await campaign("Small", 1_900), await campaign("Large", 90_000)];
    const promo = (priceE2: number, campaignId: number | null) =>
      runningCoupon(gateway, companyId, { type: "promo", priceE2, campaignId });
    await Promise.all([promo(500, small), promo(400, small), promo(300, large), promo(20, null)]);
    const { id: orderId } = await createOrder(gateway, companyId);
    const used = await run(USE, { withPromos: true, orderId });
    const clients = await gateway.db.client.createManyAndReturn({
      data: Array.from({ length: MANY_ASKED }, (_, index) => ({
        ...{ companyId, name: `Client ${index}`, email: `of-many-${index}@example.com`, phone: "+15550001" },
      })),
    });
    const inputs = clients.map(({ id }) => ({ subtotalE2: 8_000, withPromos: true, clientId: id }));
    const alone = dataOf(await together(inputs.slice(0, 1)))["a0"];
    const found = dataOf(await together(inputs));

    expect(used["consumeCoupons"]).toEqual({ totalDiscountE2: 1_220 });
    expect(alone.applied.map((one: { discountE2: number }) => one.discountE2)).toEqual([500, 400, 300, 20]);
    expect(Object.values(found)).toEqual(clients.map(() => alone));

    const again = await createOrder(gateway, companyId);
    await run(USE, { withPromos: true, orderId: again.id });
    const after = dataOf(await together(inputs));
    expect(after["a0"]).toMatchObject({ totalDiscountE2: 320 });
    expect(Object.values(after)).toEqual(clients.map(() => after["a0"]));
  });

  it("sum up a campaign once, however many of its promos there are", async () => {
    const { id: companyId } = company;
    const { id: campaignId } = await gateway.db.campaign.create({
      data: { companyId, name: "Summer", budgetE2: 100_000 },
    });
    for (let count = 0; count < 3; count += 1)
      await runningCoupon(gateway, companyId, { type: "promo", campaignId });
    const sums = async (inputs: readonly object[]): Promise<string[]> => {
      gateway.statements.length = 0;
      dataOf(await together(inputs.map((input) => ({ ...input, withPromos: true }))));
      return gateway.statements.filter((text) => text.includes("campaign_room"));
    };

    for (const texts of [
      await sums([{ subtotalE2: 5_000 }]),
      await sums([{ subtotalE2: 5_000 }, { subtotalE2: 6_000 }]),
    ]) {
      expect(texts).toHaveLength(1);
      // A part that PostgreSQL runs once, and not once for each row.
      expect(texts[0]).toMatch(/^\s*WITH m AS MATERIALIZED \([^)]*campaign_room/u);
    }
  });

  it("take as many statements for many as for a few", async () => {
    await runningCoupon(gateway, company.id, { type: "promo", config: { limit: 1 } });
    const { id: clientId } = await gateway.db.client.create({
      data: { companyId: company.id, name: "Eve", email: "eve@example.com", phone: "+15550001" },
    });
    const statements = async (count: number): Promise<number> => {
      gateway.statements.length = 0;
      const inputs = Array.from({ length: count }, (_, place) => ({
        ...{ subtotalE2: 1_000 + place, withPromos: true },
        ...(place % 2 === 0 && { clientId }),
      }));
      dataOf(await together(inputs));
      return gateway.statements.filter((text) => /FROM (?:coupons|unnest)/u.test(text)).length;
    };
    await statements(2);

    expect(await statements(20)).toBe(await statements(3));
  });
});
