import { setTimeout as sleep } from "node:timers/promises";
import type { Prisma } from "../../../src/generated/prisma/client.js";
import { adminWith, createBranchGroup, createCompany, type TestCompany } from "../../support/factories.js";
import {
  dataOf,
  errorCodes,
  startGateway,
  wrongFields,
  type Gateway,
  type GraphqlResult,
} from "../../support/gateway.js";
import { createCoupon, inDays, inState, spell } from "../coupon-rows.js";
import { createOrder, runningCoupon } from "../running-coupon.js";

let gateway: Gateway;
let acme: TestCompany;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
beforeEach(async () => {
  acme = await createCompany(gateway);
});
afterAll(() => gateway.close());

const run = (field: string, types: string, variables: object, client = acme.owner): Promise<GraphqlResult> =>
  client.run(`mutation ($companyId: Int!${types}) { done: ${field} }`, { companyId: acme.id, ...variables });

const stored = (id: number) => gateway.db.coupon.findFirstOrThrow({ where: { companyId: acme.id, id } });
const codesOf = (couponId: number) =>
  gateway.db.couponCode.findMany({ where: { companyId: acme.id, couponId }, orderBy: { id: "asc" } });
const ruleOf = ({ errors }: GraphqlResult): string[] =>
  wrongFields(errors?.[0]?.extensions?.["errors"] as { field: string; rule: string }[] | undefined);

describe("copyCoupon", () => {
  const FIELDS = "{ id name status promoCode startsAt endsAt spentCount isPaused branchGroups { id } }";
  const copy = (id: number, input: object | null = null) =>
    run(
      `copyCoupon(companyId: $companyId, couponId: $id, input: $input) ${FIELDS}`,
      ", $id: Int!, $input: CopyCouponInput",
      { id, input },
    );
  const TERMS = {
    name: "Winter",
    type: "batch",
    priceE2: 250n,
    pricePrc: "0.1",
    minPurchaseE2: 900n,
    totalCount: 50,
    appliesTo: "total",
    targetType: "branch_group",
    config: { limit: 2, days: [1, 2] },
    loopConfig: { every: "year" },
  } as const;

  it("makes a pending coupon with the same terms and targets, and with nothing that was counted", async () => {
    const shop = await createBranchGroup(gateway, acme.id);
    const client = await gateway.db.client.create({ data: { companyId: acme.id, name: "Ann" } });
    const old = await createCoupon(gateway, acme.id, {
      ...inState("finished"),
      ...TERMS,
      whitelist: [client.id],
      spentCount: 3,
      spentAmountE2: 700,
      pausedAt: new Date(),
    });
    await gateway.db.couponBranchGroup.create({
      data: { companyId: acme.id, couponId: old.id, branchGroupId: shop.id },
    });
    const before = await stored(old.id);
    const [startsAt, endsAt] = [spell(inDays(1)), spell(inDays(30))];

    const { done } = dataOf(
      await copy(old.id, { name: "Winter again", promoCode: "Winter27", startsAt, endsAt }),
    ) as { done: { id: number } };

    expect(done).toEqual({
      id: expect.any(Number) as number,
      name: "Winter again",
      status: "pending",
      promoCode: "Winter27",
      startsAt,
      endsAt,
      spentCount: 0,
      isPaused: false,
      branchGroups: [{ id: shop.id }],
    });
    const row = await stored(done.id);
    expect({ ...row, pricePrc: String(row.pricePrc) }).toMatchObject({
      ...TERMS,
      name: "Winter again",
      whitelist: [client.id],
      spentAmountE2: 0n,
      generatedCount: 0,
    });
    expect((await codesOf(done.id)).map(({ code }) => code)).toEqual(["WINTER27"]);
    expect(await stored(old.id)).toEqual(before);
  });

  it("needs a new promo code for a batch coupon, and none for others", async () => {
    const batch = await createCoupon(gateway, acme.id, { type: "batch", promoCode: "TAKEN1" });
    const personal = await createCoupon(gateway, acme.id, { type: "personal" });

    expect(ruleOf(await copy(batch.id))).toEqual(["promoCode:required"]);
    expect(ruleOf(await copy(batch.id, { promoCode: "taken1" }))).toEqual(["promoCode:unique"]);
    expect(ruleOf(await copy(personal.id, { promoCode: "FRESH1" }))).toEqual(["promoCode:forbidden"]);
    expect(ruleOf(await copy(personal.id, { endsAt: "2020-01-01 00:00:00" }))).toEqual(["endsAt:after"]);
    expect(await gateway.db.coupon.count({ where: { companyId: acme.id } })).toBe(2);
    expect(dataOf(await copy(personal.id))["done"]).toMatchObject({ name: personal.name, startsAt: null });
  });
});

describe("pauseCoupon and resumeCoupon", () => {
  const FIELDS = "{ status isPaused pausedAt allowedActions }";
  const pause = (id: number) =>
    run(`pauseCoupon(companyId: $companyId, couponId: $id) ${FIELDS}`, ", $id: Int!", { id });
  const resume = (id: number) =>
    run(`resumeCoupon(companyId: $companyId, couponId: $id) ${FIELDS}`, ", $id: Int!", { id });
  const consume = (input: object) =>
    run("consumeCoupon(companyId: $companyId, input: $input) { id }", ", $input: ConsumeCouponInput!", {
      input,
    });
  const hold = (input: object) =>
    run("holdCoupon(companyId: $companyId, input: $input) { id }", ", $input: HoldCouponInput!", { input });

  it("shows in what is allowed, and leaves the status as it is", async () => {
    const { id } = await runningCoupon(gateway, acme.id);

    const paused = dataOf(await pause(id))["done"] as Record<string, unknown>;
    expect(paused).toMatchObject({ status: "running", isPaused: true });
    expect(paused["allowedActions"]).toEqual(["update_running", "set_finished", "resume"]);
    expect(paused["pausedAt"]).not.toBeNull();
    const again = await pause(id);
    expect(errorCodes(again)).toEqual(["INVALID_STATE"]);
    expect(again.errors?.[0]?.extensions).toMatchObject({
      state: "running",
      allowedActions: ["update_running", "set_finished", "resume"],
    });
    expect(dataOf(await resume(id))["done"]).toEqual({
      status: "running",
      isPaused: false,
      pausedAt: null,
      allowedActions: ["update_running", "set_finished", "pause"],
    });
    expect(errorCodes(await resume(id))).toEqual(["INVALID_STATE"]);
  });

  it("keeps every use back until it is resumed", async () => {
    const { id, promoCode: code } = await runningCoupon(gateway, acme.id);
    const held = await createOrder(gateway, acme.id);
    const order = await createOrder(gateway, acme.id);
    dataOf(await hold({ code, orderId: held.id }));
    dataOf(await pause(id));
    const before = await stored(id);

    const refused = [
      await consume({ code, orderId: order.id }),
      await consume({ code, orderId: held.id }),
      await hold({ code, orderId: order.id }),
      await acme.owner.run(
        "mutation ($c: Int!, $i: CheckCouponInput!) { checkCoupon(companyId: $c, input: $i) { discountE2 } }",
        { c: acme.id, i: { couponCode: code, subtotalE2: 10_000 } },
      ),
    ];

    expect(refused.map(errorCodes)).toEqual(refused.map(() => ["COUPON_NOT_RUNNING"]));
    expect(await stored(id)).toEqual(before);
    dataOf(await resume(id));
    expect(errorCodes(await consume({ code, orderId: held.id }))).toEqual([]);
    expect(errorCodes(await consume({ code, orderId: order.id }))).toEqual([]);
    expect(await stored(id)).toMatchObject({ spentCount: 2, heldCount: 0 });
  });

  it("takes promos out of those that apply, and keeps gift cards from being redeemed", async () => {
    const promo = await runningCoupon(gateway, acme.id, { type: "promo" });
    const card = await runningCoupon(gateway, acme.id, { type: "gift_card", totalCount: 1 });
    const promos = async () =>
      dataOf(
        await acme.owner.run(
          "query ($c: Int!, $i: ApplicablePromosInput!) { applicablePromos(companyId: $c, input: $i) { coupon { id } } }",
          { c: acme.id, i: { subtotalE2: 5_000 } },
        ),
      )["applicablePromos"] as unknown[];
    const redeem = () =>
      acme.owner.rest("POST", `/companies/${acme.id}/coupons/redeem`, {
        body: { coupon_code: card.codes[0] as string, redeem: true },
      });
    expect(await promos()).toEqual([{ coupon: { id: promo.id } }]);
    for (const { id } of [promo, card]) dataOf(await pause(id));

    expect(await promos()).toEqual([]);
    expect((await redeem()).body.code).toBe("COUPON_NOT_RUNNING");
    expect(await stored(card.id)).toMatchObject({ spentCount: 0 });
    for (const { id } of [promo, card]) dataOf(await resume(id));
    expect(await promos()).toHaveLength(1);
    expect((await redeem()).status).toBe(200);
  });

  it("lets no use through that was judged before the pause", async () => {
    const { id, promoCode: code } = await runningCoupon(gateway, acme.id);
    const { id: orderId } = await createOrder(gateway, acme.id);

    const result = await gateway.db.$transaction(async (db) => {
      await db.coupon.update({
        where: { companyId_id: { companyId: acme.id, id } },
        data: { pausedAt: new Date() },
      });
      const waiting = consume({ code, orderId });
      await sleep(200);
      return { waiting };
    });

    expect(errorCodes(await result.waiting)).toEqual(["COUPON_NOT_RUNNING"]);
    expect(await stored(id)).toMatchObject({ spentCount: 0 });
  });

  it("is refused unless the coupon runs, and to who may not edit", async () => {
    const pending = await createCoupon(gateway, acme.id);
    const { id } = await runningCoupon(gateway, acme.id);
    const reader = await adminWith(gateway, acme.id, "access_coupons");

    const result = await run(
      "pauseCoupon(companyId: $companyId, couponId: $id) { id }",
      ", $id: Int!",
      { id },
      reader,
    );

    expect(errorCodes(await pause(pending.id))).toEqual(["INVALID_STATE"]);
    expect(errorCodes(result)).toEqual(["FORBIDDEN"]);
    expect([await stored(pending.id), await stored(id)]).toMatchObject([
      { pausedAt: null },
      { pausedAt: null },
    ]);
  });

  it("is noted in the audit trail", async () => {
    const { id } = await runningCoupon(gateway, acme.id);
    dataOf(await pause(id));

    const entries = await gateway.db.auditEntry.findMany({
      where: { companyId: acme.id, targetType: "coupon" },
    });
    expect(entries).toMatchObject([{ operation: "pauseCoupon", action: "update" }]);
    expect(JSON.stringify(entries[0]?.changes)).toContain("paused_at");
  });
});

describe("addCouponCodes", () => {
  const FIELDS = "{ totalCount generation { generated total jobId } }";
  const add = (id: number, count: number) =>
    run(
      `addCouponCodes(companyId: $companyId, couponId: $id, count: $count) ${FIELDS}`,
      ", $id: Int!, $count: Int!",
      {
        id,
        count,
      },
    );
  const start = (overrides: Partial<Prisma.CouponUncheckedCreateInput> = {}) =>
    runningCoupon(gateway, acme.id, {
      type: "personal",
      totalCount: 3,
      generatedCount: 3,
      codeLength: 8,
      ...overrides,
    } as object);

  it("raises the total at once; the job makes the codes, and the first ones work meanwhile", async () => {
    const { id, codes } = await start();
    const { id: orderId } = await createOrder(gateway, acme.id);

    expect(dataOf(await add(id, 4))["done"]).toEqual({
      totalCount: 7,
      generation: { generated: 3, total: 7, jobId: `coupon-codes-${id}` },
    });
    const progress = () =>
      acme.owner.run("query ($c: Int!, $j: String!) { job(companyId: $c, id: $j) { state done total } }", {
        c: acme.id,
        j: `coupon-codes-${id}`,
      });
    expect(dataOf(await progress())["job"]).toEqual({ state: "running", done: 3, total: 7 });
    const used = await run(
      "consumeCoupon(companyId: $companyId, input: $input) { id }",
      ", $input: ConsumeCouponInput!",
      { input: { code: codes[0], orderId } },
    );
    expect(errorCodes(used)).toEqual([]);
    await gateway.runJobs();

    expect(dataOf(await progress())["job"]).toEqual({ state: "done", done: 7, total: 7 });
    const made = await codesOf(id);
    expect(made).toHaveLength(7);
    expect(made.filter(({ code }) => !codes.includes(code)).every(({ code }) => code.length === 8)).toBe(
      true,
    );
    expect(await stored(id)).toMatchObject({
      status: "running",
      totalCount: 7,
      generatedCount: 7,
      spentCount: 1,
    });
  });

  it("makes as many as were asked for, however often and at once", async () => {
    const { id } = await start();

    const answers = await Promise.all([add(id, 6_000), add(id, 7_000), gateway.runJobs(), add(id, 500)]);
    await Promise.all([gateway.runJobs(), gateway.runJobs()]);

    expect(answers.flatMap((answer) => (answer ? errorCodes(answer) : []))).toEqual([]);
    expect(await codesOf(id)).toHaveLength(13_503);
    expect(await stored(id)).toMatchObject({ totalCount: 13_503, generatedCount: 13_503 });
  });

  it("is refused for too many codes of the length, and for coupons without codes for one use", async () => {
    const short = await start({ codeLength: 5 });
    const card = await start({ type: "gift_card", codeLength: 7 });
    const batch = await runningCoupon(gateway, acme.id);
    const pending = await createCoupon(gateway, acme.id, { type: "personal" });

    expect(ruleOf(await add(short.id, 28_627))).toEqual(["count:code_space"]);
    expect(ruleOf(await add(card.id, 25))).toEqual(["count:code_space"]);
    expect(ruleOf(await add(short.id, 2_147_483_647))).toEqual(["count:max"]);
    expect(ruleOf(await add(short.id, 0))).toEqual(["count:min"]);
    expect(errorCodes(await add(batch.id, 1))).toEqual(["INVALID_STATE"]);
    expect(errorCodes(await add(pending.id, 1))).toEqual(["INVALID_STATE"]);
    expect(await stored(short.id)).toMatchObject({ totalCount: 3 });
    expect(errorCodes(await add(short.id, 28_626))).toEqual([]);
  });
});

describe("voidCouponCode", () => {
  const voidCode = (id: number, code: string) =>
    run(
      "voidCouponCode(companyId: $companyId, couponId: $id, code: $code) { code usedAt voidedAt }",
      ", $id: Int!, $code: String!",
      { id, code },
    );
  const use = (mutation: string, type: string, input: object) =>
    run(`${mutation}(companyId: $companyId, input: $input) { id }`, `, $input: ${type}!`, { input });

  it("keeps one code from being used, for good", async () => {
    const { id, codes } = await runningCoupon(gateway, acme.id, {
      type: "personal",
      totalCount: 3,
      generatedCount: 3,
    });
    const [first = "", second = ""] = codes;
    const order = await createOrder(gateway, acme.id);

    const done = dataOf(await voidCode(id, first.toLowerCase()))["done"] as { voidedAt: string };
    expect(done).toEqual({ code: first, usedAt: null, voidedAt: expect.any(String) as string });
    expect(dataOf(await voidCode(id, first))["done"]).toEqual(done);

    const refused = await use("consumeCoupon", "ConsumeCouponInput", { code: first, orderId: order.id });
    expect(errorCodes(refused)).toEqual(["COUPON_CODE_USED"]);
    expect(await stored(id)).toMatchObject({ voidedCount: 1, spentCount: 0, totalCount: 3 });
    const lists = dataOf(
      await acme.owner.run(
        `query ($c: Int!, $id: Int!) {
           coupon(companyId: $c, id: $id) { voidedCount }
           couponCodes(companyId: $c, couponId: $id) { nodes { code voidedAt } }
           couponAvailableTickets(companyId: $c, couponId: $id) { totalCount }
         }`,
        { c: acme.id, id },
      ),
    );
    expect(lists).toEqual({
      coupon: { voidedCount: 1 },
      couponCodes: {
        nodes: [
          { code: first, voidedAt: done.voidedAt },
          { code: second, voidedAt: null },
          { code: codes[2], voidedAt: null },
        ],
      },
      couponAvailableTickets: { totalCount: 2 },
    });
    const other = await use("consumeCoupon", "ConsumeCouponInput", { code: second, orderId: order.id });
    expect(errorCodes(other)).toEqual([]);
  });

  it("refuses a code that is used or held, a promo code and one that is not there", async () => {
    const { id, codes } = await runningCoupon(gateway, acme.id, { type: "personal", totalCount: 3 });
    const [used = "", held = "", expired = ""] = codes;
    const orders = [await createOrder(gateway, acme.id), await createOrder(gateway, acme.id)];
    const third = await createOrder(gateway, acme.id);
    dataOf(await use("consumeCoupon", "ConsumeCouponInput", { code: used, orderId: orders[0]?.id }));
    dataOf(await use("holdCoupon", "HoldCouponInput", { code: held, orderId: orders[1]?.id }));
    dataOf(await use("holdCoupon", "HoldCouponInput", { code: expired, orderId: third.id }));
    await gateway.db.couponHold.updateMany({
      where: { companyId: acme.id, orderId: third.id },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
    const batch = await runningCoupon(gateway, acme.id);

    const answers = [
      await voidCode(id, used),
      await voidCode(id, held),
      await voidCode(batch.id, batch.promoCode as string),
      await voidCode(id, "NOSUCHCODE"),
      await voidCode(id, batch.promoCode as string),
    ];

    expect(
      answers.map(({ errors }) => [errors?.[0]?.extensions?.["code"], errors?.[0]?.extensions?.["state"]]),
    ).toEqual([
      ["INVALID_STATE", "used"],
      ["INVALID_STATE", "held"],
      ["INVALID_STATE", undefined],
      ["NOT_FOUND", undefined],
      ["NOT_FOUND", undefined],
    ]);
    expect(await stored(id)).toMatchObject({ voidedCount: 0, heldCount: 2, spentCount: 1 });
    expect(errorCodes(await voidCode(id, expired))).toEqual([]);
    expect(await stored(id)).toMatchObject({ voidedCount: 1, heldCount: 1 });
  });

  it("either uses or voids a code, however many ask at once", async () => {
    const { id, codes } = await runningCoupon(gateway, acme.id, { type: "personal", totalCount: 12 });
    const orders = await Promise.all(codes.map(() => createOrder(gateway, acme.id)));

    await Promise.all(
      codes.flatMap((code, i) => [
        use("consumeCoupon", "ConsumeCouponInput", { code, orderId: orders[i]?.id }),
        voidCode(id, code),
      ]),
    );

    const rows = await codesOf(id);
    expect(rows.every(({ usedAt, voidedAt }) => (usedAt === null) !== (voidedAt === null))).toBe(true);
    const { spentCount, voidedCount } = await stored(id);
    expect([spentCount, voidedCount]).toEqual([
      rows.filter(({ usedAt }) => usedAt !== null).length,
      rows.filter(({ voidedAt }) => voidedAt !== null).length,
    ]);
  });

  it("keeps a voided gift card from being redeemed", async () => {
    const { id, codes } = await runningCoupon(gateway, acme.id, { type: "gift_card", totalCount: 2 });
    dataOf(await voidCode(id, codes[0] as string));

    const { body } = await acme.owner.rest("POST", `/companies/${acme.id}/coupons/redeem`, {
      body: { coupon_code: codes[0] as string, redeem: true },
    });

    expect(body.code).toBe("COUPON_CODE_USED");
    expect(await stored(id)).toMatchObject({ spentCount: 0 });
  });
});

describe("many coupons at once", () => {
  const RESULT = "{ id ok error { code state } }";
  const bulk = (name: string, ids: number[]) =>
    run(`${name}(companyId: $companyId, ids: $ids) ${RESULT}`, ", $ids: [Int!]!", { ids });

  it("are paused, resumed, finished, deleted and restored, each with its result", async () => {
    const [one, two] = [await runningCoupon(gateway, acme.id), await runningCoupon(gateway, acme.id)];
    const pending = await createCoupon(gateway, acme.id);
    const ids = [one.id, pending.id, two.id];
    const fine = (id: number) => ({ id, ok: true, error: null });
    const isPending = { id: pending.id, ok: false, error: { code: "INVALID_STATE", state: "pending" } };

    for (const name of ["pauseCoupons", "resumeCoupons", "setCouponsFinished"]) {
      expect(dataOf(await bulk(name, ids))["done"]).toEqual([fine(one.id), isPending, fine(two.id)]);
    }
    for (const name of ["deleteCoupons", "restoreCoupons"]) {
      expect(dataOf(await bulk(name, ids))["done"]).toEqual(ids.map(fine));
    }
  });

  it("get the same price as long as they are pending", async () => {
    const pending = await createCoupon(gateway, acme.id, { pricePrc: "0.2" });
    const running = await runningCoupon(gateway, acme.id);

    const result = await run(
      `setCouponPrices(companyId: $companyId, ids: $ids, input: $input) ${RESULT}`,
      ", $ids: [Int!]!, $input: CouponPriceInput!",
      { ids: [pending.id, running.id], input: { humanPriceE2: 12.5 } },
    );

    expect(dataOf(result)["done"]).toEqual([
      { id: pending.id, ok: true, error: null },
      { id: running.id, ok: false, error: { code: "INVALID_STATE", state: "running" } },
    ]);
    const after = await stored(pending.id);
    expect([after.priceE2, String(after.pricePrc)]).toEqual([1250n, "0.2"]);
    expect(await stored(running.id)).toMatchObject({ priceE2: 1000n });
  });

  it("are listed by status, by type and by their pause, and counted by status", async () => {
    const promo = await runningCoupon(gateway, acme.id, { type: "promo" });
    const batch = await runningCoupon(gateway, acme.id, { pausedAt: new Date() });
    const pending = await createCoupon(gateway, acme.id);
    const query = `query ($c: Int!) {
      status: coupons(companyId: $c, orderBy: [{ field: STATUS, direction: ASC }]) { nodes { id } }
      type: coupons(companyId: $c, orderBy: [{ field: TYPE, direction: DESC }]) { nodes { id } }
      paused: coupons(companyId: $c, filter: { pausedAt: { isNull: false } }) { nodes { id } }
      couponCounts(companyId: $c, by: status) { value count }
    }`;

    const data = dataOf(await acme.owner.run(query, { c: acme.id }));

    const ids = (name: string) => (data[name] as { nodes: { id: number }[] }).nodes.map(({ id }) => id);
    expect(ids("status")[0]).toBe(pending.id);
    expect(ids("type")).toEqual([promo.id, pending.id, batch.id]);
    expect(ids("paused")).toEqual([batch.id]);
    expect(data["couponCounts"]).toEqual([
      { value: "running", count: 2 },
      { value: "pending", count: 1 },
    ]);
  });
});
