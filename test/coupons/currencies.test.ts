import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { createOrder, runningCoupon, tally } from "./running-coupon.js";

const UNUSED = { spent: 0, given: 0, held: 0, reserved: 0 };

describe("the currency of a coupon", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
  });
  beforeEach(async () => {
    company = await createCompany(gateway, { settings: { currencyIso: "USD" } });
  });
  afterAll(() => gateway.close());

  const run = (document: string, variables: object) =>
    company.owner.run(document, { companyId: company.id, ...variables });
  const consume = (input: object) =>
    run(
      `mutation ($companyId: Int!, $input: ConsumeCouponInput!) {
        consumeCoupon(companyId: $companyId, input: $input) { amountE2 } }`,
      { input },
    );
  const check = (input: object) =>
    run(
      `mutation ($companyId: Int!, $input: CheckCouponInput!) {
        checkCoupon(companyId: $companyId, input: $input) { discountE2 explanation { rules { rule required actual } } } }`,
      { input },
    );
  const orderIn = async (currencyIso: string) => (await createOrder(gateway, company.id, { currencyIso })).id;
  const changeCurrency = (currencyIso: string) =>
    run(
      `mutation ($companyId: Int!, $input: UpdateSettingsInput!) {
        updateSettings(companyId: $companyId, input: $input) { currencyIso } }`,
      { input: { currencyIso } },
    );

  it.each([
    ["a price", { priceE2: 500n }],
    ["a least purchase", { minPurchaseE2: 100n }],
    ["a most discount", { config: { maxDiscountE2: 500 } }],
    ["a budget", { config: { amountLimitE2: 5_000 } }],
  ])("bounds one with %s to orders of this currency", async (_, terms) => {
    const { id, codes } = await runningCoupon(gateway, company.id, {
      ...{ priceE2: 0n, pricePrc: "0.1", currencyIso: "USD" },
      ...terms,
    });

    const refused = [];
    for (const currency of ["VES", "EUR"])
      refused.push(await consume({ code: codes[0], orderId: await orderIn(currency) }));
    const before = await tally(gateway, company.id, id);
    const used = await consume({ code: codes[0], orderId: await orderIn("USD") });

    expect(refused.map(errorCodes)).toEqual([["COUPON_CURRENCY"], ["COUPON_CURRENCY"]]);
    expect(refused[0]?.errors?.[0]?.message).toBe("The coupon is for another currency: needed USD, was VES.");
    expect(before.counters).toEqual(UNUSED);
    expect(errorCodes(used)).toEqual([]);
  });

  it("does not bound one that is a mere fraction", async () => {
    const { codes } = await runningCoupon(gateway, company.id, {
      ...{ priceE2: 0, pricePrc: "0.1", currencyIso: "USD" },
    });

    const used = [];
    for (const currency of ["VES", "EUR", "USD"])
      used.push(await consume({ code: codes[0], orderId: await orderIn(currency) }));

    expect(used.map((one) => dataOf(one).consumeCoupon.amountE2)).toEqual([1_000, 1_000, 1_000]);
  });

  describe("of a campaign with a budget", () => {
    const CAMPAIGN = "id currencyIso budgetE2 spentAmountE2 heldAmountE2 remainingAmountE2";
    const create = async (input: object) =>
      dataOf(
        await run(
          `mutation ($companyId: Int!, $input: CreateCampaignInput!) {
            campaign: createCampaign(companyId: $companyId, input: $input) { ${CAMPAIGN} } }`,
          { input: { name: "Autumn", ...input } },
        ),
      )["campaign"];
    const update = (id: number, input: object) =>
      run(
        `mutation ($companyId: Int!, $id: Int!, $input: UpdateCampaignInput!) {
          updateCampaign(companyId: $companyId, id: $id, input: $input) { id } }`,
        { id, input },
      );
    const show = async (id: number) =>
      dataOf(
        await run(
          `query ($companyId: Int!, $id: Int!) { campaign(companyId: $companyId, id: $id) { ${CAMPAIGN} } }`,
          { id },
        ),
      )["campaign"];
    const hold = (input: object) =>
      run(
        `mutation ($companyId: Int!, $input: HoldCouponInput!) { holdCoupon(companyId: $companyId, input: $input) { amountE2 } }`,
        { input },
      );
    const discounts = async (input: object) =>
      dataOf(
        await run(
          `query ($companyId: Int!, $input: DiscountsInput!) {
            discounts(companyId: $companyId, input: $input) { totalDiscountE2 refused { reason detail } } }`,
          { input },
        ),
      )["discounts"];
    const fraction = (currencyIso: string | null = "USD", more: object = {}) =>
      runningCoupon(gateway, company.id, { priceE2: 0, pricePrc: "0.1", currencyIso, ...more });

    it("bounds a mere fraction to orders of this currency", async () => {
      const { id, codes } = await fraction();
      const campaign = await create({ couponIds: [id], budgetE2: 1_500 });
      const code = codes[0] as string;

      const refused = [];
      for (const currency of ["VES", "EUR"]) {
        const orderId = await orderIn(currency);
        refused.push(await consume({ code, orderId }), await hold({ code, orderId }));
        refused.push(await check({ couponCode: code, orderId, subtotalE2: 10_000 }));
        expect(await discounts({ codes: [code], orderId })).toEqual({
          totalDiscountE2: 0,
          refused: [
            {
              reason: "COUPON_CURRENCY",
              detail: `The coupon is for another currency: needed USD, was ${currency}.`,
            },
          ],
        });
      }
      const before = await tally(gateway, company.id, id);
      const used = await consume({ code, orderId: await orderIn("USD") });

      expect(refused.map(errorCodes)).toEqual(Array(6).fill(["COUPON_CURRENCY"]));
      expect(before.counters).toEqual(UNUSED);
      expect(dataOf(used).consumeCoupon.amountE2).toBe(1_000);
      expect(await show(campaign.id)).toMatchObject({
        ...{ currencyIso: "USD", spentAmountE2: 1_000, heldAmountE2: 0, remainingAmountE2: 500 },
      });
    });

    it("does not bring along promos for orders of another one", async () => {
      const { id } = await fraction("USD", { type: "promo" });
      await create({ couponIds: [id], budgetE2: 5_000 });

      const [euros, dollars] = [await orderIn("EUR"), await orderIn("USD")];

      expect((await discounts({ withPromos: true, orderId: euros })).totalDiscountE2).toBe(0);
      expect((await discounts({ withPromos: true, orderId: dollars })).totalDiscountE2).toBe(1_000);
    });

    it("begins with the budget", async () => {
      const { id, codes } = await fraction();
      const campaign = await create({ couponIds: [id] });
      const code = codes[0] as string;
      const free = await consume({ code, orderId: await orderIn("EUR") });

      dataOf(await update(campaign.id, { budgetE2: 1_500 }));
      const bound = await consume({ code, orderId: await orderIn("EUR") });
      dataOf(await update(campaign.id, { budgetE2: null }));
      const freeAgain = await consume({ code, orderId: await orderIn("EUR") });

      expect([free, bound, freeAgain].map(errorCodes)).toEqual([[], ["COUPON_CURRENCY"], []]);
    });

    it("judges a use anew that was judged before the budget was set", async () => {
      const { id } = await fraction();
      const campaign = await create({ couponIds: [id] });
      const stored = () => gateway.db.coupon.findFirstOrThrow({ where: { companyId: company.id, id } });
      const before = await stored();

      dataOf(await update(campaign.id, { budgetE2: 1_500 }));
      const set = await stored();
      dataOf(await update(campaign.id, { budgetE2: 2_500 }));

      expect(set.updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
      expect((await stored()).updatedAt).toEqual(set.updatedAt);
    });

    it("stays when the company's changes, whatever the coupon's own is", async () => {
      const first = await create({ couponIds: [], budgetE2: 1_500 });
      expect(errorCodes(await changeCurrency("EUR"))).toEqual([]);
      const { id, codes } = await fraction("EUR");
      dataOf(await update(first.id, { couponIds: [id] }));
      const second = await create({ couponIds: [], budgetE2: 1_500 });

      const inEuros = await consume({ code: codes[0], orderId: await orderIn("EUR") });
      const inDollars = await consume({ code: codes[0], orderId: await orderIn("USD") });

      expect([first.currencyIso, second.currencyIso]).toEqual(["USD", "EUR"]);
      expect([inEuros, inDollars].map(errorCodes)).toEqual([["COUPON_CURRENCY"], []]);
    });

    it("is the company's where none was kept", async () => {
      const { id, codes } = await fraction(null);
      const campaign = await create({ couponIds: [id], budgetE2: 1_500 });
      await gateway.db.campaign.updateMany({
        where: { id: campaign.id, companyId: company.id },
        data: { currencyIso: null },
      });

      const inEuros = await consume({ code: codes[0], orderId: await orderIn("EUR") });
      const inDollars = await consume({ code: codes[0], orderId: await orderIn("USD") });

      expect([inEuros, inDollars].map(errorCodes)).toEqual([["COUPON_CURRENCY"], []]);
    });
  });

  it("is the company's when it is set ready, and stays when the company's changes", async () => {
    const created = dataOf(
      await run(
        `mutation ($companyId: Int!, $input: CreateCouponInput!) { createCoupon(companyId: $companyId, input: $input) { id currencyIso } }`,
        { input: { type: "batch", promoCode: `CUR${company.id}X`, totalCount: 5, priceE2: 500 } },
      ),
    ).createCoupon;
    await run(
      "mutation ($companyId: Int!, $id: Int!) { setReady(companyId: $companyId, couponId: $id, input: {}) { id } }",
      { id: created.id },
    );
    await gateway.runJobs();
    expect(errorCodes(await changeCurrency("EUR"))).toEqual([]);
    const couponCode = `CUR${company.id}X`;

    const { coupon } = dataOf(
      await run(
        "query ($companyId: Int!, $id: Int!) { coupon(companyId: $companyId, id: $id) { currencyIso status } }",
        { id: created.id },
      ),
    );
    const unordered = await check({ couponCode, subtotalE2: 5_000 });
    const inDollars = await check({ couponCode, subtotalE2: 10_000, orderId: await orderIn("USD") });

    expect(created.currencyIso).toBeNull();
    expect(coupon).toEqual({ currencyIso: "USD", status: "running" });
    expect(errorCodes(unordered)).toEqual(["COUPON_CURRENCY"]);
    expect(dataOf(inDollars).checkCoupon.discountE2).toBe(500);
  });

  it("is answered after the target and before the whitelist", async () => {
    const { codes } = await runningCoupon(gateway, company.id, { currencyIso: "EUR" });

    const { errors } = await check({ couponCode: codes[0], subtotalE2: 5_000, explain: true });

    const { rules } = errors?.[0]?.extensions["explanation"] as { rules: { rule: string }[] };
    expect(rules.map(({ rule }) => rule).slice(4, 8)).toEqual(["target", "goods", "currency", "whitelist"]);
  });

  it("of a gift card is the one in which it is credited", async () => {
    const { id, client } = await signedInClient(gateway, company.id);
    const card = await runningCoupon(gateway, company.id, {
      ...{ type: "gift_card", totalCount: 1, priceE2: 2_500, currencyIso: "EUR" },
    });

    const redeemed = await client.run(
      `mutation ($companyId: Int!, $input: RedeemCouponInput!) {
        redeemCoupon(companyId: $companyId, input: $input) { addedE2 balanceE2 coupon { currencyIso } } }`,
      { companyId: company.id, input: { couponCode: card.codes[0], redeem: true } },
    );

    expect(dataOf(redeemed).redeemCoupon).toEqual({
      ...{ addedE2: 2_500, balanceE2: 2_500, coupon: { currencyIso: "EUR" } },
    });
    const movements = await gateway.db.balanceMovement.findMany({
      where: { companyId: company.id, holderType: "client", holderKey: id },
    });
    expect(movements.map(({ currencyIso, amountE2 }) => [currencyIso, amountE2])).toEqual([["EUR", 2_500n]]);
  });
});
