import { createBranch, createBranchGroup, createGood, signedInClient } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { sendGraphqlForm } from "../files/uploads.js";
import { openDesk } from "./campaign-desk.js";
import { tally } from "./running-coupon.js";

const HOUR_MS = 3_600_000;

describe("a manager's year of campaigns, for some clients, shops and tills", () => {
  let gateway: Gateway;
  let desk: Awaited<ReturnType<typeof openDesk>>;
  let companyId: number;
  beforeAll(async () => {
    gateway = await startGateway({ own: "database", environment: { RATE_LIMIT: "0" } });
  });
  beforeEach(async () => {
    desk = await openDesk(gateway);
    companyId = desk.company.id;
  });
  afterAll(() => gateway.close());

  const run = async (document: string, variables: object = {}) =>
    dataOf(await desk.company.owner.run(document, { companyId, ...variables }))["answer"];
  const segment = async (input: object): Promise<number> =>
    (
      await run(
        `mutation ($companyId: Int!, $input: CreateClientSegmentInput!) {
          answer: createClientSegment(companyId: $companyId, input: $input) { id } }`,
        { input: { name: "Segment", ...input } },
      )
    ).id;
  const joint = (name: string, couponIds: readonly number[], budgetE2: number) =>
    run(
      `mutation ($companyId: Int!, $input: CreateCampaignInput!) {
        answer: createCampaign(companyId: $companyId, input: $input) { id } }`,
      { input: { name, couponIds, budgetE2 } },
    );
  const assigned = async (couponId: number, clientId: number): Promise<string> =>
    (
      await run(
        `mutation ($companyId: Int!, $couponId: Int!, $clientId: Int!) {
          answer: assignCouponCode(companyId: $companyId, couponId: $couponId, clientId: $clientId) { code } }`,
        { couponId, clientId },
      )
    ).code;
  const person = async (): Promise<number> => (await signedInClient(gateway, companyId)).id;

  it("5.00 for the birthdays of 10,000 clients, once for each of them", async () => {
    const { campaign, order, consumed } = desk;
    await gateway.db.client.createMany({
      data: Array.from({ length: 10_000 }, (_, n) => ({
        companyId,
        name: `Client ${n}`,
        externalId: `B-${n}`,
      })),
    });
    const segmentId = await segment({});
    const lines = ["external_id", ...Array.from({ length: 10_000 }, (_, n) => `B-${n}`)];
    const { body } = await sendGraphqlForm(gateway, desk.company.owner, {
      operations: JSON.stringify({
        query: `mutation ($companyId: Int!, $id: Int!, $input: UploadClientSegmentInput!) {
          answer: uploadClientSegment(companyId: $companyId, segmentId: $id, input: $input) { id } }`,
        variables: { companyId, id: segmentId, input: { file: null } },
      }),
      map: JSON.stringify({ file: ["variables.input.file"] }),
      file: { bytes: Buffer.from(lines.join("\n")), name: "birthdays.csv", type: "text/csv" },
    });
    await gateway.runJobs();
    const upload = await run(
      `query ($companyId: Int!, $id: Int!) { answer: clientSegmentUpload(companyId: $companyId, id: $id) { total added failed } }`,
      { id: dataOf(body)["answer"].id },
    );
    const { id, codes } = await campaign({
      ...{
        type: "batch",
        promo_code: "BIRTHDAY",
        price_e2: 500,
        total_count: 10_000,
        min_purchase_e2: 1_500,
      },
      config: { segment_ids: [segmentId], limit: 1 },
    });
    const some = await gateway.db.client.findMany({
      where: { companyId, externalId: { in: ["B-0", "B-4711", "B-9999"] } },
    });

    const told = [];
    for (const clientId of [...some.map((one) => one.id), some[0]?.id, await person(), undefined])
      told.push(await consumed({ code: codes[0], orderId: await order(2_000, { clientId }) }));

    expect(upload).toEqual({ total: 10_000, added: 10_000, failed: 0 });
    expect(told).toEqual([
      ...Array.from({ length: 3 }, () => ({ amountE2: 500, companyAmountE2: 0 })),
      ...["COUPON_LIMIT", "COUPON_NOT_WHITELISTED", "COUPON_NOT_WHITELISTED"],
    ]);
    expect((await tally(gateway, companyId, id)).counters).toMatchObject({ spent: 3, given: 1_500 });
  });

  it("a referral: 10.00 for the friend's first purchase, and 5.00 for whoever brought the friend", async () => {
    const { campaign, order, consumed } = desk;
    const friends = await campaign({
      ...{ type: "personal", total_count: 3, price_e2: 1_000, min_purchase_e2: 3_000 },
      config: { only_first_purchase: true, limit: 1 },
    });
    const thanks = await campaign({ type: "personal", total_count: 3, price_e2: 500 });
    const [host, friend] = [await person(), await person()];
    const invitation = await assigned(friends.id, host);

    const first = await order(4_000, { clientId: friend });
    const used = await consumed({ code: invitation, orderId: first });
    const reward = await assigned(thanks.id, host);
    const own = await consumed({ code: reward, orderId: await order(2_000, { clientId: host }) });
    const twice = await consumed({
      code: invitation,
      orderId: await order(4_000, { clientId: await person() }),
    });
    const old = await assigned(friends.id, friend);
    const later = await consumed({ code: old, orderId: await order(4_000, { clientId: friend }) });

    expect([used, own]).toMatchObject([{ amountE2: 1_000 }, { amountE2: 500 }]);
    expect(await assigned(friends.id, host)).toBe(invitation);
    expect([twice, later]).toEqual(["COUPON_CODE_USED", "COUPON_FIRST_PURCHASE"]);
    expect((await tally(gateway, companyId, friends.id)).counters).toMatchObject({ spent: 1, given: 1_000 });
  });

  it("tiers of one campaign over three shops: 5, 10 and 15 %, 40.00 in all", async () => {
    const { campaign, order, consumedAll, together } = desk;
    const shops: { readonly id: number; readonly branch: number }[] = [];
    for (let n = 0; n < 4; n += 1) {
      const { id } = await createBranchGroup(gateway, companyId);
      shops.push({ id, branch: (await createBranch(gateway, companyId, { branchGroupId: id })).id });
    }
    const tiers = [];
    for (const [min_purchase_e2, price_prc] of [
      [2_000, 0.05],
      [5_000, 0.1],
      [10_000, 0.15],
    ])
      tiers.push(
        await campaign(
          {
            ...{ type: "promo", price_prc, min_purchase_e2, target_type: "branch_group" },
            config: { collision_slot: 1 },
          },
          shops.slice(0, 3),
        ),
      );
    const ids = tiers.map(({ id }) => id);
    await joint("Three shops", ids, 4_000);
    const given = async (shop: number, subtotalE2: number) => {
      const orderId = await order(subtotalE2, { branchId: shops[shop]?.branch });
      const shown = (await together({ orderId, withPromos: true })).totalDiscountE2;
      const { totalDiscountE2 } = await consumedAll({ orderId, withPromos: true });
      expect(totalDiscountE2).toBe(shown);
      return totalDiscountE2 as number;
    };

    const told = [];
    for (const [shop, subtotalE2] of [
      ...[[0, 2_000] as const, [1, 5_000] as const, [2, 10_000] as const, [3, 10_000] as const],
      // 19.00 are left: the highest tier would take 22.50, the second takes 15.00; then 4.00 are left.
      ...[[0, 15_000] as const, [1, 8_000] as const, [2, 6_000] as const],
    ])
      told.push(await given(shop, subtotalE2));

    expect(told.slice(0, 4)).toEqual([100, 500, 1_500, 0]);
    expect(told.slice(4)).toEqual([1_500, 400, 0]);
  });

  it("a code and two promos with one budget: what is shown is what is taken, to the last cent", async () => {
    const { campaign, order, consumedAll, together } = desk;
    const code = await campaign({ type: "batch", promo_code: "SHARED", price_e2: 900 });
    const promos = [
      await campaign({ type: "promo", price_e2: 500 }),
      await campaign({ type: "promo", price_e2: 100 }),
    ];
    await joint("Shared", [code.id, ...promos.map(({ id }) => id)], 2_500);
    const next = async () => {
      const orderId = await order(5_000);
      const input = { orderId, codes: [code.codes[0]], withPromos: true };
      const shown = await together(input);
      const taken = await consumedAll(input);
      return [
        shown.totalDiscountE2,
        taken.totalDiscountE2 ?? taken,
        shown.refused.map(({ reason }) => reason),
      ];
    };

    expect([await next(), await next(), await next()]).toEqual([
      [1_500, 1_500, []],
      [1_000, 1_000, ["COUPON_AMOUNT_LIMIT"]],
      [0, "COUPON_AMOUNT_LIMIT", ["COUPON_AMOUNT_LIMIT", "COUPON_AMOUNT_LIMIT", "COUPON_AMOUNT_LIMIT"]],
    ]);
  });

  it("20 % to win back clients who registered long ago, but for the best ones", async () => {
    const { campaign, order, consumed } = desk;
    const [old, best, fresh] = [await person(), await person(), await person()];
    await gateway.db.client.updateMany({
      where: { companyId, id: { in: [old, best] } },
      data: { registeredAt: new Date("2024-05-01T00:00:00Z") },
    });
    const lost = await segment({ filter: { registeredAt: { lt: "2025-01-01" } } });
    const vip = await segment({ clientIds: [best] });
    const { codes } = await campaign({
      ...{ type: "batch", promo_code: "COMEBACK", price_prc: 0.2 },
      config: { segment_ids: [lost], excluded_segment_ids: [vip] },
    });
    const use = async (clientId: number) =>
      consumed({ code: codes[0], orderId: await order(1_999, { clientId }) });

    expect([await use(old), await use(best), await use(fresh)]).toEqual([
      { amountE2: 400, companyAmountE2: 0 },
      ...["COUPON_BLACKLISTED", "COUPON_NOT_WHITELISTED"],
    ]);
  });

  it("30 % for the staff, 100.00 for each of them, of which the company bears all", async () => {
    const { campaign, order, consumed } = desk;
    const [one, other] = [await person(), await person()];
    const staff = await segment({ clientIds: [one, other] });
    const { id, codes } = await campaign({
      ...{ type: "batch", promo_code: "STAFF30", price_prc: 0.3 },
      config: { segment_ids: [staff], client_amount_limit_e2: 10_000, company_assumption_prc: 100 },
    });
    const use = async (clientId: number, subtotalE2: number) =>
      consumed({ code: codes[0], orderId: await order(subtotalE2, { clientId }) });

    expect([
      await use(one, 30_000),
      await use(one, 4_000),
      await use(one, 3_333),
      await use(other, 33_333),
    ]).toEqual([
      { amountE2: 9_000, companyAmountE2: 9_000 },
      "COUPON_AMOUNT_LIMIT",
      { amountE2: 1_000, companyAmountE2: 1_000 },
      { amountE2: 10_000, companyAmountE2: 10_000 },
    ]);
    expect((await tally(gateway, companyId, id)).counters).toMatchObject({ spent: 3, given: 20_000 });
  });

  it("3 for 2 of which one is brought back: its part of the discount is given back", async () => {
    const { campaign, order, consumed } = desk;
    const { id } = await campaign({ type: "promo", config: { bundle: { buy: 2, get: 1, price_prc: 1 } } });
    const { id: goodId } = await createGood(gateway, companyId, { priceE2: 1_000 });
    const orderId = await order(3_000, { items: [{ goodId, quantity: 3 }] });
    await consumed({ couponId: id, orderId });
    const back = (quantity: number) =>
      run(
        `mutation ($companyId: Int!, $input: ReturnCouponItemsInput!) {
          answer: returnCouponItems(companyId: $companyId, input: $input) { amountE2 uses { amountE2 returnedAt } } }`,
        { input: { orderId, items: [{ goodId, quantity }] } },
      );

    expect(await back(1)).toEqual({ amountE2: 334, uses: [{ amountE2: 666, returnedAt: null }] });
    expect(await back(2)).toMatchObject({ amountE2: 666, uses: [{ returnedAt: expect.any(String) }] });
    expect((await tally(gateway, companyId, id)).counters).toMatchObject({ spent: 0, given: 0 });
  });

  it("a weekend sale that tills without a connection tell of on Monday", async () => {
    const { campaign, order, consumed } = desk;
    const { id, codes } = await campaign({
      type: "batch",
      promo_code: "WEEKEND",
      price_prc: 0.25,
      total_count: 2,
    });
    const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
    await gateway.db.coupon.updateMany({
      where: { companyId, id },
      data: { status: "finished", startsAt: ago(60), endsAt: ago(10) },
    });
    const at = async (hours: number) =>
      consumed({ code: codes[0], orderId: await order(2_001), occurredAt: ago(hours).toISOString() });

    expect([await at(61), await at(59), await at(9), await at(11), await at(30)]).toEqual([
      "COUPON_NOT_RUNNING",
      { amountE2: 500, companyAmountE2: 0 },
      "COUPON_NOT_RUNNING",
      { amountE2: 500, companyAmountE2: 0 },
      "COUPON_EXHAUSTED",
    ]);
  });
});
