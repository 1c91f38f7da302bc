import {
  createBranch,
  createBranchGroup,
  createCompany,
  createGood,
  type TestCompany,
} from "../support/factories.js";
import {
  dataOf,
  errorCodes,
  startGateway,
  wrongFields,
  type Gateway,
  type GraphqlResult,
} from "../support/gateway.js";
import { offerOptions } from "../carts/carts.js";
import { createOrder, runningCoupon, tally } from "./running-coupon.js";

const SERVICE = 1;
const KILO = {
  ...{ enabled: true, unitName: "kg", fraction: 1_000 },
  ...{ minQuantity: 1, stepQuantity: 1, maxQuantity: 100_000 },
};
const HALF_OF_SERVICES = { priceE2: 0, pricePrc: "0.5", appliesTo: "service" } as const;
const UNUSED = { spent: 0, given: 0, held: 0, reserved: 0 };

describe("what is bought", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const send = (document: string, variables: object) =>
    company.owner.run(document, { companyId: company.id, ...variables });
  const check = (input: object) =>
    send(
      `mutation ($companyId: Int!, $input: CheckCouponInput!) {
        checkCoupon(companyId: $companyId, input: $input) { discountE2 } }`,
      { input },
    );
  const consume = (input: object) =>
    send(
      `mutation ($companyId: Int!, $input: ConsumeCouponInput!) {
        consumeCoupon(companyId: $companyId, input: $input) { amountE2 items { goodId quantity amountE2 } } }`,
      { input },
    );
  const order = async (input: object) =>
    dataOf(
      await send(
        `mutation ($companyId: Int!, $input: CreateOrderInput!) {
          createOrder(companyId: $companyId, input: $input) {
            id items { goodId quantity totalPriceE2 properties { propertyId value } } } }`,
        { input },
      ),
    ).createOrder as { id: number; items: object[] };
  const wrongIn = ({ errors }: GraphqlResult) =>
    (errors?.[0]?.extensions["errors"] as { field: string; rule: string }[] | undefined)?.map(
      ({ field, rule }) => `${field}:${rule}`,
    );
  const coupon = (terms: Parameters<typeof runningCoupon>[2] = {}) =>
    runningCoupon(gateway, company.id, terms);

  describe("costs with its choices and by its weight", () => {
    it("a service with a choice, in a check, and as the line of an order", async () => {
      const { id: goodId } = await createGood(gateway, company.id, { priceE2: 1_000, type: SERVICE });
      const { propertyId } = await offerOptions(gateway, { company, goodId }, { prices: [0, 2_000] });
      const { codes } = await coupon(HALF_OF_SERVICES);
      const properties = [{ propertyId, value: "Option 1" }];
      const bought = { goodId, quantity: 1, properties };

      const checked = await check({ couponCode: codes[0], subtotalE2: 5_000, items: [bought] });
      const priced = await check({
        ...{ couponCode: codes[0], subtotalE2: 5_000 },
        items: [{ goodId, quantity: 1, totalPriceE2: 2_600 }],
      });
      const chosen = await order({ subtotalE2: 5_000, items: [bought] });
      const told = await order({ subtotalE2: 5_000, items: [{ goodId, quantity: 1, totalPriceE2: 2_600 }] });
      const bare = await order({ subtotalE2: 5_000, items: [{ goodId, quantity: 1 }] });
      const used = [];
      for (const { id: orderId } of [chosen, told, bare])
        used.push(dataOf(await consume({ code: codes[0], orderId })).consumeCoupon);

      expect([checked, priced].map((one) => dataOf(one).checkCoupon.discountE2)).toEqual([1_500, 1_300]);
      expect(chosen.items).toEqual([{ goodId, quantity: 1, totalPriceE2: 3_000, properties }]);
      expect(told.items).toEqual([{ goodId, quantity: 1, totalPriceE2: 2_600, properties: null }]);
      expect(bare.items).toEqual([{ goodId, quantity: 1, totalPriceE2: null, properties: null }]);
      expect(used).toEqual(
        [1_500, 1_300, 500].map((amountE2) => ({ amountE2, items: [{ goodId, quantity: 1, amountE2 }] })),
      );
    });

    it("a weight of 100 g at 20.00 a kilogram: 2.00, one unit", async () => {
      const { id: goodId } = await createGood(gateway, company.id, {
        ...{ priceE2: 2_000, type: SERVICE, unitConfig: KILO },
      });
      const half = await coupon(HALF_OF_SERVICES);
      const each = await coupon({ priceE2: 30, config: { applyForUnit: true } });
      const { id: orderId } = await order({ subtotalE2: 5_000, items: [{ goodId, quantity: 100 }] });
      const items = [{ goodId, quantity: 100 }];

      const checked = await check({ couponCode: half.codes[0], subtotalE2: 5_000, items });
      const units = await check({ couponCode: each.codes[0], subtotalE2: 5_000, items });
      const used = await consume({ code: half.codes[0], orderId });

      expect([checked, units].map((one) => dataOf(one).checkCoupon.discountE2)).toEqual([100, 30]);
      expect(dataOf(used).consumeCoupon.amountE2).toBe(100);
    });

    it("is refused where the good does not offer what is chosen, and the order is not made", async () => {
      const { id: goodId } = await createGood(gateway, company.id);
      const { propertyId } = await offerOptions(gateway, { company, goodId }, { prices: [0] });

      const refused = await send(
        `mutation ($companyId: Int!, $input: CreateOrderInput!) { createOrder(companyId: $companyId, input: $input) { id } }`,
        { input: { items: [{ goodId, quantity: 1, properties: [{ propertyId, value: "None such" }] }] } },
      );

      expect(errorCodes(refused)).toEqual(["VALIDATION_FAILED"]);
      expect(wrongIn(refused)).toEqual(["items[0].properties[0].value:exists"]);
      expect(await gateway.db.order.count({ where: { companyId: company.id } })).toBe(0);
    });

    it("is refused alike by all that price items for coupons, over both faces, and nothing is used", async () => {
      const goodIds = [];
      for (let n = 0; n < 3; n += 1) goodIds.push((await createGood(gateway, company.id)).id);
      const [first = 0, second, third = 0] = goodIds;
      const offered = await offerOptions(gateway, { company, goodId: first }, { prices: [0, 500] });
      const { propertyId } = await offerOptions(gateway, { company, goodId: third }, { prices: [0] });
      const { id, codes } = await coupon(HALF_OF_SERVICES);
      const [code] = codes;
      const { id: orderId } = await createOrder(gateway, company.id, { subtotalE2: 5_000, totalE2: 5_000 });
      const unused = await tally(gateway, company.id, id);
      const items = [
        { goodId: first, quantity: 1, properties: [{ propertyId: offered.propertyId, value: "nope" }] },
        { goodId: second, quantity: 1, properties: [{ propertyId, value: "Option 0" }] },
        { goodId: third, quantity: 1, properties: [{ propertyId, value: "" }] },
      ];
      const graphql = async (kind: string, name: string, input: object) => {
        const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
        const document = `${kind} ($companyId: Int!, $input: ${type}!) {
          ${name}(companyId: $companyId, input: $input) { __typename } }`;
        return wrongIn(await send(document, { input: { items, ...input } }));
      };
      const rest = async (path: string, body: object) => {
        const answer = await company.owner.rest("POST", `/companies/${company.id}/coupons/${path}`, {
          body: {
            ...body,
            items: items.map(({ goodId, quantity, properties }) => ({
              ...{ good_id: goodId, quantity },
              properties: properties.map((one) => ({ property_id: one.propertyId, value: one.value })),
            })),
          },
        });
        return [answer.status, ...wrongFields(answer.body.errors)];
      };

      const told = [
        await graphql("query", "discounts", { codes: [code], subtotalE2: 5_000 }),
        await graphql("query", "discounts", { withPromos: true, subtotalE2: 5_000 }),
        await graphql("mutation", "checkCoupon", { couponCode: code, subtotalE2: 5_000 }),
        await graphql("query", "applicablePromos", { subtotalE2: 5_000 }),
        await graphql("mutation", "consumeCoupon", { code, orderId }),
        await graphql("mutation", "consumeCoupons", { codes: [code], orderId }),
        await graphql("mutation", "holdCoupon", { code, orderId }),
        await graphql("mutation", "createOrder", {}),
      ];
      const toldByRest = [
        await rest("check", { coupon_code: code, subtotal_e2: 5_000 }),
        await rest("consume", { code, order_id: orderId }),
        await rest("hold", { code, order_id: orderId }),
      ];

      const wrong = [
        "items[0].properties[0].value:exists",
        "items[1].properties[0].propertyId:exists",
        "items[2].properties[0].value:exists",
      ];
      expect(told).toEqual(told.map(() => wrong));
      expect(toldByRest).toEqual(
        toldByRest.map(() => [422, ...wrong.map((field) => field.replace("propertyId", "property_id"))]),
      );
      expect(await tally(gateway, company.id, id)).toEqual(unused);
    });
  });

  describe("is given by the order", () => {
    it("whose lines are the items of a use that names none, or the same ones", async () => {
      const goods = [await createGood(gateway, company.id), await createGood(gateway, company.id)];
      const items = goods.map(({ id }, n) => ({ goodId: id, quantity: n + 1 }));
      const { id, codes } = await coupon({ priceE2: 0, pricePrc: "0.1" });
      const [first, second, third] = [
        await order({ subtotalE2: 3_000, items }),
        await order({ subtotalE2: 3_000, items }),
        await order({ subtotalE2: 3_000, items }),
      ];

      const silent = await consume({ code: codes[0], orderId: first.id });
      const same = await consume({ code: codes[0], orderId: second.id, items: [...items].reverse() });
      const before = await tally(gateway, company.id, id);
      const other = await consume({ code: codes[0], orderId: third.id, items: items.slice(0, 1) });

      const shares = items.map((item, n) => ({ ...item, amountE2: 100 * (n + 1) }));
      expect(dataOf(silent).consumeCoupon).toEqual({ amountE2: 300, items: shares });
      expect(dataOf(same).consumeCoupon).toEqual({ amountE2: 300, items: shares });
      expect(wrongIn(other)).toEqual(["items:order"]);
      expect(await tally(gateway, company.id, id)).toEqual(before);
    });

    it("whose total bounds what is given beside its subtotal", async () => {
      const { id, codes } = await coupon({ priceE2: 0, pricePrc: "0.1", appliesTo: "base_price" });
      const { id: orderId } = await createOrder(gateway, company.id, {
        ...{ subtotalE2: 10_000, deliveryE2: 0, totalE2: 11_600 },
      });

      const beyond = await consume({ code: codes[0], orderId, basePriceE2: 60_000, subtotalFullE2: 11_601 });
      const before = await tally(gateway, company.id, id);
      const within = await consume({ code: codes[0], orderId, basePriceE2: 11_600, subtotalFullE2: 11_600 });

      expect(wrongIn(beyond)).toEqual(["subtotalFullE2:order", "basePriceE2:order"]);
      expect(before.counters).toEqual(UNUSED);
      expect(dataOf(within).consumeCoupon.amountE2).toBe(1_160);
    });
  });

  it("by a guest is the first client's who has a use", async () => {
    const clients = await gateway.db.client.createManyAndReturn({
      data: [1, 2].map((n) => ({ companyId: company.id, name: `Client ${n}` })),
    });
    const [one, two] = clients.map(({ id }) => id);
    const [first, second] = [await coupon(), await coupon({ config: { limit: 1 } })];
    const { id: orderId } = await createOrder(gateway, company.id);

    const settled = await consume({ code: first.codes[0], orderId, clientId: one });
    const another = await consume({ code: second.codes[0], orderId, clientId: two });
    const before = await tally(gateway, company.id, second.id);
    const silent = await consume({ code: second.codes[0], orderId });

    expect(errorCodes(settled)).toEqual([]);
    expect(wrongIn(another)).toEqual(["clientId:order"]);
    expect(before.counters).toEqual(UNUSED);
    expect(errorCodes(silent)).toEqual([]);
    const uses = await gateway.db.couponRedemption.findMany({ where: { companyId: company.id, orderId } });
    expect(uses.map(({ clientId }) => clientId)).toEqual([one, one]);
  });

  it("by a guest is of one client, however many ask at once", async () => {
    const clients = await gateway.db.client.createManyAndReturn({
      data: Array.from({ length: 6 }, (_, n) => ({ companyId: company.id, name: `Client ${n}` })),
    });
    const coupons = await Promise.all(clients.map(() => coupon({ priceE2: 10 })));
    const { id: orderId } = await createOrder(gateway, company.id);

    await Promise.all(
      clients.map(({ id }, n) => consume({ code: coupons[n]?.codes[0], orderId, clientId: id })),
    );

    const uses = await gateway.db.couponRedemption.findMany({ where: { companyId: company.id, orderId } });
    expect(new Set(uses.map(({ clientId }) => clientId)).size).toBe(1);
  });

  it("at a branch has the branch's price", async () => {
    const shop = await createBranchGroup(gateway, company.id);
    const branch = await createBranch(gateway, company.id, { branchGroupId: shop.id });
    const { id: goodId } = await createGood(gateway, company.id, { type: SERVICE, branchGroupId: shop.id });
    await gateway.db.branchGood.create({
      data: { companyId: company.id, branchId: branch.id, goodId, priceE2: 700 },
    });
    const { codes } = await coupon(HALF_OF_SERVICES);
    const { id: orderId } = await order({
      ...{ subtotalE2: 5_000, branchId: branch.id },
      items: [{ goodId, quantity: 2 }],
    });

    expect(dataOf(await consume({ code: codes[0], orderId })).consumeCoupon.amountE2).toBe(700);
  });
});
