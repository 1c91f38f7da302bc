import { createCompany, type TestCompany } from "../../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../../support/gateway.js";
import { createCoupon, inDays } from "../coupon-rows.js";
import { createOrder, createOrders, runningCoupon, tally } from "../running-coupon.js";

const mutation = (name: string, input: string, fields: string) => /* GraphQL */ `
  mutation ($companyId: Int!, $input: ${input}!) { ${name}(companyId: $companyId, input: $input) { ${fields} } }`;
const CONSUME = mutation("consumeCoupon", "ConsumeCouponInput", "amountE2");
const CONSUME_ALL = mutation("consumeCoupons", "ConsumeCouponsInput", "totalDiscountE2");
const HOLD = mutation("holdCoupon", "HoldCouponInput", "amountE2");
const RETURN = mutation("returnCoupon", "ReturnCouponInput", "amountE2");
const RELEASE = mutation("releaseCoupon", "ReleaseCouponInput", "amountE2");
const CHECK = mutation("checkCoupon", "CheckCouponInput", "discountE2");
const FIELDS = "id name budgetE2 couponIds spentAmountE2 heldAmountE2 remainingAmountE2 pausedAt finishedAt";
const CREATE = mutation("createCampaign", "CreateCampaignInput", FIELDS);
const UPDATE = /* GraphQL */ `
  mutation ($companyId: Int!, $id: Int!, $input: UpdateCampaignInput!) {
    updateCampaign(companyId: $companyId, id: $id, input: $input) { ${FIELDS} }
  }
`;
const BY_VERSION = /* GraphQL */ `
  mutation ($companyId: Int!, $id: Int!, $input: UpdateCampaignInput!, $ifVersion: Int) {
    updateCampaign(companyId: $companyId, id: $id, input: $input, ifVersion: $ifVersion) {
      version
      couponIds
    }
  }
`;
const SHOW = /* GraphQL */ `
  query ($companyId: Int!, $id: Int!) { campaign(companyId: $companyId, id: $id) { ${FIELDS} coupons { id status isPaused } } }`;
const act = (name: string) => /* GraphQL */ `
  mutation ($companyId: Int!, $id: Int!) { ${name}(companyId: $companyId, campaignId: $id) { ${FIELDS} coupons { id status isPaused promoCode } } }`;
const COPY = /* GraphQL */ `
  mutation ($companyId: Int!, $id: Int!, $input: CopyCampaignInput!) {
    copyCampaign(companyId: $companyId, campaignId: $id, input: $input) {
      coupons {
        promoCode
      }
    }
  }
`;

describe("campaigns", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companyId: number;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    companyId = company.id;
  });
  afterAll(() => gateway.close());

  const send = (document: string, input: object) => company.owner.run(document, { companyId, input });
  const create = async (couponIds: number[], budgetE2: number | null): Promise<number> =>
    dataOf(await send(CREATE, { name: "Autumn", couponIds, budgetE2 }))["createCampaign"].id;
  const change = (id: number, input: object) => company.owner.run(UPDATE, { companyId, id, input });
  const acted = (name: string, id: number) => company.owner.run(act(name), { companyId, id });
  const show = async (id: number) => dataOf(await company.owner.run(SHOW, { companyId, id }))["campaign"];
  const order = async () => (await createOrder(gateway, companyId)).id;
  const errorsOf = (answer: Awaited<ReturnType<typeof send>>) =>
    wrongFields(answer.errors?.[0]?.extensions["errors"] as never);

  it("give no more than the budget over all coupons, and take it again when it is given back", async () => {
    const [one, two] = [await runningCoupon(gateway, companyId), await runningCoupon(gateway, companyId)];
    const id = await create([one.id, two.id], 2_500);
    const orders = [await order(), await order(), await order()] as const;

    dataOf(await send(CONSUME, { code: one.codes[0], orderId: orders[0] }));
    dataOf(await send(HOLD, { code: two.codes[0], orderId: orders[1] }));
    const refused = await send(CONSUME, { code: two.codes[0], orderId: orders[2] });
    const checked = await send(CHECK, { couponCode: two.codes[0], subtotalE2: 10_000 });
    const full = await show(id);
    dataOf(await send(RETURN, { couponId: one.id, orderId: orders[0] }));
    const again = await send(CONSUME, { code: two.codes[0], orderId: orders[2] });
    dataOf(await send(CONSUME, { code: two.codes[0], orderId: orders[1] }));
    const over = await send(HOLD, { code: one.codes[0], orderId: orders[0] });

    expect([refused, checked, over].flatMap(errorCodes)).toEqual(Array(3).fill("COUPON_AMOUNT_LIMIT"));
    expect(refused.errors?.[0]?.message).toContain("needed at most 5.00, was 10.00");
    expect(full).toMatchObject({ spentAmountE2: 1000, heldAmountE2: 1000, remainingAmountE2: 500 });
    expect(dataOf(again)).toEqual({ consumeCoupon: { amountE2: 1000 } });
    expect(await show(id)).toMatchObject({
      ...{ couponIds: [one.id, two.id], spentAmountE2: 2000, heldAmountE2: 0, remainingAmountE2: 500 },
    });
  });

  it("count a basket whole, a hold that is released and one that has expired no more", async () => {
    const coupons = [await runningCoupon(gateway, companyId), await runningCoupon(gateway, companyId)];
    const id = await create(
      coupons.map((coupon) => coupon.id),
      1_999,
    );
    const codes = coupons.map((coupon) => coupon.codes[0]);
    const [first, second] = [await order(), await order()];

    expect(errorCodes(await send(CONSUME_ALL, { codes, orderId: first }))).toEqual(["COUPON_AMOUNT_LIMIT"]);
    expect(await show(id)).toMatchObject({ spentAmountE2: 0, remainingAmountE2: 1_999 });
    dataOf(await change(id, { budgetE2: 2_000 }));
    dataOf(await send(HOLD, { code: codes[0], orderId: second }));
    expect(errorCodes(await send(CONSUME_ALL, { codes, orderId: first }))).toEqual(["COUPON_AMOUNT_LIMIT"]);
    dataOf(await send(RELEASE, { code: codes[0], orderId: second }));
    dataOf(await send(HOLD, { code: codes[0], orderId: second }));
    await gateway.db.couponHold.updateMany({ where: { companyId }, data: { expiresAt: inDays(-0.001) } });
    expect(await show(id)).toMatchObject({ heldAmountE2: 0, remainingAmountE2: 2_000 });
    expect(dataOf(await send(CONSUME_ALL, { codes, orderId: first }))).toEqual({
      consumeCoupons: { totalDiscountE2: 2000 },
    });
    expect(await show(id)).toMatchObject({ spentAmountE2: 2000, remainingAmountE2: 0 });
  });

  it("keep their budget to the hundredth under parallel uses, holds, baskets and returns", async () => {
    const second = await startGateway({ on: gateway });
    const owner = await second.as({ kind: "admin", id: company.ownerId, companyId });
    const coupons: { id: number; codes: readonly string[] }[] = [];
    for (const priceE2 of [700, 1_100, 1_300])
      coupons.push(await runningCoupon(gateway, companyId, { priceE2, totalCount: 1000 }));
    const budgetE2 = 30_050;
    const id = await create(
      coupons.map((coupon) => coupon.id),
      budgetE2,
    );
    const orders = await createOrders(gateway, companyId, 60);
    const code = (place: number) => coupons[place % 3]?.codes[0] as string;
    const by = (place: number) => (place % 2 === 0 ? company.owner : owner);
    const run = (place: number, document: string, input: object) =>
      by(place).run(document, { companyId, input });

    const outcomes = await Promise.all(
      orders.map(async (orderId, place) => {
        if (place % 4 === 0)
          return errorCodes(
            await run(place, CONSUME_ALL, { codes: [code(place), code(place + 1)], orderId }),
          );
        if (place % 4 === 1) {
          const held = errorCodes(await run(place, HOLD, { code: code(place), orderId }));
          return held.length > 0
            ? held
            : errorCodes(await run(place, CONSUME, { code: code(place), orderId }));
        }
        const used = errorCodes(await run(place, CONSUME, { code: code(place), orderId }));
        if (place % 4 === 2 && used.length === 0) await run(place, RETURN, { code: code(place), orderId });
        return used;
      }),
    );

    const codesOfRefusals = [...new Set(outcomes.flat())];
    const tallies = await Promise.all(coupons.map((coupon) => tally(gateway, companyId, coupon.id)));
    const given = tallies.reduce((sum, { rows }) => sum + rows.given + rows.reserved, 0);
    expect(codesOfRefusals).toEqual(["COUPON_AMOUNT_LIMIT"]);
    for (const { counters, rows } of tallies) expect(counters).toEqual(rows);
    expect(given).toBeLessThanOrEqual(budgetE2);
    // What is left is spent to the end: nobody was refused for ever, and no use takes more than there is.
    for (const orderId of await createOrders(gateway, companyId, 50))
      await send(CONSUME, { code: code(0), orderId });
    const shown = await show(id);
    expect(shown.spentAmountE2 + shown.heldAmountE2 + shown.remainingAmountE2).toBe(budgetE2);
    expect(shown.remainingAmountE2).toBeLessThan(700);
    await second.close();
  }, 60_000);

  it("take no gift card, no coupon of another campaign, and let go of none that has given something", async () => {
    const [one, two] = [await runningCoupon(gateway, companyId), await runningCoupon(gateway, companyId)];
    const card = await runningCoupon(gateway, companyId, { type: "gift_card", totalCount: 1 });
    const id = await create([one.id], null);
    dataOf(await send(CONSUME, { code: one.codes[0], orderId: await order() }));

    const wrong = await send(CREATE, { name: "Other", couponIds: [one.id, card.id, 2_000_000_000] });
    const both = await send(CREATE, { name: "Other", couponIds: [one.id, card.id] });
    const leaves = await change(id, { couponIds: [two.id] });
    const added = await change(id, { couponIds: [two.id, one.id], budgetE2: 1_500 });

    expect(errorsOf(wrong)).toEqual(["couponIds[2]:exists"]);
    expect(errorsOf(both)).toEqual(["couponIds[0]:unique", "couponIds[1]:type"]);
    expect(errorsOf(leaves)).toEqual(["couponIds:used"]);
    expect(dataOf(added)["updateCampaign"]).toMatchObject({
      ...{ couponIds: [one.id, two.id], budgetE2: 1_500, spentAmountE2: 1000, remainingAmountE2: 500 },
    });
    expect(errorCodes(await send(CONSUME, { code: two.codes[0], orderId: await order() }))).toEqual([
      "COUPON_AMOUNT_LIMIT",
    ]);
    expect(await gateway.db.campaign.count({ where: { companyId } })).toBe(1);
    expect(await show(await create([], null))).toMatchObject({ couponIds: [], coupons: [] });
  });

  it("let go of deleted coupons as of others, so that none comes back that was taken out", async () => {
    const [out, used] = [
      await runningCoupon(gateway, companyId, { type: "promo", status: "pending" }),
      await runningCoupon(gateway, companyId, {
        type: "promo",
        status: "finished",
        spentCount: 1,
        spentAmountE2: 500n,
      }),
    ];
    const id = await create([out.id, used.id], 10_000);
    const restored = (couponId: number) =>
      company.owner.run(
        "mutation ($c: Int!, $id: Int!) { restoreCoupon(companyId: $c, id: $id) { campaignId } }",
        {
          c: companyId,
          id: couponId,
        },
      );
    await gateway.db.coupon.updateMany({
      where: { companyId, id: { in: [out.id, used.id] } },
      data: { deletedAt: new Date() },
    });

    dataOf(await change(id, { couponIds: [] }));

    expect(dataOf(await restored(out.id))).toEqual({ restoreCoupon: { campaignId: null } });
    expect(dataOf(await restored(used.id))).toEqual({ restoreCoupon: { campaignId: id } });
    expect(await show(id)).toMatchObject({ couponIds: [used.id], spentAmountE2: 500 });
  });

  it("move their version once with their coupons, so that of two changes of one version one is made", async () => {
    const { id: coupon } = await runningCoupon(gateway, companyId);
    const id = await create([], null);
    const update = (input: object, ifVersion?: number) =>
      company.owner.run(BY_VERSION, { companyId, id, input, ifVersion });
    const updated = async (input: object) => {
      const { version, couponIds } = dataOf(await update(input))["updateCampaign"];
      const stored = await gateway.db.campaign.findFirstOrThrow({ where: { companyId, id } });
      return [version, stored.version, couponIds];
    };
    const journal = () =>
      gateway.db.journalEntry.findMany({
        where: { companyId, type: "Campaign", action: "updated" },
        orderBy: { id: "asc" },
      });

    const atOnce = await Promise.all([1, 2].map(() => update({ couponIds: [coupon] }, 1)));
    const late = await update({ couponIds: [] }, 1);

    expect(atOnce.flatMap(errorCodes)).toEqual(["PRECONDITION_FAILED"]);
    expect(late.errors?.[0]?.extensions).toMatchObject({
      code: "PRECONDITION_FAILED",
      present: { version: 2, actorKind: "admin", actorId: company.ownerId },
    });
    expect(await journal()).toMatchObject([{ fields: ["coupon_ids"] }]);
    expect(await updated({ couponIds: [coupon], budgetE2: null })).toEqual([2, 2, [coupon]]);
    expect(await journal()).toHaveLength(1);
    expect(await updated({ couponIds: [], name: "Winter" })).toEqual([3, 3, []]);
    expect((await journal()).map(({ fields }) => fields.sort())).toEqual([
      ["coupon_ids"],
      ["coupon_ids", "name"],
    ]);
  });

  it("move the version of a coupon once, also when it comes paused, leaves or is copied", async () => {
    const { id: coupon } = await runningCoupon(gateway, companyId);
    const id = await create([], null);
    const stored = async (couponId: number) => {
      const where = { companyId, id: couponId };
      const { version, pausedAt, campaignId } = await gateway.db.coupon.findFirstOrThrow({ where });
      return [version, pausedAt !== null, campaignId];
    };
    const before = (await stored(coupon))[0] as number;
    dataOf(await acted("pauseCampaign", id));

    dataOf(await change(id, { couponIds: [coupon], budgetE2: 5_000 }));
    const came = await stored(coupon);
    const copied = dataOf(await acted("copyCampaign", id))["copyCampaign"];
    dataOf(await change(id, { couponIds: [] }));

    expect(came).toEqual([before + 1, true, id]);
    expect(await stored(coupon)).toEqual([before + 2, false, null]);
    expect(await stored(copied.couponIds[0])).toEqual([1, false, copied.id]);
  });

  it("are paused, resumed, finished and copied whole", async () => {
    const [one, two] = [
      await runningCoupon(gateway, companyId),
      await runningCoupon(gateway, companyId, { pausedAt: inDays(-1) }),
    ];
    const later = await createCoupon(gateway, companyId, {
      type: "promo",
      status: "ready",
      startsAt: inDays(1),
    });
    const id = await create([one.id, two.id, later.id], 5_000);
    const orderId = await order();
    const use = () => send(CONSUME, { code: one.codes[0], orderId });
    const states = (answer: Record<string, any>) =>
      answer["coupons"].map(({ status, isPaused }: { status: string; isPaused: boolean }) => [
        status,
        isPaused,
      ]);

    const paused = dataOf(await acted("pauseCampaign", id))["pauseCampaign"];
    expect(errorCodes(await use())).toEqual(["COUPON_NOT_RUNNING"]);
    const again = await acted("pauseCampaign", id);
    expect(errorCodes(again)).toEqual(["INVALID_STATE"]);
    expect(again.errors?.[0]?.extensions["allowedActions"]).toEqual(["update", "resume", "finish"]);
    const resumed = dataOf(await acted("resumeCampaign", id))["resumeCampaign"];
    expect(errorCodes(await acted("resumeCampaign", id))).toEqual(["INVALID_STATE"]);
    dataOf(await use());
    const copied = dataOf(await acted("copyCampaign", id))["copyCampaign"];
    const finished = dataOf(await acted("finishCampaign", id))["finishCampaign"];

    expect(states(paused)).toEqual([
      ["running", true],
      ["running", true],
      ["ready", true],
    ]);
    expect(states(resumed)).toEqual([
      ["running", false],
      ["running", true],
      ["ready", false],
    ]);
    expect(copied).toMatchObject({ name: "Autumn", budgetE2: 5_000, spentAmountE2: 0, finishedAt: null });
    expect(states(copied)).toEqual([
      ["pending", false],
      ["pending", false],
      ["pending", false],
    ]);
    expect(copied.coupons[0].promoCode).toMatch(/^[0-9A-Z]{10}$/u);
    expect(copied.couponIds).not.toContain(one.id);
    expect(states(finished)).toEqual([
      ["finished", false],
      ["finished", true],
      ["finished", false],
    ]);
    expect(finished.finishedAt).not.toBeNull();
    expect(errorCodes(await acted("finishCampaign", id))).toEqual(["INVALID_STATE"]);
    expect(errorCodes(await change(id, { name: "New" }))).toEqual(["INVALID_STATE"]);
  });

  it("are over for coupons that are pending or deleted, too", async () => {
    const { id: pending } = await createCoupon(gateway, companyId);
    const others = [];
    for (const status of ["ready", "generating", "ready"] as const)
      others.push(await runningCoupon(gateway, companyId, { status, startsAt: inDays(1) }));
    const id = await create([pending, ...others.map((other) => other.id)], 5_000);
    for (const { id: couponId } of others.slice(0, 2))
      await company.owner.rest("DELETE", `/companies/${companyId}/coupons/${couponId}`);
    dataOf(await acted("finishCampaign", id));
    const row = () => gateway.db.coupon.findFirstOrThrow({ where: { companyId, id: pending } });
    const before = await row();
    const path = `/companies/${companyId}/coupons/${pending}`;

    const refused = await company.owner.rest("POST", `${path}/set-ready`);
    const { data, errors } = await company.owner.run(
      `mutation ($companyId: Int!, $couponId: Int!) {
        one: setReady(companyId: $companyId, couponId: $couponId) { id } }`,
      { companyId, couponId: pending },
    );
    const many = await company.owner.run(
      `mutation ($companyId: Int!, $ids: [Int!]!) {
        many: setCouponsReady(companyId: $companyId, ids: $ids) { ok error { code message } } }`,
      { companyId, ids: [pending] },
    );
    const shown = await company.owner.run(
      "query ($companyId: Int!, $id: Int!) { coupon(companyId: $companyId, id: $id) { allowedActions } }",
      { companyId, id: pending },
    );

    const detail = refused.body.detail as string;
    expect([refused.status, refused.body.code, refused.body.state]).toEqual([
      409,
      "INVALID_STATE",
      "pending",
    ]);
    expect(detail).toContain("copy the coupon");
    expect([data?.["one"] ?? null, errors?.[0]?.extensions["code"]]).toEqual([null, "INVALID_STATE"]);
    expect(dataOf(many)["many"]).toEqual([{ ok: false, error: { code: "INVALID_STATE", message: detail } }]);
    expect(refused.body.allowed_actions).toEqual(["update", "delete", "upload_codes"]);
    expect(dataOf(shown)["coupon"].allowedActions).toEqual(refused.body.allowed_actions);
    expect(await row()).toEqual(before);
    for (const { id: couponId } of others.slice(0, 2)) {
      const restored = await company.owner.rest(
        "POST",
        `/companies/${companyId}/coupons/${couponId}/restore`,
      );
      expect([restored.status, restored.body.status]).toEqual([200, "finished"]);
    }
  });

  it("are not copied with promo codes that are taken, each of which is named", async () => {
    const { id: one } = await runningCoupon(gateway, companyId, { type: "batch", promoCode: "CAMAA" });
    const { id: two } = await runningCoupon(gateway, companyId, { type: "batch", promoCode: "CAMBB" });
    const { id: other } = await runningCoupon(gateway, companyId);
    const id = await create([one, two], null);
    const copy = async (...codes: [number, string][]) =>
      company.owner.run(COPY, {
        ...{ companyId, id },
        input: { promoCodes: codes.map(([couponId, promoCode]) => ({ couponId, promoCode })) },
      });
    const coupons = () => gateway.db.coupon.count({ where: { companyId } });
    const before = await coupons();

    const both = await copy([one, "CAMAA"], [two, "camaa"]);
    const second = await copy([one, "FRESH"], [two, "CAMBB"]);
    const twice = await copy([one, "NEWAA"], [two, "newaa"]);
    const all = await copy([other, "NEWAA"], [two, "camaa"]);

    expect(errorsOf(both)).toEqual(["promoCodes[0].promoCode:unique", "promoCodes[1].promoCode:unique"]);
    expect(errorsOf(second)).toEqual(["promoCodes[1].promoCode:unique"]);
    expect(errorsOf(twice)).toEqual(["promoCodes[1].promoCode:unique"]);
    expect(errorsOf(all)).toEqual(["promoCodes[0].couponId:exists", "promoCodes[1].promoCode:unique"]);
    expect(await coupons()).toBe(before);
    expect(await gateway.db.campaign.count({ where: { companyId } })).toBe(1);
    const { coupons: copies } = dataOf(await copy([one, "NEWAA"], [two, "NEWBB"]))["copyCampaign"];
    expect(copies.map(({ promoCode }: { promoCode: string }) => promoCode)).toEqual(["NEWAA", "NEWBB"]);
  });

  it("are a key and a filter of the sums", async () => {
    const [one, two] = [await runningCoupon(gateway, companyId), await runningCoupon(gateway, companyId)];
    const id = await create([one.id], null);
    for (const { codes } of [one, two])
      dataOf(await send(CONSUME, { code: codes[0], orderId: await order() }));

    const { body } = await company.owner.rest(
      "GET",
      `/companies/${companyId}/coupon-stats?group_by=campaign&filter[campaign_id][eq]=${id}`,
    );
    const all = await company.owner.rest("GET", `/companies/${companyId}/coupon-stats?group_by=campaign`);

    expect(body).toMatchObject([{ campaign_id: id, uses: 1, discount_e2: 1000 }]);
    expect(all.body).toMatchObject([
      { campaign_id: id, uses: 1 },
      { campaign_id: null, uses: 1 },
    ]);
  });
});
