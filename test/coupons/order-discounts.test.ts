import {
  createBranch,
  createCompany,
  createGood,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createOrder, runningCoupon, tally } from "./running-coupon.js";

const USE = "id couponId orderId code amountE2 returnedAt";
const TOGETHER = `totalDiscountE2 companyDiscountE2
  applied { coupon { id spentCount } code discountE2 companyDiscountE2 items { goodId quantity amountE2 } }
  refused { coupon { id } code reason detail }`;

describe("the discounts of an order", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
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
  const consume = mutation("consumeCoupon", USE);
  const hold = mutation("holdCoupon", "id amountE2");
  const giveBack = mutation("returnCoupon", USE);
  const consumeAll = mutation("consumeCoupons", `${TOGETHER} uses { ${USE} }`);
  const discounts = (input: object, by = company.owner) =>
    by.run(
      `query ($companyId: Int!, $input: DiscountsInput!) { discounts(companyId: $companyId, input: $input) { ${TOGETHER} } }`,
      { companyId: company.id, input },
    );
  const coupon = (terms: Parameters<typeof runningCoupon>[2] = {}) =>
    runningCoupon(gateway, company.id, terms);
  const order = (terms: Parameters<typeof createOrder>[2] = {}) =>
    createOrder(gateway, company.id, { subtotalE2: 1000, deliveryE2: 200, totalE2: 1200, ...terms });
  const counters = async (id: number) => (await tally(gateway, company.id, id)).counters;
  const update = (id: number, input: object) =>
    company.owner.run(
      `mutation ($companyId: Int!, $id: Int!, $input: UpdateOrderInput!) {
        updateOrder(companyId: $companyId, id: $id, input: $input) { subtotalE2 status } }`,
      { companyId: company.id, id, input },
    );
  const UNUSED = { spent: 0, given: 0, held: 0, reserved: 0 };

  describe("go by the order", () => {
    it("whatever else the input says: what contradicts it is refused, field by field", async () => {
      const { id: clientId } = await signedInClient(gateway, company.id);
      const { id: otherClient } = await signedInClient(gateway, company.id);
      const branch = await createBranch(gateway, company.id);
      const elsewhere = await createBranch(gateway, company.id);
      const { id, codes } = await coupon({ priceE2: 180_000 });
      const { id: orderId } = await order({ clientId, branchId: branch.id, source: "web" });
      const wrong = {
        subtotalE2: 200_000,
        deliveryE2: 0,
        clientId: otherClient,
        branchId: elsewhere.id,
        source: "app",
      };

      for (const answer of [
        await consume({ code: codes[0], orderId, ...wrong }),
        await hold({ code: codes[0], orderId, ...wrong }),
        await discounts({ codes, orderId, ...wrong }),
        await consumeAll({ codes, orderId, ...wrong }),
      ]) {
        expect(wrongFields(answer.errors?.[0]?.extensions["errors"])).toEqual([
          "branchId:order",
          "clientId:order",
          "deliveryE2:order",
          "source:order",
          "subtotalE2:order",
        ]);
      }
      expect(await counters(id)).toEqual(UNUSED);
      const same = { subtotalE2: 1000, deliveryE2: 200, clientId, branchId: branch.id, source: "web" };
      expect(dataOf(await consume({ code: codes[0], orderId, ...same })).consumeCoupon.amountE2).toBe(1000);
    });

    it("which leaves open what it does not tell", async () => {
      const { id: clientId } = await signedInClient(gateway, company.id);
      const { codes } = await coupon({ priceE2: 0, pricePrc: "0.5", config: { limit: 1 } });
      const bare = await order({ subtotalE2: 0, deliveryE2: 0, totalE2: 0 });
      const total = await order({ subtotalE2: 0, deliveryE2: 0, totalE2: 700 });

      const filled = await consume({ code: codes[0], orderId: bare.id, subtotalE2: 400, clientId });
      const other = await coupon({ priceE2: 5000 });
      const ofTotal = await consume({ code: other.codes[0], orderId: total.id });

      expect(dataOf(filled).consumeCoupon.amountE2).toBe(200);
      expect(dataOf(ofTotal).consumeCoupon.amountE2).toBe(700);
    });

    it("also when its total is set to nothing: its other prices still count", async () => {
      const [first, second] = [
        await coupon({ priceE2: 1200, appliesTo: "total" }),
        await coupon({ priceE2: 700_000 }),
      ];
      const { id: orderId } = await order({ totalE2: 0 });
      dataOf(await consume({ code: first.codes[0], orderId }));

      const claimed = await consume({ code: second.codes[0], orderId, subtotalE2: 999_999 });
      const plain = await consume({ code: second.codes[0], orderId });

      expect(wrongFields(claimed.errors?.[0]?.extensions["errors"])).toEqual(["subtotalE2:order"]);
      expect(errorCodes(plain)).toEqual(["COUPON_NOT_COMBINABLE"]);
      expect(await counters(second.id)).toEqual(UNUSED);
    });

    it("whose client, branch and source stay while it has coupons, unless it is canceled", async () => {
      const { id: clientId } = await signedInClient(gateway, company.id);
      const { id: other } = await signedInClient(gateway, company.id);
      const branch = await createBranch(gateway, company.id);
      const { id, codes } = await coupon({ config: { limit: 1 } });
      const { id: orderId } = await order({ clientId, source: "web" });
      dataOf(await consume({ code: codes[0], orderId }));
      const wrong = async (input: object) =>
        wrongFields((await update(orderId, input)).errors?.[0]?.extensions["errors"]);

      expect(await wrong({ clientId: other })).toEqual(["clientId:coupons"]);
      expect(await wrong({ branchId: branch.id })).toEqual(["branchId:coupons"]);
      expect(await wrong({ source: null })).toEqual(["source:coupons"]);
      dataOf(await update(orderId, { clientId, source: "web", status: "paid" }));
      dataOf(
        await update(orderId, {
          clientId: other,
          subtotalE2: 0,
          deliveryE2: 0,
          totalE2: 0,
          status: "canceled",
        }),
      );
      expect(await counters(id)).toEqual(UNUSED);
    });

    it("which is told all at once that may not change, before its state refuses anything", async () => {
      const { id: clientId } = await signedInClient(gateway, company.id);
      const { id: other } = await signedInClient(gateway, company.id);
      const branchId = (await createBranch(gateway, company.id)).id;
      const elsewhere = (await createBranch(gateway, company.id)).id;
      const { id, codes } = await coupon({ priceE2: 900 });
      const { id: orderId } = await order({ clientId, branchId, source: "web" });
      dataOf(await consume({ code: codes[0], orderId }));
      const stored = () => gateway.db.order.findFirst({ where: { companyId: company.id, id: orderId } });
      const before = [await stored(), await counters(id)];
      const wrong = async (input: object) =>
        wrongFields((await update(orderId, input)).errors?.[0]?.extensions["errors"]);
      const small = { subtotalE2: 1, deliveryE2: 0, totalE2: 1 };
      const most = Number.MAX_SAFE_INTEGER;

      expect(await wrong({ clientId: other, source: "zz", branchId: elsewhere })).toEqual([
        "branchId:coupons",
        "clientId:coupons",
        "source:coupons",
      ]);
      expect(await wrong({ clientId: other, ...small })).toEqual(["clientId:coupons", "subtotalE2:coupons"]);
      expect(await wrong({ source: null, subtotalE2: most, deliveryE2: 1 })).toEqual([
        "deliveryE2:max",
        "source:coupons",
      ]);
      expect(await wrong({ clientId: other, shopperId: 2_000_000_000, ...small })).toEqual([
        "clientId:coupons",
        "shopperId:exists",
        "subtotalE2:coupons",
      ]);
      expect(await wrong({ currencyIso: "EUR", clientId: other })).toEqual(["clientId:coupons"]);
      expect(await wrong({ currencyIso: "EUR", ...small })).toEqual(["subtotalE2:coupons"]);
      expect(errorCodes(await update(orderId, { currencyIso: "EUR" }))).toEqual(["INVALID_STATE"]);
      expect([await stored(), await counters(id)]).toEqual(before);
      dataOf(await update(orderId, { subtotalE2: 950, deliveryE2: 0, totalE2: 950, source: " web " }));
    });

    it("whose client's uses for orders without a client are purchases, too", async () => {
      const { id: clientId } = await signedInClient(gateway, company.id);
      const { id, codes } = await coupon({ config: { onlyFirstPurchase: true } });
      const [one, two] = [await order(), await order()];

      dataOf(await consume({ code: codes[0], orderId: one.id, clientId }));
      const again = await consume({ code: codes[0], orderId: two.id, clientId });

      expect(errorCodes(again)).toEqual(["COUPON_FIRST_PURCHASE"]);
      expect(await counters(id)).toMatchObject({ spent: 1 });
      dataOf(await giveBack({ code: codes[0], orderId: one.id }));
      dataOf(await consume({ code: codes[0], orderId: two.id, clientId }));
    });

    it("and not at all once it is canceled", async () => {
      const { id, codes } = await coupon();
      const { id: orderId } = await order({ status: "canceled" });

      for (const answer of [
        await consume({ code: codes[0], orderId }),
        await hold({ code: codes[0], orderId }),
        await discounts({ codes, orderId }),
        await consumeAll({ codes, orderId }),
      ])
        expect(errorCodes(answer)).toEqual(["INVALID_STATE"]);
      expect(await counters(id)).toEqual(UNUSED);
    });

    it("which a client sees only when it is its own", async () => {
      const { id: clientId, client } = await signedInClient(gateway, company.id);
      const other = await signedInClient(gateway, company.id);
      const { codes } = await coupon();
      const { id: orderId } = await order({ clientId });

      expect(dataOf(await discounts({ codes, orderId }, client)).discounts.totalDiscountE2).toBe(1000);
      const hidden = await discounts({ codes, orderId }, other.client);
      expect(wrongFields(hidden.errors?.[0]?.extensions["errors"])).toEqual(["orderId:exists"]);
    });
  });

  describe("never pass the order", () => {
    it("one after the other: a further one gives what is left, and none when nothing is", async () => {
      const whole = { priceE2: 0, pricePrc: "1", appliesTo: "total" } as const;
      const [first, second, third] = [
        await coupon({ priceE2: 500 }),
        await coupon(whole),
        await coupon(whole),
      ];
      const { id: orderId } = await order();

      const given = [
        dataOf(await consume({ code: first.codes[0], orderId })).consumeCoupon.amountE2,
        dataOf(await hold({ code: second.codes[0], orderId })).holdCoupon.amountE2,
      ];
      const refused = await consume({ code: third.codes[0], orderId });
      const used = dataOf(await consume({ code: second.codes[0], orderId })).consumeCoupon.amountE2;

      expect([...given, used]).toEqual([500, 700, 700]);
      expect(errorCodes(refused)).toEqual(["COUPON_NOT_COMBINABLE"]);
      expect(await counters(third.id)).toEqual(UNUSED);
    });

    it("however many come at once", async () => {
      const coupons = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          coupon({ priceE2: 130, ...(n % 3 === 0 && { config: { collisionSlot: 1 } }) }),
        ),
      );
      const { id: orderId } = await order({ deliveryE2: 0, totalE2: 1000 });

      const answers = await Promise.all(
        coupons.map(async ({ codes }, n) => {
          const take = () => (n % 4 === 1 ? hold : consume)({ code: codes[0], orderId });
          let answer = await take();
          while (errorCodes(answer)[0] === "CONFLICT") answer = await take();
          return answer;
        }),
      );

      const where = { companyId: company.id, orderId };
      const uses = await gateway.db.couponRedemption.findMany({ where });
      const holds = await gateway.db.couponHold.findMany({ where });
      const sum = [...uses, ...holds].reduce((all, { amountE2 }) => all + Number(amountE2), 0);
      const slots = [...uses, ...holds].filter(
        ({ couponId }) => coupons.findIndex(({ id }) => id === couponId) % 3 === 0,
      );
      const errors = answers.flatMap(errorCodes);
      expect(sum).toBe(1000);
      expect(slots).toHaveLength(1);
      expect(new Set(errors)).toEqual(new Set(["COUPON_NOT_COMBINABLE"]));
    });

    it("also when the order gets smaller: its coupons are returned first", async () => {
      const { codes } = await coupon({ priceE2: 900 });
      const { id: orderId } = await order();
      dataOf(await consume({ code: codes[0], orderId }));
      const refused = await update(orderId, { subtotalE2: 699 });
      expect(wrongFields(refused.errors?.[0]?.extensions["errors"])).toEqual(["subtotalE2:coupons"]);
      expect(dataOf(await update(orderId, { subtotalE2: 700 })).updateOrder.subtotalE2).toBe(700);
    });
  });

  describe("together", () => {
    it("are decided by one rule, each with what it gives, and taken as they were shown, once", async () => {
      const slot = { collisionSlot: 3 };
      const small = await coupon({ priceE2: 100, config: slot });
      const large = await coupon({ priceE2: 300, config: { ...slot, companyAssumptionPrc: 50 } });
      const promo = await coupon({ type: "promo", priceE2: 0, pricePrc: "0.2" });
      const { id: orderId } = await order();
      const codes = [small.codes[0], large.codes[0]?.toLowerCase(), "NOSUCH"];

      const shown = dataOf(await discounts({ codes, withPromos: true, orderId })).discounts;
      expect(shown).toMatchObject({
        totalDiscountE2: 500,
        companyDiscountE2: 150,
        applied: [
          {
            coupon: { id: large.id, spentCount: 0 },
            code: codes[1],
            discountE2: 300,
            companyDiscountE2: 150,
          },
          { coupon: { id: promo.id }, code: null, discountE2: 200 },
        ],
      });
      expect(shown.refused.map(({ code, reason }: Record<string, unknown>) => [code, reason])).toEqual([
        ["NOSUCH", "COUPON_NOT_FOUND"],
        [codes[0], "COUPON_NOT_COMBINABLE"],
      ]);
      expect(shown.refused[1].detail).toContain(`coupon ${large.id}`);

      expect(errorCodes(await consumeAll({ codes: codes.slice(0, 2), orderId }))).toEqual([
        "COUPON_NOT_COMBINABLE",
      ]);
      expect([await counters(small.id), await counters(large.id)]).toEqual([UNUSED, UNUSED]);

      const input = { codes: [codes[1]], withPromos: true, orderId };
      const taken = dataOf(await consumeAll(input)).consumeCoupons;
      const later = await coupon({ type: "promo", priceE2: 50 });
      const again = await Promise.all([consumeAll(input), consumeAll(input)]);
      expect(taken).toMatchObject({ totalDiscountE2: 500, companyDiscountE2: 150, refused: [] });
      expect(taken.uses).toMatchObject([
        { couponId: large.id, orderId, amountE2: 300 },
        { couponId: promo.id, orderId, amountE2: 200 },
      ]);
      expect(taken.applied.map(({ coupon: { spentCount } }: any) => spentCount)).toEqual([1, 1]);
      for (const answer of again) expect(dataOf(answer).consumeCoupons.uses).toEqual(taken.uses);
      expect(await counters(large.id)).toMatchObject({ spent: 1, given: 300 });
      expect(await counters(later.id)).toEqual(UNUSED);
    });

    it("leave nothing behind when one of them fails under the lock", async () => {
      const plenty = await coupon({ priceE2: 900 });
      const last = await coupon({ type: "personal", totalCount: 1, priceE2: 10 });
      const orders = await Promise.all(Array.from({ length: 8 }, () => order()));

      const answers = await Promise.all(
        orders.map(({ id }, n) =>
          consumeAll({
            codes: n % 2 === 0 ? [plenty.codes[0], last.codes[0]] : [last.codes[0], plenty.codes[0]],
            orderId: id,
          }),
        ),
      );

      const done = answers.filter(({ errors }) => errors === undefined);
      expect(done).toHaveLength(1);
      expect(await counters(plenty.id)).toMatchObject({ spent: 1, given: 900 });
      expect(await counters(last.id)).toMatchObject({ spent: 1, given: 10 });
    });

    it("leave out a promo that others have used up meanwhile, and name a code that is refused", async () => {
      const plenty = await coupon({ priceE2: 900 });
      const promo = await coupon({ type: "promo", totalCount: 2, priceE2: 50 });
      const orders = await Promise.all(Array.from({ length: 8 }, () => order()));

      const answers = await Promise.all(
        orders.map(({ id }) => consumeAll({ codes: plenty.codes, withPromos: true, orderId: id })),
      );
      const { id: orderId } = await order();
      const refused = await consumeAll({ codes: [plenty.codes[0], "NOSUCH"], orderId });

      for (const answer of answers)
        expect(dataOf(answer).consumeCoupons.applied[0]).toMatchObject({ discountE2: 900 });
      expect(await counters(promo.id)).toMatchObject({ spent: 2, given: 100 });
      expect(wrongFields(refused.errors?.[0]?.extensions["errors"])).toEqual(["codes[1]:found"]);
      expect(await counters(plenty.id)).toMatchObject({ spent: 8 });
    });

    it("are the same coupon once: by its own code it is answered again, by another it is refused", async () => {
      const { id, codes } = await coupon({ type: "personal", totalCount: 2 });
      const { id: orderId } = await order();
      const used = dataOf(await consume({ code: codes[0], orderId })).consumeCoupon;
      const check = `mutation ($companyId: Int!, $input: CheckCouponInput!) {
        checkCoupon(companyId: $companyId, input: $input) { discountE2 } }`;
      const checked = await send(check, { couponCode: codes[0], orderId, subtotalE2: 1000 });

      expect(dataOf(await consume({ code: codes[0], orderId })).consumeCoupon).toEqual(used);
      expect(dataOf(checked).checkCoupon.discountE2).toBe(1000);
      expect(errorCodes(await consume({ code: codes[1], orderId }))).toEqual(["COUPON_NOT_COMBINABLE"]);
      expect(await counters(id)).toMatchObject({ spent: 1 });
    });

    it("answer a repeat in the order in which they were taken", async () => {
      const [small, large] = [await coupon({ priceE2: 100 }), await coupon({ priceE2: 300 })];
      const { id: orderId } = await order();
      const input = { codes: [small.codes[0], large.codes[0]], orderId };

      const { uses } = dataOf(await consumeAll(input)).consumeCoupons;

      expect(uses).toMatchObject([{ couponId: large.id }, { couponId: small.id }]);
      expect(dataOf(await consumeAll(input)).consumeCoupons.uses).toEqual(uses);
    });

    it("share their amounts among the items, to the cent", async () => {
      const goods = await Promise.all(
        [333, 333, 334].map((priceE2) => createGood(gateway, company.id, { priceE2 })),
      );
      const { codes } = await coupon({ priceE2: 100 });
      const { id: orderId } = await order({ deliveryE2: 0, totalE2: 1000 });
      const items = goods.map(({ id }) => ({ goodId: id, quantity: 1 }));

      const { consumeCoupons } = dataOf(await consumeAll({ codes, orderId, items }));

      const shares = consumeCoupons.applied[0].items;
      expect(shares.map(({ amountE2 }: { amountE2: number }) => amountE2)).toEqual([33, 33, 34]);
      const stored = await gateway.db.couponRedemption.findFirstOrThrow({
        where: { companyId: company.id, orderId },
      });
      expect(stored.items).toEqual(shares);
    });

    it("can be tried before a coupon is ready, and at a past moment, by admins alone", async () => {
      const { client } = await signedInClient(gateway, company.id);
      const pending = await coupon({ status: "pending", startsAt: null });
      const over = await coupon({
        type: "promo",
        status: "finished",
        startsAt: new Date(Date.now() - 7_200_000),
        endsAt: new Date(Date.now() - 3_600_000),
      });
      const then = new Date(Date.now() - 5_400_000).toISOString();
      const tried = dataOf(await discounts({ couponIds: [pending.id], subtotalE2: 4000 })).discounts;
      const past = dataOf(await discounts({ withPromos: true, datetime: then, subtotalE2: 4000 })).discounts;
      const now = dataOf(await discounts({ withPromos: true, subtotalE2: 4000 })).discounts;

      expect(tried.applied).toMatchObject([{ coupon: { id: pending.id }, discountE2: 1000 }]);
      expect(past.applied).toMatchObject([{ coupon: { id: over.id } }]);
      expect(now.applied).toEqual([]);
      for (const [field, input] of [
        ["couponIds:forbidden", { couponIds: [pending.id], subtotalE2: 4000 }],
        ["datetime:after", { withPromos: true, datetime: then, subtotalE2: 4000 }],
      ] as const)
        expect(wrongFields((await discounts(input, client)).errors?.[0]?.extensions["errors"])).toEqual([
          field,
        ]);
    });
  });

  describe("are given back", () => {
    it("so that counters, budget, limit and code are as before, once; the use stays on record", async () => {
      const { id: clientId } = await signedInClient(gateway, company.id);
      const { id, codes } = await coupon({
        type: "personal",
        totalCount: 2,
        config: { limit: 1, amountLimitE2: 1000 },
      });
      const [one, two] = [await order({ clientId }), await order({ clientId })];
      const used = dataOf(await consume({ code: codes[0], orderId: one.id })).consumeCoupon;
      expect(errorCodes(await consume({ code: codes[1], orderId: two.id }))).toEqual(["COUPON_LIMIT"]);

      const answers = await Promise.all(
        Array.from({ length: 4 }, () => giveBack({ code: codes[0], orderId: one.id })),
      );

      for (const answer of answers) {
        const { returnedAt, ...use } = dataOf(answer).returnCoupon;
        expect({ ...use, returnedAt: null }).toEqual(used);
        expect(returnedAt).toEqual(dataOf(answers[0] as (typeof answers)[0]).returnCoupon.returnedAt);
      }
      expect(await counters(id)).toEqual(UNUSED);
      expect(dataOf(await consume({ code: codes[0], orderId: two.id })).consumeCoupon.amountE2).toBe(1000);
      expect(dataOf(await giveBack({ code: codes[0], orderId: one.id })).returnCoupon.id).toBe(used.id);
      expect(await counters(id)).toMatchObject({ spent: 1, given: 1000 });
      expect(errorCodes(await giveBack({ code: codes[1], orderId: one.id }))).toEqual(["NOT_FOUND"]);
    });

    it.each(["personal", "batch", "promo"])(
      "by code, by coupon or by both, with the same answer each time: %s",
      async (type) => {
        const one = await coupon({ type, totalCount: 1, priceE2: 300 });
        const other = await coupon({ priceE2: 200 });
        const { id: orderId } = await order();
        const { id: stranger } = await order();
        const [code] = one.codes;
        const byCoupon = { couponId: one.id };
        const names = code === undefined ? [byCoupon] : [byCoupon, { code }, { code, ...byCoupon }];
        const contradicting = [
          { code: other.codes[0], ...byCoupon },
          ...(code === undefined ? [] : [{ code, couponId: other.id }]),
        ];
        const use = async () =>
          dataOf(await consume({ ...(code === undefined ? byCoupon : { code }), orderId })).consumeCoupon;

        for (const first of names) {
          const used = await use();
          for (const wrong of contradicting) {
            const refused = await giveBack({ ...wrong, orderId });
            expect(wrongFields(refused.errors?.[0]?.extensions["errors"])).toEqual(["couponId:mismatch"]);
          }
          expect(errorCodes(await giveBack({ ...first, orderId: stranger }))).toEqual(["NOT_FOUND"]);
          expect(await counters(one.id)).toMatchObject({ spent: 1, given: 300 });

          const { returnCoupon: returned } = dataOf(await giveBack({ ...first, orderId }));
          expect(returned).toEqual({ ...used, returnedAt: expect.any(String) });
          for (const again of names)
            expect(dataOf(await giveBack({ ...again, orderId })).returnCoupon).toEqual(returned);
          expect(await counters(one.id)).toEqual(UNUSED);
        }
        expect(wrongFields((await giveBack({ orderId })).errors?.[0]?.extensions["errors"])).toEqual([
          "code:required",
        ]);
      },
    );

    it("by themselves when the order is canceled, uses and holds alike", async () => {
      const [used, held] = [await coupon({ priceE2: 300 }), await coupon({ priceE2: 400 })];
      const { id: orderId } = await order();
      const [code] = used.codes;
      dataOf(await consume({ code, orderId }));
      dataOf(await hold({ code: held.codes[0], orderId }));

      const cancel = company.owner.run(
        `mutation ($companyId: Int!, $id: Int!) {
          updateOrder(companyId: $companyId, id: $id, input: { status: canceled }) { status } }`,
        { companyId: company.id, id: orderId },
      );
      const [done] = await Promise.all([cancel, consume({ code: (await coupon()).codes[0], orderId })]);

      expect(dataOf(done).updateOrder.status).toBe("canceled");
      expect([await counters(used.id), await counters(held.id)]).toEqual([UNUSED, UNUSED]);
      const uses = await gateway.db.couponRedemption.findMany({ where: { companyId: company.id, orderId } });
      expect(uses.every(({ returnedAt }) => returnedAt !== null)).toBe(true);
      expect(errorCodes(await consume({ code, orderId }))).toEqual(["INVALID_STATE"]);
    });
  });
});
