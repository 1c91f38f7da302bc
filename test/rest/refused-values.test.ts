import {
  adminWith,
  createBranch,
  createBranchGroup,
  createCompany,
  createGood,
  type TestCompany,
} from "../support/factories.js";
import { startGateway, wrongFields, type Gateway, type RestRequest } from "../support/gateway.js";
import { createCouponRow } from "../support/coupons.js";
import { GOOD_BODY } from "../goods/examples.js";

const ROW = { sku: "A", name: "Tea", price_e2: 100 };

describe("values that no client of good will sends", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway, { timeZoneOffset: "-04:00" });
  });
  afterAll(() => gateway.close());

  const goods = (query: string) => gateway.anonymous.rest("GET", `/companies/${company.id}/goods${query}`);
  const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
  const post = (path: string, body: unknown, request: RestRequest = {}) =>
    company.owner.rest("POST", `/companies/${company.id}${path}`, { body, ...request });

  it.each([
    ["an id beyond 32 bits", "?cursor=", ["Good,-id", 99_999_999_999]],
    ["no id", "?cursor=", ["Good,-id", null]],
    ["a null byte", "?sort=name&cursor=", ["Good,name,id", "a\0", 1]],
    [
      "a moment before all calendars",
      "?sort=created_at&cursor=",
      ["Good,createdAt,id", "-271821-04-20T00:00:00.000Z", 1],
    ],
    ["the place in another list", "?cursor=", ["Property,-id", 1]],
  ])("refuses a cursor with %s", async (_what, query, parts) => {
    const { status, body } = await goods(query + cursorOf(...parts));

    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
  });

  it.each([
    "filter[constructor]=1",
    "filter[toString]=1",
    "filter[hasOwnProperty][eq]=1",
    "filter[name][constructor]=1",
    "filter[id]=01",
    "filter[id][in]=1,02",
    "filter[price_e2][gte]=-01",
    "page=01",
    "filter[notes_enabled]=",
    "filter[__proto__]=1",
    "filter[__proto__][a]=1",
    "filter[%5f%5fproto__]=1",
    "filter%5B__proto%5F%5f%5d=1",
    "filter[%5F_%70roto_%5f][eq]=1",
    "filter[name][%5f%5fproto__]=1",
    "filter[id][in][a]=1",
    "filter[name][in][a]=1",
    "filter[provider_fee_prc][gte]=1" + "0".repeat(310),
    "filter[created_at][gte]=2026-01-01T10:00:00%2B24:00",
    "filter[created_at][gte]=2026-01-01T10:00:00-99:99",
    "filter[created_at][gte]=0000-01-01",
    "filter[created_at][gte]=0001-01-01T00:00:00%2B10:00",
    "filter[created_at][gte]=9999-12-31 23:59:59",
  ])("refuses %s", async (query) => {
    const { status, body } = await goods(`?${query}`);

    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
  });

  it("takes an empty parameter that may be absent for an absent one", async () => {
    const good = await createGood(gateway, company.id, { name: "Tea", deletedAt: new Date() });
    const deleted = `/companies/${company.id}/goods/${good.id}?with_deleted=`;

    const answers = await Promise.all([
      company.owner.rest("GET", deleted),
      company.owner.rest("GET", `${deleted}true`),
      goods("/search?q=tea&client_id=&category_id=&limit=&results_mode=&latitude_e6="),
      goods("/search?q="),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([404, 200, 200, 422]);
  });

  it.each(["abc", "07", "1.0", "-1", "0", "1e3", "99999999999", "%20"])(
    "takes %s in a path for no id",
    async (id) => {
      const answers = await Promise.all([
        company.owner.rest("GET", `/companies/${company.id}/goods/${id}`),
        company.owner.rest("PUT", `/companies/${company.id}/coupons/1/targets/${id}`),
        gateway.platform.rest("GET", `/companies/${id}/settings`),
      ]);

      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    },
  );

  it.each(["2030-01-01T03:04:05+24:00", "2030-01-01T03:04:05+23:60", "9999-12-31 23:59:59"])(
    "refuses the moment %s, which there is not at -04:00",
    async (moment) => {
      const coupon = await createCouponRow(gateway, company.id, { status: "pending" });
      const event = { name: "Drop", type: "coupon_gen", starts_at: moment, config: { expires_at: moment } };
      const promo = { type: "promo", total_count: 1, config: { users_registered_since: moment } };

      const answers = await Promise.all([
        post(`/coupons/${coupon.id}/set-ready`, { ends_at: moment }),
        post("/coupons", promo),
        post("/company-events", event),
      ]);

      expect(answers.map(({ body }) => wrongFields(body.errors))).toEqual([
        ["ends_at:datetime"],
        ["config.users_registered_since:datetime"],
        ["config.expires_at:datetime", "starts_at:datetime"],
      ]);
    },
  );

  it("takes the last moment there is where it is read", async () => {
    const coupon = await createCouponRow(gateway, company.id, { status: "pending" });
    const last = { ends_at: "9999-12-31 23:59:59", timezone: "+00:00" };

    const { status, body } = await post(`/coupons/${coupon.id}/set-ready`, last);

    expect([status, body.ends_at]).toEqual([200, "9999-12-31 23:59:59"]);
  });

  it("says one thing of a value of another type", async () => {
    const coupon = { type: 5, total_count: "many", whitelist: 5, config: [] };

    const { status, body } = await post("/coupons", coupon);

    expect(status).toBe(422);
    expect(wrongFields(body.errors)).toEqual([
      "config:type",
      "total_count:type",
      "type:type",
      "whitelist:type",
    ]);
  });

  it.each([
    ["an object for a list", "POST", "/goods/1/properties", {}],
    ["a number for a list", "POST", "/goods/1/properties", 5],
    ["a list for an object", "PATCH", "/goods/1", []],
  ] as const)("reports %s once", async (_what, method, path, body) => {
    const good = await company.owner.rest("POST", `/companies/${company.id}/goods`, { body: GOOD_BODY });
    const own = path.replace("/1", `/${good.body.id}`);

    const answer = await company.owner.rest(method, `/companies/${company.id}${own}`, { body });

    expect([answer.status, wrongFields(answer.body.errors)]).toEqual([422, ["body:type"]]);
  });

  it.each([
    ["an object for rows", { a: 1 }, ["body:type"]],
    ["a number for rows", 5, ["body:type"]],
    ["a text for a list in a row", [{ ...ROW, keywords: "x" }], ["[0].keywords:type"]],
    [
      "a text for a list beside another wrong type",
      [{ ...ROW, sku: 5, keywords: "x" }],
      ["[0].keywords:type", "[0].sku:type"],
    ],
  ])("reports %s once, and changes nothing", async (_what, body, wrong) => {
    const stored = () => gateway.db.good.findMany({ where: { companyId: company.id } });
    const before = await stored();

    const answer = await company.owner.rest("PATCH", `/companies/${company.id}/goods?by=sku`, { body });

    expect([answer.status, wrongFields(answer.body.errors)]).toEqual([422, wrong]);
    expect(await stored()).toEqual(before);
  });

  it("refuses a list that is far too long before it looks at its entries", async () => {
    const { status, body } = await post("/coupons/check", {
      coupon_code: "X",
      subtotal_e2: 1,
      goods: Array.from({ length: 200_000 }, () => []),
    });

    expect([status, wrongFields(body.errors)]).toEqual([422, ["goods:max_items"]]);
  });

  it("lists at most fifty wrong fields", async () => {
    const { status, body } = await post("/coupons/check", {
      coupon_code: "X",
      subtotal_e2: 1,
      goods: Array.from({ length: 900 }, () => []),
    });

    expect([status, body.errors.length]).toEqual([422, 50]);
  });

  it("refuses a body of too many values, and one that is nested too deep", async () => {
    const whitelist = Array.from({ length: 999 }, () => Array.from({ length: 30 }, () => 1));
    const deep = JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`) as unknown;

    const many = await post("/coupons", { whitelist });
    const nested = await post("/coupons", { config: deep });

    expect([many.status, wrongFields(many.body.errors)]).toEqual([400, ["body:max_values"]]);
    expect([nested.status, wrongFields(nested.body.errors)]).toEqual([400, ["body:depth"]]);
  });

  it("takes ids that none can be for such that do not exist", async () => {
    const { body } = await post("/coupons", {
      type: "promo",
      total_count: 1,
      whitelist: [1_099_511_627_776, 0, -1],
    });

    expect(wrongFields(body.errors)).toEqual([
      "whitelist[0]:exists",
      "whitelist[1]:exists",
      "whitelist[2]:exists",
    ]);
  });

  it("lists no more of unknown keys than of other wrong fields", async () => {
    const keys = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key_${index}`, 1]));
    const before = await gateway.db.coupon.count({ where: { companyId: company.id } });

    const { status, body } = await post("/coupons", keys, { headers: { prefer: "handling=strict" } });

    expect([status, body.errors.length]).toEqual([422, 50]);
    expect(await gateway.db.coupon.count({ where: { companyId: company.id } })).toBe(before);
  });

  it("is strict about bodies of operations that take none", async () => {
    const coupon = await createCouponRow(gateway, company.id, { status: "running" });
    const strict = { headers: { prefer: "handling=strict" } };

    const { status, body } = await post(`/coupons/${coupon.id}/set-finished`, { zz: 1 }, strict);

    expect([status, wrongFields(body.errors)]).toEqual([422, ["zz:unknown"]]);
    expect((await post(`/coupons/${coupon.id}/set-finished`, {}, strict)).body.status).toBe("finished");
  });

  it("names fields in what it says as the face does", async () => {
    const coupon = { type: "promo", total_count: 1, price_e2: 100, human_price_e2: 2 };

    const { body } = await post("/coupons", coupon);

    expect(body.errors).toEqual([
      { field: "human_price_e2", rule: "twin", message: "disagrees with price_e2" },
    ]);
  });

  it.each(["1.5", '"5"', "9007199254740993", "1e400", "true", "X", "[1]"])(
    "refuses the literal %s for an amount before anything runs",
    async (literal) => {
      const before = await gateway.db.good.count({ where: { companyId: company.id } });

      const response = await gateway.app.inject({
        method: "POST",
        url: "/graphql",
        headers: {
          authorization: `Bearer ${company.owner.token}`,
          accept: "application/graphql-response+json",
        },
        payload: {
          query: `mutation { createGood(companyId: ${company.id}, input: { name: "a", shortDetails: "s",
            details: "d", type: 0, priceE2: ${literal} }) { id } }`,
        },
      });

      expect(response.statusCode).toBe(400);
      expect(response.json().errors[0].extensions).toMatchObject({ code: "GRAPHQL_VALIDATION_FAILED" });
      expect(await gateway.db.good.count({ where: { companyId: company.id } })).toBe(before);
    },
  );

  it("answers each mutation of a document with what it has changed", async () => {
    const { id: couponId } = await createCouponRow(gateway, company.id, { targetType: "branch" });
    const { id: branchGroupId } = await createBranchGroup(gateway, company.id);
    const a = await createBranch(gateway, company.id, { branchGroupId });
    const b = await createBranch(gateway, company.id, { branchGroupId });
    const editor = await adminWith(gateway, company.id, "access_coupons", "can_edit_coupons");
    const change = (name: string, target: number) =>
      `${name}(companyId: ${company.id}, couponId: ${couponId}, targetId: ${target}) { branches { id } }`;

    const { data, errors } = await editor.run(`mutation {
      first: ${change("linkCouponTarget", a.id)}
      second: ${change("linkCouponTarget", b.id)}
      third: ${change("unlinkCouponTarget", a.id)}
    }`);

    expect(errors).toBeUndefined();
    expect(data).toEqual({
      first: { branches: [{ id: a.id }] },
      second: { branches: [{ id: a.id }, { id: b.id }] },
      third: { branches: [{ id: b.id }] },
    });
  });
});
