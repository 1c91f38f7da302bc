import { createBranchGroup, createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createCoupon } from "./coupon-rows.js";
import { COUPON_BODY, PLAIN_CONFIG, PLAIN_COUPON, PLAIN_FEE_RULE } from "./examples.js";

const CREATE = `mutation ($companyId: Int!, $input: CreateCouponInput!) {
  createCoupon(companyId: $companyId, input: $input) {
    id name status priceE2 pricePrc humanPricePrc generation { generated total } allowedActions
  }
}`;
const CREATE_FOR_SHOP = `mutation ($companyId: Int!, $branchGroupId: Int!, $input: CreateCouponInput!) {
  createCouponForBranchGroup(companyId: $companyId, branchGroupId: $branchGroupId, input: $input) {
    branchGroupId branchGroup { id }
  }
}`;

let gateway: Gateway;
let company: TestCompany;
let path: string;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway, { timeZoneOffset: "-04:00" });
  path = `/companies/${company.id}/coupons`;
});
afterAll(() => gateway.close());

const create = (body: object) => company.owner.rest("POST", path, { body: { ...COUPON_BODY, ...body } });
const codes = () => gateway.db.couponCode.findMany({ where: { companyId: company.id } });

it("makes a pending coupon of the least that has to be sent", async () => {
  const { status, body, headers } = await create({});

  expect(status).toBe(201);
  expect(headers["location"]).toBe(`/api${path}/${body.id}`);
  expect(body).toEqual({
    ...PLAIN_COUPON,
    id: expect.any(Number),
    created_at: expect.any(String),
    updated_at: expect.any(String),
    version: 1,
  });
  expect((await company.owner.rest("GET", `${path}/${body.id}`)).body).toEqual(body);
});

it("keeps everything that may be sent", async () => {
  const { id: clientId } = await signedInClient(gateway, company.id);
  const shop = await createBranchGroup(gateway, company.id);
  const config = {
    limit: 2,
    amount_limit_e2: 9_007_199_254_740_991,
    max_discount_e2: 500,
    usable_in_promos: false,
    avoid_same_target_promos: true,
    users_registered_since: "2026-01-01",
    users_registered_until: "2026-02-01T10:30:00+02:00",
    only_first_purchase: true,
    exclude_first_purchase: true,
    only_deliveries: true,
    company_assumption_prc: 12.5,
    days: [0, 6],
    hour_beg: "22:00",
    hour_end: "02:30",
    apply_for_unit: true,
    apply_after_tax: true,
    custom_discount_tag: "2 for 1",
    source_whitelist: ["app"],
    target_blacklist: [shop.id],
    first_purchase_mode: "branch_group",
    collision_slot: 999_999,
    fee_rules: [
      {
        is_enabled: true,
        name: "Rule",
        label: "Label",
        description: "Two\nlines",
        layer: 255,
        price_min_e2: 100,
        price_max_e2: 9000,
        hour_beg: "08:00",
        hour_end: "12:00",
        conditions: [{ any: ["thing"] }, 1],
        payment_methods: ["cash"],
        payment_currencies: ["USD"],
      },
    ],
  };
  const told = {
    name: "  Größe ",
    price_e2: 29,
    price_prc: 0.0725,
    min_purchase_e2: 1999,
    total_count: 2_147_483_647,
    applies_to: "delivery",
    target_type: "branch",
    whitelist: [clientId, clientId],
  };

  const { status, body } = await create({ ...told, config });

  expect(status).toBe(201);
  expect(body).toMatchObject({
    ...told,
    name: "Größe",
    whitelist: [clientId],
    human_price_e2: 0.29,
    human_price_prc: 7.25,
    human_min_purchase_e2: 19.99,
    config: {
      ...config,
      // A moment without an offset is in the company's time zone.
      users_registered_since: "2026-01-01 04:00:00",
      users_registered_until: "2026-02-01 08:30:00",
      fee_rules: [{ ...config.fee_rules[0], human_price_min_e2: 1, human_price_max_e2: 90 }],
      human_amount_limit_e2: 90_071_992_547_409.91,
      human_max_discount_e2: 5,
      human_company_assumption_prc: 12.5,
    },
  });
});

it("takes a date alone as all of its day, also where clocks change", async () => {
  await gateway.db.company.update({ where: { id: company.id }, data: { timeZone: "Europe/Berlin" } });
  const until = async (day: string) => {
    const { body } = await create({ config: { users_registered_until: day } });
    return body.config.users_registered_until as string;
  };

  expect(await until("2026-10-25")).toBe("2026-10-25 22:59:59");
  expect(await until("2026-03-29")).toBe("2026-03-29 21:59:59");
});

it("leaves out what is null in the config", async () => {
  const nothing = Object.fromEntries(Object.keys(PLAIN_CONFIG).map((key) => [key, null]));

  const { status, body } = await create({ config: nothing, whitelist: [] });

  expect([status, body]).toMatchObject([201, { config: PLAIN_CONFIG, whitelist: null }]);
  const row = await gateway.db.coupon.findFirstOrThrow({ where: { companyId: company.id } });
  expect(row.config).toEqual({});
});

it("shows every key of a fee rule", async () => {
  const { body } = await create({ config: { fee_rules: [{ name: "Rule" }] } });

  expect(body.config.fee_rules).toEqual([PLAIN_FEE_RULE]);
});

it("answers the same through GraphQL", async () => {
  const input = { type: "gift_card", totalCount: 4, humanPriceE2: 12.34, humanPricePrc: 7.25 };

  const { createCoupon: created } = dataOf(await company.owner.run(CREATE, { companyId: company.id, input }));

  expect(created).toEqual({
    id: expect.any(Number),
    name: "",
    status: "pending",
    priceE2: 1234,
    pricePrc: 0.0725,
    humanPricePrc: 7.25,
    generation: { generated: 0, total: 4 },
    allowedActions: ["update", "set_ready", "delete", "upload_codes"],
  });
});

it("makes a coupon of one shop", async () => {
  const shop = await createBranchGroup(gateway, company.id);

  const { status, body, headers } = await company.owner.rest(
    "POST",
    `/companies/${company.id}/branch-groups/${shop.id}/coupons`,
    { body: COUPON_BODY },
  );
  const { createCouponForBranchGroup: created } = dataOf(
    await company.owner.run(CREATE_FOR_SHOP, {
      companyId: company.id,
      branchGroupId: shop.id,
      input: { type: "promo", totalCount: 1 },
    }),
  );

  expect([status, body.branch_group_id]).toEqual([201, shop.id]);
  expect(headers["location"]).toBe(`/api${path}/${body.id}`);
  expect(created).toEqual({ branchGroupId: shop.id, branchGroup: { id: shop.id } });
});

describe("a promo code", () => {
  it("is kept as it was entered, and taken from then on in any case", async () => {
    const { status, body } = await create({ type: "batch", promo_code: " Summer26 " });

    expect([status, body.promo_code]).toEqual([201, "Summer26"]);
    expect(await codes()).toMatchObject([{ couponId: body.id, code: "SUMMER26", usedAt: null }]);
  });

  it.each([[{ type: "batch" }], [{ type: "batch", promo_code: null }]])(
    "is required of batch coupons: %j",
    async (body) => {
      const { status, body: problem } = await create(body);

      expect([status, wrongFields(problem.errors)]).toEqual([422, ["promo_code:required"]]);
    },
  );

  it.each(["personal", "promo", "gift_card"])("is refused of type %s, unless null", async (type) => {
    const refused = await create({ type, promo_code: "SUMMER26" });
    const allowed = await create({ type, promo_code: null });

    expect([refused.status, wrongFields(refused.body.errors)]).toEqual([422, ["promo_code:forbidden"]]);
    expect([allowed.status, allowed.body.promo_code]).toEqual([201, null]);
  });

  it("is unlike any other code of the company, whatever the case", async () => {
    await create({ type: "batch", promo_code: "Summer26" });
    const personal = await createCoupon(gateway, company.id);
    await gateway.db.couponCode.create({
      data: { companyId: company.id, couponId: personal.id, code: "GENERATED" },
    });
    const before = await gateway.db.coupon.count({ where: { companyId: company.id } });

    for (const promo_code of ["SUMMER26", "summer26", "generated"]) {
      const { status, body } = await create({ type: "batch", promo_code });
      expect([status, wrongFields(body.errors)]).toEqual([422, ["promo_code:unique"]]);
    }
    const input = { type: "batch", totalCount: 1, promoCode: "summer26" };
    const result = await company.owner.run(CREATE, { companyId: company.id, input });

    expect(errorCodes(result)).toEqual(["VALIDATION_FAILED"]);
    expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual(["promoCode:unique"]);
    expect(await gateway.db.coupon.count({ where: { companyId: company.id } })).toBe(before);
  });

  it("is reported along with everything else that is wrong when it is taken", async () => {
    await create({ type: "batch", promo_code: "AUTUMN26" });

    const { status, body } = await create({
      type: "batch",
      promo_code: "autumn26",
      name: "n".repeat(65),
      whitelist: [999_999],
    });

    expect(status).toBe(422);
    expect(wrongFields(body.errors)).toEqual(["name:max_length", "promo_code:unique", "whitelist[0]:exists"]);
  });

  it("may be the same in another company", async () => {
    await create({ type: "batch", promo_code: "SUMMER26" });
    const other = await createCompany(gateway);

    const { status } = await other.owner.rest("POST", `/companies/${other.id}/coupons`, {
      body: { type: "batch", promo_code: "SUMMER26", total_count: 1 },
    });

    expect(status).toBe(201);
  });

  it("goes to one of those who want it at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        create({ type: "batch", promo_code: n % 2 === 0 ? "RUSH2026" : "rush2026" }),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
    const refused = answers.filter(({ status }) => status === 422);
    expect(new Set(refused.flatMap(({ body }) => wrongFields(body.errors)))).toEqual(
      new Set(["promo_code:unique"]),
    );
    expect(await codes()).toHaveLength(1);
  });
});
