import { createCoupon, inDays, inState } from "../coupons/coupon-rows.js";
import {
  adminWith,
  createBranchGroup,
  createCompany,
  createGood,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

describe("totals", () => {
  const path = () => `/companies/${company.id}/goods?per_page=2`;
  beforeAll(async () => {
    for (const name of ["A", "B", "C", "D", "E"]) await createGood(gateway, company.id, { name });
  });
  const get = (query: string, prefer?: string) =>
    gateway.anonymous.rest("GET", `${path()}${query}`, { headers: prefer === undefined ? {} : { prefer } });
  const relations = (link: unknown) => [...String(link).matchAll(/rel="(\w+)"/gu)].map(([, name]) => name);

  it("are exact unless something else is preferred", async () => {
    for (const [query, prefer] of [
      ["", undefined],
      ["", "count=exact"],
      ["&filter[name][gte]=A", undefined],
    ] as const) {
      const { headers } = await get(query, prefer);
      expect([headers["x-total-count"], relations(headers["link"])]).toEqual([
        "5",
        ["first", "next", "last"],
      ]);
    }
  });

  it("are left out where nobody needs them", async () => {
    gateway.statements.length = 0;
    const first = await get("&filter[name][gte]=A", "count=none");
    const last = await get("&filter[name][gte]=A&page=3", "handling=strict, count=none");

    expect(first.headers["x-total-count"]).toBeUndefined();
    expect(first.headers["preference-applied"]).toBe("count=none");
    expect(relations(first.headers["link"])).toEqual(["first", "next"]);
    expect(relations(last.headers["link"])).toEqual(["first", "prev"]);
    expect(last.headers["preference-applied"]).toBe("handling=strict, count=none");
    expect(gateway.statements.filter((text) => text.includes("count("))).toEqual([]);
  });

  it("are known without a count where the page shows all rows", async () => {
    const queries = [
      "per_page=5",
      "per_page=5&page=2",
      "per_page=2&page=3",
      "per_page=2&page=4",
      "filter[name][gte]=E",
    ];
    const totals: unknown[] = [];
    for (const query of queries) {
      gateway.statements.length = 0;
      const { headers } = await gateway.anonymous.rest(
        "GET",
        `/companies/${company.id}/goods?filter[name][lte]=E&${query}`,
      );
      const counts = gateway.statements.filter((text) => text.includes("count("));
      totals.push([query, headers["x-total-count"], counts.length]);
    }

    expect(totals).toEqual([
      ["per_page=5", "5", 0],
      ["per_page=5&page=2", "5", 1],
      ["per_page=2&page=3", "5", 0],
      ["per_page=2&page=4", "5", 1],
      ["filter[name][gte]=E", "1", 0],
    ]);
  });

  it("are counted while the relations of the rows are read", async () => {
    const document = `query ($c: Int!) {
      goods(companyId: $c, first: 2, filter: { name: { gte: "A" } }) { nodes { properties { id } } totalCount again: totalCount }
    }`;
    await company.owner.run(document, { c: company.id });
    gateway.statements.length = 0;
    const { goods } = dataOf(await company.owner.run(document, { c: company.id }));

    expect(goods).toMatchObject({ totalCount: 5, again: 5 });
    const kinds = gateway.statements.flatMap(
      (text) => /count\(|FROM "(?:goods|good_properties)"/u.exec(text)?.[0] ?? [],
    );
    expect(kinds).toEqual(['FROM "goods"', "count(", 'FROM "good_properties"']);
  });

  it("are exact where they may be estimated, below 10,000", async () => {
    const few = await get("&filter[name][gte]=B", "count=estimated");
    expect([few.headers["x-total-count"], few.headers["preference-applied"]]).toEqual([
      "4",
      "count=estimated",
    ]);
  });

  describe("of very many rows", () => {
    const ROWS = 10_500;
    /** The database expects half of the rows, since it does not know that one condition follows from the other. */
    const FILTER = "filter[name]=Good&filter[price_e2]=1";
    let many: TestCompany;
    beforeAll(async () => {
      many = await createCompany(gateway);
      await gateway.db.$executeRaw`
        INSERT INTO goods (company_id, name, short_details, details, price_e2, type, updated_at)
        SELECT ${many.id}, kind, '', '', price, 0, now()
          FROM (VALUES ('Good', 1), ('Better', 2)) AS kinds (kind, price), generate_series(1, ${ROWS})`;
      await gateway.asOwner("ANALYZE goods");
    });

    const page = async (number: number) => {
      const { headers, body } = await gateway.anonymous.rest(
        "GET",
        `/companies/${many.id}/goods?per_page=200&fields=id&page=${number}&${FILTER}`,
        { headers: { prefer: "count=estimated" } },
      );
      return { rows: body.length as number, total: Number(headers["x-total-count"]), link: headers["link"] };
    };

    it("are estimated", async () => {
      const { headers } = await gateway.anonymous.rest(
        "GET",
        `/companies/${many.id}/goods?filter[price_e2][gt]=0`,
        { headers: { prefer: "count=estimated" } },
      );

      const estimate = Number(headers["x-total-count"]);
      expect(estimate).toBeGreaterThan(1.5 * ROWS);
      expect(estimate).toBeLessThan(2.5 * ROWS);
      expect(relations(headers["link"])).toEqual(["first", "next"]);
      expect(headers["preference-applied"]).toBe("count=estimated");
    });

    it("leave out no page for who follows the links", async () => {
      let [number, seen] = [1, 0];
      for (;;) {
        const { rows, total, link } = await page(number);
        seen += rows;
        const next = /[?&]page=(\d+)[^>]*>; rel="next"/u.exec(String(link))?.[1];
        expect(total).toBeGreaterThanOrEqual(next === undefined ? seen : seen + 1);
        if (next === undefined) break;
        number = Number(next);
      }

      expect([number, seen]).toEqual([53, ROWS]);
    });

    it("are exact on the last page, and lead back from beyond it", async () => {
      const last = await page(53);
      const beyond = await page(55);

      const to = (link: unknown, relation: string) =>
        new RegExp(`[?&]page=(\\d+)[^>]*>; rel="${relation}"`, "u").exec(String(link))?.[1];
      expect([last.rows, last.total, relations(last.link)]).toEqual([100, ROWS, ["first", "prev", "last"]]);
      expect([to(last.link, "prev"), to(last.link, "last")]).toEqual(["52", "53"]);
      expect([beyond.rows, relations(beyond.link), to(beyond.link, "prev")]).toEqual([
        0,
        ["first", "prev"],
        "54",
      ]);
      expect(beyond.total).toBeLessThanOrEqual(54 * 200);
    });

    it("are never less than a page of GraphQL shows", async () => {
      const list = `query ($companyId: Int!, $offset: Int!) {
        goods(companyId: $companyId, first: 200, offset: $offset, filter: { name: { eq: "Good" }, priceE2: { eq: 1 } }) {
          nodes { id } estimatedCount pageInfo { hasNextPage }
        }
      }`;
      const ask = async (offset: number) =>
        dataOf(await gateway.anonymous.run(list, { companyId: many.id, offset }))["goods"];

      const [inside, last] = [await ask(10_200), await ask(10_400)];

      expect(inside.estimatedCount).toBeGreaterThan(10_400);
      expect([last.nodes.length, last.estimatedCount, last.pageInfo]).toEqual([
        100,
        ROWS,
        { hasNextPage: false },
      ]);
    });
  });
});

describe("counts by a field", () => {
  const COUNTS = `query ($companyId: Int!, $by: CouponCountField!, $filter: CouponFilterInput) {
    couponCounts(companyId: $companyId, by: $by, filter: $filter) { value count }
  }`;
  const counts = async (by: string, filter?: object) =>
    dataOf(await company.owner.run(COUNTS, { companyId: company.id, by, filter }))["couponCounts"];

  beforeAll(async () => {
    const shop = await createBranchGroup(gateway, company.id);
    const rows = [
      inState("running"),
      { ...inState("running"), branchGroupId: shop.id },
      { status: "ready", startsAt: inDays(-1) },
      { status: "running", startsAt: inDays(-3), endsAt: inDays(-1) },
      { ...inState("pending"), type: "gift_card" },
      { ...inState("pending"), deletedAt: new Date() },
    ];
    for (const [n, row] of rows.entries())
      await createCoupon(gateway, company.id, { name: `Coupon ${n}`, ...row });
  });

  it("count coupons by the status of the moment, the most frequent first", async () => {
    expect(await counts("status")).toEqual([
      { value: "running", count: 3 },
      { value: "pending", count: 1 },
      { value: "finished", count: 1 },
    ]);
    expect(await counts("status", { name: { eq: "Coupon 2" } })).toEqual([{ value: "running", count: 1 }]);
  });

  it("count by other fields, and rows without a value", async () => {
    expect(await counts("type", { status: { eq: "pending" } })).toEqual([{ value: "gift_card", count: 1 }]);
    const [without, shop] = await counts("branch_group_id");
    expect(without).toEqual({ value: null, count: 4 });
    expect(shop).toEqual({ value: expect.stringMatching(/^\d+$/u), count: 1 });
    expect(await counts("status", { or: [{ id: { lt: 0 } }] })).toEqual([]);
  });

  it("count goods and orders, of the own company alone", async () => {
    const other = await createCompany(gateway);
    await gateway.db.order.createMany({
      data: ["created", "paid", "paid"].map((status) => ({
        companyId: other.id,
        currencyIso: "USD",
        status,
      })),
    });
    const query = `query ($companyId: Int!) {
      orderCounts(companyId: $companyId, by: status) { value count }
      goodCounts(companyId: $companyId, by: notes_enabled) { value count }
    }`;

    const data = dataOf(await other.owner.run(query, { companyId: other.id }));

    expect(data).toEqual({
      orderCounts: [
        { value: "paid", count: 2 },
        { value: "created", count: 1 },
      ],
      goodCounts: [],
    });
  });

  it("are refused to those who may not list the rows", async () => {
    const admin = await adminWith(gateway, company.id, "access_goods");
    const result = await admin.run(COUNTS, { companyId: company.id, by: "status" });

    expect(errorCodes(result)).toEqual(["FORBIDDEN"]);
  });
});
