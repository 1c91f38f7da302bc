import { sql } from "../../src/core/db/sql.js";
import { addJob } from "../../src/core/jobs/jobs.js";
import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { letRowsAge } from "../support/let-rows-age.js";
import { createOrder, createOrders, runningCoupon, tally, type RunningCoupon } from "./running-coupon.js";

const UNUSED = { spent: 0, given: 0, held: 0, reserved: 0 };
const HELD = { spent: 0, given: 0, held: 1, reserved: 1000 };
const USED = { spent: 1, given: 1000, held: 0, reserved: 0 };

describe("how a hold and a use of a coupon end", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companyId: number;
  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
    company = await createCompany(gateway);
    companyId = company.id;
  });
  afterAll(() => gateway.close());

  const mutation = (name: string, fields: string) => (input: object) =>
    company.owner.run(
      `mutation ($companyId: Int!, $input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) {
        answer: ${name}(companyId: $companyId, input: $input) { ${fields} } }`,
      { companyId, input },
    );
  const HOLD_FIELDS = "id couponId orderId clientId code amountE2 expiresAt";
  const USE_FIELDS = "id couponId orderId clientId code amountE2 returnedAt";
  const hold = mutation("holdCoupon", HOLD_FIELDS);
  const release = mutation("releaseCoupon", HOLD_FIELDS);
  const consume = mutation("consumeCoupon", USE_FIELDS);
  const giveBack = mutation("returnCoupon", USE_FIELDS);
  const ACTIONS = {
    pauseCoupon: "pauseCoupon(companyId: $companyId, couponId: $id)",
    resumeCoupon: "resumeCoupon(companyId: $companyId, couponId: $id)",
    deleteCoupon: "deleteCoupon(companyId: $companyId, id: $id)",
    restoreCoupon: "restoreCoupon(companyId: $companyId, id: $id)",
  };
  const act = async (action: keyof typeof ACTIONS, id: number) =>
    dataOf(
      await company.owner.run(`mutation ($companyId: Int!, $id: Int!) { ${ACTIONS[action]} { id } }`, {
        companyId,
        id,
      }),
    );
  const finish = async (id: number) =>
    expect(
      (await company.owner.rest("POST", `/companies/${companyId}/coupons/${id}/set-finished`)).status,
    ).toBe(200);
  /** The codes that can be used still. */
  const available = async (id: number): Promise<string[]> => {
    const { body } = await company.owner.rest(
      "GET",
      `/companies/${companyId}/coupons/${id}/available-tickets`,
    );
    return body.map(({ code }: { code: string }) => code);
  };
  const coupon = (terms: Parameters<typeof runningCoupon>[2] = {}) =>
    runningCoupon(gateway, companyId, { totalCount: 1, ...terms });
  /** Names a coupon in an input: a promo by its id. */
  const named = ({ id, codes }: RunningCoupon) =>
    codes.length === 0 ? { couponId: id } : { code: codes[0] };
  /** Counters of a coupon, which agree with its rows. */
  const counted = async (id: number) => {
    const { counters, rows } = await tally(gateway, companyId, id);
    expect(rows).toEqual(counters);
    return counters;
  };
  const versionOf = async (id: number) =>
    (await gateway.db.order.findFirstOrThrow({ where: { companyId, id } })).couponVersion;

  describe("a hold that is released", () => {
    it.each(["batch", "personal", "promo"])("is given back while its coupon is paused: %s", async (type) => {
      const one = await coupon({ type });
      const [order, other] = await createOrders(gateway, companyId, 2);
      const held = dataOf(await hold({ ...named(one), orderId: order }));
      await act("pauseCoupon", one.id);

      const released = await release({ ...named(one), orderId: order });
      const again = await release({ ...named(one), orderId: order });

      expect(dataOf(released)).toEqual(held);
      expect(errorCodes(again)).toEqual(["NOT_FOUND"]);
      expect(await counted(one.id)).toEqual(UNUSED);
      expect(errorCodes(await consume({ ...named(one), orderId: other }))).toEqual(["COUPON_NOT_RUNNING"]);
      await act("resumeCoupon", one.id);
      dataOf(await consume({ ...named(one), orderId: other }));
      expect(await counted(one.id)).toEqual(USED);
    });

    it.each(["batch", "personal", "promo"])("is given back once its coupon is finished: %s", async (type) => {
      const one = await coupon({ type });
      const { id: orderId } = await createOrder(gateway, companyId);
      const held = dataOf(await hold({ ...named(one), orderId }));
      await finish(one.id);

      const used = await consume({ ...named(one), orderId });
      const before = await counted(one.id);
      const released = await release({ ...named(one), orderId });

      expect(errorCodes(used)).toEqual(["COUPON_NOT_RUNNING"]);
      expect(before).toEqual(HELD);
      expect(dataOf(released)).toEqual(held);
      expect(await counted(one.id)).toEqual(UNUSED);
    });

    it.each(["batch", "personal", "promo"])(
      "is gone with its coupon, which counts it once: %s",
      async (type) => {
        const one = await coupon({ type });
        const { id: orderId } = await createOrder(gateway, companyId);
        dataOf(await hold({ ...named(one), orderId }));
        await finish(one.id);
        await act("deleteCoupon", one.id);

        const deleted = await counted(one.id);
        const released = await release({ ...named(one), orderId });
        await act("restoreCoupon", one.id);
        const restored = await release({ ...named(one), orderId });

        expect(deleted).toEqual(UNUSED);
        expect([errorCodes(released), errorCodes(restored)]).toEqual([["NOT_FOUND"], ["NOT_FOUND"]]);
        expect(await counted(one.id)).toEqual(UNUSED);
      },
    );

    it("leaves the order free to use the coupon, and others to be before it", async () => {
      const [mine, theirs] = [await coupon({ type: "personal" }), await coupon({ type: "personal" })];
      const [order, other] = await createOrders(gateway, companyId, 2);
      for (const one of [mine, theirs]) {
        dataOf(await hold({ ...named(one), orderId: order }));
        expect(await available(one.id)).toEqual([]);
        dataOf(await release({ ...named(one), orderId: order }));
        expect(await available(one.id)).toEqual(one.codes);
      }

      dataOf(await consume({ ...named(theirs), orderId: other }));
      const late = await consume({ ...named(theirs), orderId: order });
      const used = await consume({ ...named(mine), orderId: order });

      expect(errorCodes(late)).toEqual(["COUPON_EXHAUSTED"]);
      expect(dataOf(used).answer).toMatchObject({ couponId: mine.id, orderId: order, amountE2: 1000 });
      expect([await counted(mine.id), await counted(theirs.id)]).toEqual([USED, USED]);
      expect(errorCodes(await release({ ...named(mine), orderId: order }))).toEqual(["NOT_FOUND"]);
    });

    it.each(["personal", "batch", "promo"])("is by code, by coupon or by both: %s", async (type) => {
      const [one, other] = [await coupon({ type }), await coupon()];
      const { id: orderId } = await createOrder(gateway, companyId);
      const byCoupon = { couponId: one.id };
      const [code] = one.codes;

      for (const name of code === undefined ? [byCoupon] : [byCoupon, { code }, { code, ...byCoupon }]) {
        const held = dataOf(await hold({ ...named(one), orderId })).answer;
        const wrong = await release({ code: other.codes[0], ...byCoupon, orderId });
        expect(wrongFields(wrong.errors?.[0]?.extensions["errors"])).toEqual(["couponId:mismatch"]);
        expect(await counted(one.id)).toMatchObject({ held: 1 });

        expect(dataOf(await release({ ...name, orderId })).answer).toEqual(held);
        expect(await counted(one.id)).toEqual(UNUSED);
        expect(errorCodes(await release({ ...name, orderId }))).toEqual(["NOT_FOUND"]);
      }
    });

    it("makes a new version of its order, as every other change of its coupons does", async () => {
      const [one, two] = [await coupon({ totalCount: 2 }), await coupon({ totalCount: 2 })];
      const [orderId] = (await createOrders(gateway, companyId, 1)) as [number];
      const versions = [await versionOf(orderId)];
      for (const change of [
        () => hold({ ...named(one), orderId }),
        () => hold({ ...named(one), orderId }),
        () => release({ ...named(one), orderId }),
        () => consume({ ...named(two), orderId }),
        () => giveBack({ ...named(two), orderId }),
      ]) {
        dataOf(await change());
        versions.push(await versionOf(orderId));
      }

      expect(versions).toEqual([0, 1, 2, 3, 4, 5]);
    });

    it("keeps a use from being made by what was judged while the order held it", async () => {
      const [held, wanted] = [await coupon(), await coupon()];
      const { id: orderId } = await createOrder(gateway, companyId);
      dataOf(await hold({ ...named(held), orderId }));
      const [{ version } = { version: "" }] = await gateway.db.$queryRaw<{ version: string }[]>`
        SELECT xmin::text AS version FROM orders WHERE company_id = ${companyId} AND id = ${orderId}`;
      const use = async (seen: string) => {
        const [decided] = await gateway.db.$queryRaw<{ outcome: string }[]>`
          SELECT u.outcome FROM coupons c, use_coupon(c.company_id, c.id, ${orderId}::int, NULL, NULL, ${wanted.codes[0]},
                 1000, 0, date_trunc('milliseconds', now()), NULL, c.updated_at, false, ${seen}::text::xid, NULL) u
           WHERE c.company_id = ${companyId} AND c.id = ${wanted.id}`;
        return decided?.outcome;
      };

      dataOf(await release({ ...named(held), orderId }));
      const stale = await use(version);
      const between = await counted(wanted.id);
      const [{ now } = { now: "" }] = await gateway.db.$queryRaw<{ now: string }[]>`
        SELECT xmin::text AS now FROM orders WHERE company_id = ${companyId} AND id = ${orderId}`;
      const fresh = await use(now);

      expect([stale, between]).toEqual(["changed", UNUSED]);
      expect([fresh, await counted(wanted.id)]).toEqual(["used", USED]);
    });
  });

  describe("a hold that expires", () => {
    /** Moves an order's holds a minute into the past. */
    const age = (orderId: number) =>
      letRowsAge(
        gateway.db,
        {
          table: "coupon_holds",
          columns: ["expires_at"],
          where: sql`company_id = ${companyId} AND order_id = ${orderId}`,
        },
        "1 minute",
      );
    const purge = async () => {
      await addJob({ db: gateway.db }, "purgeCouponHolds", {});
      await gateway.runJobs();
    };

    it.each([
      ["removed by the job first", true],
      ["removed by the next use first", false],
    ])("is taken off the counts once, and off the budget: %s", async (_, isJobFirst) => {
      const one = await coupon({ totalCount: 2, config: { amountLimitE2: 2000 } });
      const [expired, kept, next] = (await createOrders(gateway, companyId, 3)) as [number, number, number];
      dataOf(await hold({ ...named(one), orderId: expired, ttlSeconds: 30 }));
      dataOf(await hold({ ...named(one), orderId: kept }));
      await age(expired);
      const held = await counted(one.id);

      if (isJobFirst) await purge();
      const purged = await counted(one.id);
      const used = await consume({ ...named(one), orderId: next });
      for (let again = 0; again < 2; again += 1) await purge();
      const released = await release({ ...named(one), orderId: expired });

      expect(held).toEqual({ spent: 0, given: 0, held: 2, reserved: 2000 });
      expect(purged).toEqual(isJobFirst ? HELD : held);
      expect(dataOf(used).answer.amountE2).toBe(1000);
      expect(errorCodes(released)).toEqual(["NOT_FOUND"]);
      expect(await counted(one.id)).toEqual({ spent: 1, given: 1000, held: 1, reserved: 1000 });
      expect(errorCodes(await consume({ ...named(one), orderId: expired }))).toEqual(["COUPON_EXHAUSTED"]);
      dataOf(await consume({ ...named(one), orderId: kept }));
      expect(await counted(one.id)).toEqual({ spent: 2, given: 2000, held: 0, reserved: 0 });
    });

    it("is not held any more by its own order, which may hold it anew or use it", async () => {
      const [again, used] = [await coupon({ type: "personal" }), await coupon({ type: "personal" })];
      const { id: orderId } = await createOrder(gateway, companyId);
      for (const one of [again, used]) {
        dataOf(await hold({ ...named(one), orderId, ttlSeconds: 30 }));
        await age(orderId);
        expect(await available(one.id)).toEqual(one.codes);
      }

      dataOf(await hold({ ...named(again), orderId }));
      dataOf(await consume({ ...named(used), orderId }));

      expect([await counted(again.id), await counted(used.id)]).toEqual([HELD, USED]);
    });
  });

  describe("a hold whose order uses another code or has another client", () => {
    it("gives way to the use of another code, and its own code is free again", async () => {
      const one = await coupon({ type: "personal", totalCount: 2 });
      const [order, other] = await createOrders(gateway, companyId, 2);
      const [held, wanted] = one.codes;
      dataOf(await hold({ code: held, orderId: order }));

      const used = await consume({ code: wanted, orderId: order });

      expect(dataOf(used).answer).toMatchObject({ code: wanted, amountE2: 1000 });
      expect(await counted(one.id)).toEqual(USED);
      expect(await available(one.id)).toEqual([held]);
      dataOf(await consume({ code: held, orderId: other }));
    });

    it("gives way to the use of another client, to whom all rules apply", async () => {
      const one = await coupon({ totalCount: 3, config: { limit: 1 } });
      const [holder, buyer, regular] = [
        (await signedInClient(gateway, companyId)).id,
        (await signedInClient(gateway, companyId)).id,
        (await signedInClient(gateway, companyId)).id,
      ];
      const [order, earlier, later] = await createOrders(gateway, companyId, 3);
      dataOf(await consume({ ...named(one), orderId: earlier, clientId: regular }));
      dataOf(await hold({ ...named(one), orderId: order, clientId: holder }));

      const refused = await consume({ ...named(one), orderId: order, clientId: regular });
      const before = await counted(one.id);
      const used = await consume({ ...named(one), orderId: order, clientId: buyer });

      expect([errorCodes(refused), before]).toEqual([
        ["COUPON_LIMIT"],
        { spent: 1, given: 1000, held: 1, reserved: 1000 },
      ]);
      expect(dataOf(used).answer.clientId).toBe(buyer);
      expect(await counted(one.id)).toEqual({ spent: 2, given: 2000, held: 0, reserved: 0 });
      // The hold does not count against its client any more.
      dataOf(await consume({ ...named(one), orderId: later, clientId: holder }));
    });

    it("stays as it is when the other code is used up", async () => {
      const one = await coupon({ type: "personal", totalCount: 2 });
      const [order, other] = await createOrders(gateway, companyId, 2);
      const [held, gone] = one.codes;
      dataOf(await hold({ code: held, orderId: order }));
      dataOf(await consume({ code: gone, orderId: other }));

      const refused = await consume({ code: gone, orderId: order });

      expect(errorCodes(refused)).toEqual(["COUPON_CODE_USED"]);
      expect(await counted(one.id)).toEqual({ spent: 1, given: 1000, held: 1, reserved: 1000 });
      expect(dataOf(await consume({ code: held, orderId: order })).answer.code).toBe(held);
    });
  });

  describe("a use of a finished coupon", () => {
    it.each(["batch", "personal", "promo"])(
      "is given back as any other, once, and not made anew: %s",
      async (type) => {
        const one = await coupon({ type });
        const { id: orderId } = await createOrder(gateway, companyId);
        const used = dataOf(await consume({ ...named(one), orderId })).answer;
        await finish(one.id);

        const [first, again] = [
          await giveBack({ ...named(one), orderId }),
          await giveBack({ ...named(one), orderId }),
        ];

        const { answer } = dataOf(first);
        expect(answer).toEqual({ ...used, returnedAt: expect.any(String) });
        expect(dataOf(again).answer).toEqual(answer);
        expect(await counted(one.id)).toEqual(UNUSED);
        const codes = await gateway.db.couponCode.findMany({ where: { companyId, couponId: one.id } });
        expect(codes.every(({ usedAt }) => usedAt === null)).toBe(true);
        expect(errorCodes(await consume({ ...named(one), orderId }))).toEqual(["COUPON_NOT_RUNNING"]);
      },
    );
  });
});
