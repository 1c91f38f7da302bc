import { adminWith, createBranch, createCompany, signedInClient } from "../../support/factories.js";
import type { TestCompany } from "../../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../../support/gateway.js";
import { createOrder, runningCoupon } from "../running-coupon.js";

const CONSUME = /* GraphQL */ `
  mutation ($companyId: Int!, $input: ConsumeCouponInput!) {
    consumeCoupon(companyId: $companyId, input: $input) {
      id
    }
  }
`;
const RETURN = /* GraphQL */ `
  mutation ($companyId: Int!, $input: ReturnCouponInput!) {
    returnCoupon(companyId: $companyId, input: $input) {
      id
    }
  }
`;
const SUMS = "uses returned discountE2 companyDiscountE2 subtotalE2 clients newClients refusedAttempts";
const STATS = /* GraphQL */ `
  query ($companyId: Int!, $filter: CouponStatsFilterInput, $groupBy: [CouponStatsKey!], $from: DateTime, $until: DateTime) {
    couponStats(companyId: $companyId, filter: $filter, groupBy: $groupBy, from: $from, until: $until) {
      day week month couponId branchId branchGroupId clientId type currencyIso ${SUMS}
    }
  }
`;
const NOTHING = {
  ...{ uses: 0, returned: 0, discountE2: 0, companyDiscountE2: 0, subtotalE2: 0 },
  ...{ clients: 0, newClients: 0, refusedAttempts: 0 },
};

describe("sums of uses", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companyId: number;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway, { timeZoneOffset: "-04:00", settings: { currencyIso: "USD" } });
    companyId = company.id;
  });
  afterAll(() => gateway.close());

  const run = (document: string, input: object) => company.owner.run(document, { companyId, input });
  const stats = async (args: object = {}) =>
    dataOf(await company.owner.run(STATS, { companyId, ...args }))["couponStats"];
  /** Rows with the keys that they are for and what is not 0. */
  const told = async (args: object) =>
    (await stats(args)).map((row: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== 0)),
    );
  const use = (couponId: number, orderId: number, clientId: number | null, createdAt: string, more = {}) =>
    gateway.db.couponRedemption.create({
      data: {
        companyId,
        couponId,
        orderId,
        clientId,
        amountE2: 1000,
        createdAt: new Date(createdAt),
        ...more,
      },
    });

  it("are 0 of a company that has none", async () => {
    expect(await told({})).toEqual([{}]);
    expect(await stats({ groupBy: ["day"] })).toEqual([]);
    expect((await stats())[0]).toMatchObject(NOTHING);
  });

  it("are in the coupon's currency where there is no order, whatever the company's is by now", async () => {
    for (const [currencyIso, amountE2] of [
      ["JPY", 70_000],
      ["EUR", 500],
    ] as const) {
      const card = await runningCoupon(gateway, companyId, { type: "gift_card", currencyIso });
      await use(card.id, 0, null, "2026-01-05T10:00:00Z", { orderId: null, amountE2 });
      await gateway.db.couponAttempt.create({
        data: {
          ...{ companyId, couponId: card.id, action: "use", reason: "COUPON_CODE_USED", detail: "used" },
          createdAt: new Date("2026-01-05T10:00:00Z"),
        },
      });
    }
    const year = { from: "2026-01-01", until: "2026-12-31" };
    const byCurrency = () => told({ ...year, groupBy: ["currency"] });
    const before = await byCurrency();
    await run(
      `mutation ($companyId: Int!, $input: UpdateSettingsInput!) {
        updateSettings(companyId: $companyId, input: $input) { currencyIso } }`,
      { currencyIso: "BHD" },
    ).then(dataOf);

    expect(before).toEqual([
      { currencyIso: "EUR", uses: 1, discountE2: 500, refusedAttempts: 1 },
      { currencyIso: "JPY", uses: 1, discountE2: 70_000, refusedAttempts: 1 },
    ]);
    expect(await byCurrency()).toEqual(before);
    expect(await told({ ...year, filter: { currencyIso: { eq: "JPY" } } })).toEqual([
      { uses: 1, discountE2: 70_000, refusedAttempts: 1 },
    ]);
  });

  it("are refused by the name of a sum that leaves 53 bits, on both faces, however often", async () => {
    const coupon = await runningCoupon(gateway, companyId, { type: "promo" });
    for (let order = 0; order < 2; order += 1) {
      const { id } = await createOrder(gateway, companyId, {
        ...{ subtotalE2: Number.MAX_SAFE_INTEGER, totalE2: Number.MAX_SAFE_INTEGER, deliveryE2: 0 },
      });
      await use(coupon.id, id, null, "2026-05-01T12:00:00Z");
    }

    for (let time = 0; time < 3; time += 1) {
      const { errors } = await company.owner.run(STATS, { companyId });
      expect(errors).toMatchObject([
        { message: "subtotalE2 leaves 53 bits, which is all that answers can show." },
      ]);
      expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_STATE", status: 409 });
      const { status, body } = await company.owner.rest("GET", `/companies/${companyId}/coupon-stats`);
      expect([status, body.code, body.detail]).toEqual([
        409,
        "INVALID_STATE",
        "subtotal_e2 leaves 53 bits, which is all that answers can show.",
      ]);
    }
  });

  it("count uses, returns, refusals, orders and clients once each", async () => {
    const branch = await createBranch(gateway, companyId);
    const { id: clientId } = await signedInClient(gateway, companyId);
    const [one, two] = [
      await runningCoupon(gateway, companyId, { config: { companyAssumptionPrc: 25 } }),
      await runningCoupon(gateway, companyId, { type: "promo", priceE2: 333 }),
    ];
    const closed = await runningCoupon(gateway, companyId, { status: "finished" });
    const order = (overrides: object) =>
      createOrder(gateway, companyId, { branchId: branch.id, ...overrides });
    const [first, second, third] = [
      await order({ clientId }),
      await order({ clientId, subtotalE2: 0, totalE2: 5_000, deliveryE2: 500 }),
      await order({ branchId: null, subtotalE2: 7_000, totalE2: 7_000, deliveryE2: 0 }),
    ];

    dataOf(await run(CONSUME, { code: one.codes[0], orderId: first.id }));
    dataOf(await run(CONSUME, { couponId: two.id, orderId: first.id }));
    dataOf(await run(CONSUME, { couponId: two.id, orderId: second.id }));
    dataOf(await run(CONSUME, { code: one.codes[0], orderId: third.id }));
    dataOf(await run(RETURN, { couponId: two.id, orderId: second.id }));
    expect(errorCodes(await run(CONSUME, { code: closed.codes[0], orderId: first.id }))).toEqual([
      "COUPON_NOT_RUNNING",
    ]);

    const all = {
      ...{ uses: 4, returned: 1, discountE2: 2333, companyDiscountE2: 500, subtotalE2: 21_500 },
      ...{ clients: 1, newClients: 1, refusedAttempts: 1 },
    };
    expect(await told({})).toEqual([all]);
    expect(await told({ groupBy: ["coupon"] })).toEqual([
      {
        couponId: one.id,
        uses: 2,
        discountE2: 2000,
        companyDiscountE2: 500,
        subtotalE2: 17_000,
        clients: 1,
        newClients: 1,
      },
      { couponId: two.id, uses: 2, returned: 1, discountE2: 333, subtotalE2: 14_500, clients: 1 },
      { couponId: closed.id, refusedAttempts: 1 },
    ]);
    expect(await told({ groupBy: ["branch", "type"] })).toEqual([
      {
        branchId: branch.id,
        type: "batch",
        uses: 1,
        discountE2: 1000,
        companyDiscountE2: 250,
        subtotalE2: 10_000,
        clients: 1,
        newClients: 1,
        refusedAttempts: 1,
      },
      {
        branchId: branch.id,
        type: "promo",
        uses: 2,
        returned: 1,
        discountE2: 333,
        subtotalE2: 14_500,
        clients: 1,
      },
      { type: "batch", uses: 1, discountE2: 1000, companyDiscountE2: 250, subtotalE2: 7_000 },
    ]);
    expect(await told({ groupBy: ["currency", "currency"] })).toEqual([{ ...all, currencyIso: "USD" }]);
    expect(await told({ filter: { couponId: { in: [two.id] }, branchId: { eq: branch.id } } })).toEqual([
      { uses: 2, returned: 1, discountE2: 333, subtotalE2: 14_500, clients: 1 },
    ]);
    expect(await told({ groupBy: ["client"], filter: { clientId: { isNull: true } } })).toEqual([
      { uses: 1, discountE2: 1000, companyDiscountE2: 250, subtotalE2: 7_000 },
    ]);
  });

  it("go by days, weeks and months of the company", async () => {
    const { id: clientId } = await signedInClient(gateway, companyId);
    const { id } = await runningCoupon(gateway, companyId);
    const orders = await Promise.all(Array.from({ length: 5 }, () => createOrder(gateway, companyId)));
    const moments = [
      "2026-10-31T23:59:59Z",
      "2026-11-01T03:59:59Z",
      "2026-11-01T04:00:00Z",
      "2026-11-02T12:00:00Z",
      "2026-12-01T03:59:59Z",
    ];
    for (const [place, moment] of moments.entries())
      await use(id, (orders[place] as { id: number }).id, place === 0 ? null : clientId, moment);
    const november = { from: "2026-11-01", until: "2026-12-01" };

    const days = await told({ ...november, groupBy: ["day"] });
    const weeks = await told({ from: "2026-10-01", until: "2027-01-01", groupBy: ["week"] });
    const months = await told({ from: "2026-10-01", until: "2027-01-01", groupBy: ["month"] });

    const one = { uses: 1, discountE2: 1000, subtotalE2: 10_000, clients: 1 };
    expect(days).toEqual([
      { day: "2026-11-01", ...one },
      { day: "2026-11-02", ...one },
      { day: "2026-11-30", ...one },
    ]);
    expect(weeks).toEqual([
      { week: "2026-10-26", uses: 3, discountE2: 3000, subtotalE2: 30_000, clients: 1, newClients: 1 },
      { week: "2026-11-02", ...one },
      { week: "2026-11-30", ...one },
    ]);
    expect(months).toEqual([
      { month: "2026-10", uses: 2, discountE2: 2000, subtotalE2: 20_000, clients: 1, newClients: 1 },
      { month: "2026-11", uses: 3, discountE2: 3000, subtotalE2: 30_000, clients: 1 },
    ]);
  });

  it("follow the clocks of a zone by name", async () => {
    await gateway.db.company.update({ where: { id: companyId }, data: { timeZone: "Europe/Berlin" } });
    const reader = await adminWith(gateway, companyId, "access_coupons");
    const { id } = await runningCoupon(gateway, companyId);
    // Clocks go back on 25 October 2026: the day before ends at 22:00 UTC, that day at 23:00.
    for (const moment of ["2026-10-24T21:59:59Z", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z"])
      await use(id, (await createOrder(gateway, companyId)).id, null, moment);

    const { body } = await reader.rest(
      "GET",
      `/companies/${companyId}/coupon-stats?group_by=day&from=2026-10-24&until=2026-10-26`,
    );

    expect(body.map((row: Record<string, unknown>) => [row["day"], row["uses"]])).toEqual([
      ["2026-10-24", 1],
      ["2026-10-25", 2],
    ]);
  });

  it("are the same as rows of both faces, CSV and xlsx", async () => {
    const branch = await createBranch(gateway, companyId);
    const { branchGroupId } = await gateway.db.branch.findFirstOrThrow({
      where: { companyId, id: branch.id },
    });
    const { id, codes } = await runningCoupon(gateway, companyId);
    const { id: orderId } = await createOrder(gateway, companyId, { branchId: branch.id });
    dataOf(await run(CONSUME, { code: codes[0], orderId }));
    const path = `/companies/${companyId}/coupon-stats?group_by=month,branch,branch_group`;
    const get = (of: string) => company.owner.rest("GET", of);

    const rows = await get(path);
    const filtered = await get(`${path}&filter[coupon_id][eq]=${id + 1}`);
    const csv = await get(`${path}&format=csv`);
    const xlsx = await get(`${path}&format=xlsx`);
    const uses = await get(`/companies/${companyId}/coupon-uses`);
    const usesCsv = await get(`/companies/${companyId}/coupon-uses?format=csv`);

    const month = new Date(Date.now() - 4 * 3_600_000).toISOString().slice(0, 7);
    expect(rows.status).toBe(200);
    expect(rows.body).toMatchObject([
      {
        month,
        branch_id: branch.id,
        branch_group_id: branchGroupId,
        uses: 1,
        discount_e2: 1000,
        subtotal_e2: 10_000,
      },
    ]);
    expect([filtered.status, filtered.body]).toEqual([200, []]);
    expect(csv.headers["content-type"]).toContain("text/csv");
    const [header, line, ...more] = (csv.body as string).trim().split("\r\n");
    expect(header?.split(",")).toEqual(Object.keys(rows.body[0]));
    expect(line?.split(",").filter((cell) => cell !== "")).toEqual([
      month,
      `${branch.id}`,
      ...(branchGroupId === null ? [] : [`${branchGroupId}`]),
      "1",
      "0",
      "1000",
      "0",
      "10000",
      "0",
      "0",
      "0",
    ]);
    expect(more).toEqual([]);
    expect([xlsx.status, xlsx.headers["content-type"]]).toEqual([
      200,
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ]);
    expect(uses.body).toMatchObject([
      { coupon_id: id, order_id: orderId, amount_e2: 1000, returned_at: null },
    ]);
    expect((usesCsv.body as string).split("\r\n")[0]).toBe(Object.keys(uses.body[0]).join(","));
  });

  it("are refused for more than 400 days, an unknown key and whoever may not see coupons", async () => {
    const redeemer = await adminWith(gateway, companyId, "can_redeem_coupons");
    const long = await company.owner.run(STATS, { companyId, from: "2025-01-01", until: "2026-02-06" });
    const wrong = await company.owner.rest("GET", `/companies/${companyId}/coupon-stats?group_by=year`);
    const turned = await company.owner.rest(
      "GET",
      `/companies/${companyId}/coupon-stats?from=2026-02-01&until=2026-01-01`,
    );
    const stranger = await redeemer.rest("GET", `/companies/${companyId}/coupon-stats`);

    expect(wrongFields(long.errors?.[0]?.extensions["errors"] as never)).toEqual(["until:max"]);
    expect([wrong.status, turned.status, stranger.status]).toEqual([422, 422, 403]);
    const keys =
      "day, week, month, coupon, campaign, branch, branchGroup, branch_group, client, type, currency";
    expect(wrong.body.errors).toEqual([
      { field: "group_by[0]", rule: "enum", message: `must be one of ${keys}` },
    ]);
  });

  it("take 400 days of the company's calendar, whether clocks change within or not", async () => {
    await gateway.db.company.update({ where: { id: companyId }, data: { timeZone: "Europe/Berlin" } });
    const path = `/companies/${companyId}/coupon-stats?from=2025-10-01&until=2026-11-05`;

    const whole = await company.owner.rest("GET", path);
    const longer = await company.owner.rest("GET", `${path}%2000:00:01`);

    expect(whole.status).toBe(200);
    expect([longer.status, wrongFields(longer.body.errors)]).toEqual([422, ["until:max"]]);
  });

  it("tell of a client's uses that are made at once one that is the first", async () => {
    const { id: clientId } = await signedInClient(gateway, companyId);
    const coupons = await Promise.all(Array.from({ length: 8 }, () => runningCoupon(gateway, companyId)));
    const orders = await Promise.all(coupons.map(() => createOrder(gateway, companyId, { clientId })));

    const answers = await Promise.all(
      coupons.map(({ codes }, place) => run(CONSUME, { code: codes[0], orderId: orders[place]?.id })),
    );

    expect(answers.flatMap(errorCodes)).toEqual([]);
    expect(await told({})).toEqual([
      { uses: 8, discountE2: 8000, subtotalE2: 80_000, clients: 1, newClients: 1 },
    ]);
  });
});
