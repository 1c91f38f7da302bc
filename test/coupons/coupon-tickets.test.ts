import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { addCodes, createCoupon, inDays, inState, spell } from "./coupon-rows.js";

const AVAILABLE = `query ($companyId: Int!, $couponId: Int!, $first: Int, $after: String) {
  couponAvailableTickets(companyId: $companyId, couponId: $couponId, first: $first, after: $after) {
    totalCount nodes { code remaining coupon { id } } pageInfo { hasNextPage endCursor }
  }
}`;
const CODES = `query ($companyId: Int!, $couponId: Int!, $filter: CouponCodeFilterInput, $orderBy: [CouponCodeOrderByInput!]) {
  couponCodes(companyId: $companyId, couponId: $couponId, filter: $filter, orderBy: $orderBy) { nodes { code } }
}`;

let gateway: Gateway;
let company: TestCompany;
let path: string;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  path = `/companies/${company.id}/coupons`;
});
afterAll(() => gateway.close());

const get = async (id: number, what: string) =>
  (await company.owner.rest("GET", `${path}/${id}/${what}`)).body;
const codesIn = (rows: { code: string }[]): string[] => rows.map(({ code }) => code);

async function hold(couponId: number, code: string | null, expiresAt: Date): Promise<void> {
  const order = await gateway.db.order.create({ data: { companyId: company.id, currencyIso: "USD" } });
  await gateway.db.couponHold.create({
    data: { companyId: company.id, couponId, orderId: order.id, code, amountE2: 10, expiresAt },
  });
}

async function redeem(couponId: number, code: string | null, change: object = {}): Promise<void> {
  await gateway.db.couponRedemption.create({
    data: { companyId: company.id, couponId, code, amountE2: 100, ...change },
  });
}

describe("codes of a coupon", () => {
  it("are listed in the order in which they were made, used or not", async () => {
    const coupon = await createCoupon(gateway, company.id, inState("running"));
    await addCodes(gateway, coupon, "ZZZZZ", "AAAAA");
    const used = inDays(-1);
    await gateway.db.couponCode.updateMany({
      where: { companyId: company.id, code: "AAAAA" },
      data: { usedAt: used },
    });

    const plain = { id: expect.any(Number), coupon_id: coupon.id, created_at: expect.any(String) };
    expect(await get(coupon.id, "codes")).toEqual([
      { ...plain, code: "ZZZZZ", used_at: null },
      { ...plain, code: "AAAAA", used_at: spell(used) },
    ]);
  });

  it.each(["pending", "generating"] as const)("are nobody's business while it is %s", async (state) => {
    const coupon = await createCoupon(gateway, company.id, inState(state));
    const batch = await createCoupon(gateway, company.id, { ...inState(state), type: "batch" });
    await addCodes(gateway, coupon, "ABCDE");

    for (const { id } of [coupon, batch]) {
      expect(await get(id, "codes")).toEqual([]);
      expect(await get(id, "available-tickets")).toEqual([]);
    }
  });

  it("are, of a batch coupon, its promo code as it was entered", async () => {
    const { id } = await createCoupon(gateway, company.id, {
      ...inState("ready"),
      type: "batch",
      promoCode: "Summer26",
    });

    expect(codesIn(await get(id, "codes"))).toEqual(["Summer26"]);
  });

  it("are none of a promo", async () => {
    const { id } = await createCoupon(gateway, company.id, { ...inState("running"), type: "promo" });

    expect(await get(id, "codes")).toEqual([]);
  });

  it("are found and ordered through GraphQL", async () => {
    const coupon = await createCoupon(gateway, company.id, inState("running"));
    await addCodes(gateway, coupon, "AAAAA", "BBBBB", "CCCCC");
    await gateway.db.couponCode.updateMany({
      where: { companyId: company.id, code: "BBBBB" },
      data: { usedAt: inDays(-1) },
    });
    const ask = async (change: object) =>
      codesIn(
        dataOf(await company.owner.run(CODES, { companyId: company.id, couponId: coupon.id, ...change }))[
          "couponCodes"
        ].nodes,
      );

    expect(await ask({ filter: { usedAt: { isNull: false } } })).toEqual(["BBBBB"]);
    expect(await ask({ filter: { code: { startsWith: "c" } } })).toEqual(["CCCCC"]);
    expect(await ask({ orderBy: [{ field: "USED_AT" }] })).toEqual(["BBBBB", "AAAAA", "CCCCC"]);
    expect(await ask({ orderBy: [{ field: "ID", direction: "DESC" }] })).toEqual(["CCCCC", "BBBBB", "AAAAA"]);
  });

  it("are those of the company", async () => {
    const stranger = await createCoupon(gateway, (await createCompany(gateway)).id, inState("running"));

    for (const what of ["codes", "available-tickets", "used-tickets"]) {
      expect(await get(stranger.id, what)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    }
  });
});

describe("available tickets", () => {
  it("are the codes that are neither used nor held", async () => {
    const coupon = await createCoupon(gateway, company.id, inState("running"));
    await addCodes(gateway, coupon, "FREE1", "USED1", "HELD1", "LATE1");
    await gateway.db.couponCode.updateMany({
      where: { companyId: company.id, code: "USED1" },
      data: { usedAt: new Date() },
    });
    await hold(coupon.id, "HELD1", inDays(1));
    await hold(coupon.id, "LATE1", inDays(-1));

    const body = await get(coupon.id, "available-tickets");

    expect(body).toEqual(
      ["FREE1", "LATE1"].map((code) => ({
        id: expect.any(Number),
        code,
        coupon_id: coupon.id,
        used_at: null,
        created_at: expect.any(String),
        remaining: 1,
      })),
    );
  });

  it("are, of a batch coupon, its promo code while uses are left", async () => {
    const { id } = await createCoupon(gateway, company.id, {
      ...inState("running"),
      type: "batch",
      promoCode: "Summer26",
      totalCount: 4,
      spentCount: 1,
      heldCount: 2,
    });
    await hold(id, "SUMMER26", inDays(1));
    await hold(id, "SUMMER26", inDays(-1));

    const before = await get(id, "available-tickets");
    await gateway.db.coupon.update({
      where: { companyId_id: { companyId: company.id, id } },
      data: { spentCount: 3, heldCount: 1 },
    });
    const after = await get(id, "available-tickets");

    expect(before).toMatchObject([{ code: "Summer26", remaining: 2 }]);
    expect(after).toEqual([]);
  });

  it("are not for promos", async () => {
    const { id } = await createCoupon(gateway, company.id, { ...inState("running"), type: "promo" });

    const result = await company.owner.run(AVAILABLE, { companyId: company.id, couponId: id });

    expect(await get(id, "available-tickets")).toMatchObject({ status: 409, code: "INVALID_STATE" });
    expect(errorCodes(result)).toEqual(["INVALID_STATE"]);
  });

  it("come in pages, by number and by cursor", async () => {
    const coupon = await createCoupon(gateway, company.id, inState("running"));
    await addCodes(gateway, coupon, "AAAAA", "BBBBB", "CCCCC");
    const variables = { companyId: company.id, couponId: coupon.id, first: 2 };

    const first = dataOf(await company.owner.run(AVAILABLE, variables))["couponAvailableTickets"];
    const second = dataOf(
      await company.owner.run(AVAILABLE, { ...variables, after: first.pageInfo.endCursor }),
    )["couponAvailableTickets"];
    const numbered = await company.owner.rest(
      "GET",
      `${path}/${coupon.id}/available-tickets?page=2&per_page=2&load=coupon&fields=code`,
    );

    expect([first.totalCount, first.nodes[0].coupon.id]).toEqual([3, coupon.id]);
    expect([codesIn(first.nodes), codesIn(second.nodes)]).toEqual([["AAAAA", "BBBBB"], ["CCCCC"]]);
    expect(numbered.headers["x-total-count"]).toBe("3");
    expect(numbered.body).toEqual([{ code: "CCCCC", coupon: expect.objectContaining({ id: coupon.id }) }]);
  });
});

describe("tickets by when they were made", () => {
  const OLDEST_FIRST = ["BBBBB", "CCCCC", "AAAAA"];
  /** Creates a coupon with codes, and uses of them that were made that many days ago. */
  const stored = async () => {
    const coupon = await createCoupon(gateway, company.id, inState("running"));
    await addCodes(gateway, coupon, ...OLDEST_FIRST);
    for (const [code, days] of [
      ["AAAAA", 1],
      ["BBBBB", 3],
      ["CCCCC", 2],
    ] as const) {
      const createdAt = inDays(-days);
      const where = { companyId: company.id, code };
      await gateway.db.couponCode.updateMany({ where, data: { createdAt } });
      await redeem(coupon.id, code, { createdAt });
    }
    return coupon;
  };

  it.each(["available-tickets", "used-tickets"])("are ordered and found: %s", async (what) => {
    const { id } = await stored();

    expect(codesIn(await get(id, `${what}?sort=created_at`))).toEqual(OLDEST_FIRST);
    expect(codesIn(await get(id, `${what}?sort=-created_at`))).toEqual([...OLDEST_FIRST].reverse());
    const pages = [];
    for (let next: string | undefined = `${path}/${id}/${what}?sort=-created_at&per_page=2&cursor=`; next;) {
      const { body, headers } = await company.owner.rest("GET", next);
      pages.push(codesIn(body));
      next = /<[^>]*\/api(?<next>[^>]*)>; rel="next"/u.exec(String(headers["link"]))?.groups?.["next"];
    }
    expect(pages).toEqual([["AAAAA", "CCCCC"], ["BBBBB"]]);
  });

  it("are ordered through GraphQL", async () => {
    const couponId = (await stored()).id;

    for (const [list, order] of [
      ["couponAvailableTickets", "AvailableTicketOrderByInput"],
      ["couponUsedTickets", "CouponRedemptionOrderByInput"],
    ] as const) {
      const query = `query ($companyId: Int!, $couponId: Int!, $orderBy: [${order}!]) {
        ${list}(companyId: $companyId, couponId: $couponId, orderBy: $orderBy) { nodes { code } }
      }`;
      const orderBy = [{ field: "CREATED_AT" }];
      const answer = dataOf(await company.owner.run(query, { companyId: company.id, couponId, orderBy }))[
        list
      ];
      expect(codesIn(answer.nodes)).toEqual(OLDEST_FIRST);
    }
  });
});

describe("used tickets", () => {
  it("show a promo code as it was entered, and find it in any case", async () => {
    const coupon = await createCoupon(gateway, company.id, {
      type: "batch",
      promoCode: "Mixed1Case",
      status: "running",
      totalCount: 9,
    });
    const keys = { companyId: company.id, couponId: coupon.id, code: "MIXED1CASE" };
    await gateway.db.couponRedemption.create({ data: { ...keys, amountE2: 5 } });

    for (const what of ["codes", "available-tickets", "used-tickets"])
      expect(await get(coupon.id, what)).toMatchObject([{ code: "Mixed1Case" }]);
    expect(await get(coupon.id, "used-tickets?filter[code]=Mixed1Case")).toHaveLength(1);
    expect(await get(coupon.id, "used-tickets?filter[code][starts_with]=mixed1")).toHaveLength(1);
    expect(await get(coupon.id, "available-tickets?filter[code][in]=mixed1case,other")).toHaveLength(1);
  });

  it("are the uses of the coupon, the latest first, with client and order", async () => {
    const coupon = await createCoupon(gateway, company.id, inState("running"));
    const { id: clientId } = await signedInClient(gateway, company.id);
    const order = await gateway.db.order.create({
      data: { companyId: company.id, currencyIso: "USD", clientId },
    });
    await redeem(coupon.id, null, { amountE2: 5 });
    await redeem(coupon.id, "ABCDE", { clientId, orderId: order.id, amountE2: 9_007_199_254_740_991 });

    expect(await get(coupon.id, "used-tickets")).toEqual([
      {
        id: expect.any(Number),
        code: "ABCDE",
        coupon_id: coupon.id,
        client_id: clientId,
        order_id: order.id,
        amount_e2: 9_007_199_254_740_991,
        created_at: expect.any(String),
      },
      expect.objectContaining({ code: null, client_id: null, order_id: null, amount_e2: 5 }),
    ]);
    const loaded = await get(
      coupon.id,
      `used-tickets?load=client,order&fields=id&filter[client_id]=${clientId}`,
    );
    expect(loaded).toMatchObject([{ client: { id: clientId }, order: { id: order.id } }]);
    expect(loaded).toHaveLength(1);
  });
});
