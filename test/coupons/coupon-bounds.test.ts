import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { type Gateway, startGateway, wrongFields } from "../support/gateway.js";
import { COUPON_BODY } from "./examples.js";
import { createCoupon, inState } from "./coupon-rows.js";

const CREATE = `mutation ($companyId: Int!, $input: CreateCouponInput!) { createCoupon(companyId: $companyId, input: $input) { id } }`;

const x = (length: number): string => "x".repeat(length);
const batch = (promo_code: unknown): object => ({ type: "batch", promo_code });
const config = (value: object): object => ({ config: value });
const rule = (value: object): object => config({ fee_rules: [{ name: "Rule", ...value }] });

/** Values just inside the bounds. */
const ALLOWED: object[] = [
  { name: "" },
  { name: x(64) },
  { price_e2: 0 },
  { price_e2: Number.MAX_SAFE_INTEGER },
  { price_prc: 0 },
  { price_prc: 0.0001 },
  { price_prc: 1 },
  { min_purchase_e2: 0 },
  { total_count: 0 },
  { total_count: 2_147_483_647 },
  ...["total", "subtotal", "base_price", "service", "delivery"].map((applies_to) => ({ applies_to })),
  ...["company", "city", "branch_group", "branch", "good"].map((target_type) => ({ target_type })),
  { human_price_e2: 0 },
  { human_price_e2: 0.01 },
  { human_price_e2: 9_999_999_999_999.99 },
  { human_price_e2: null },
  { human_price_prc: 0 },
  { human_price_prc: 0.01 },
  { human_price_prc: 100 },
  { human_min_purchase_e2: 0 },
  { whitelist: null },
  { config: null },
  config({}),
  config({ limit: null }),
  config({ limit: 2_147_483_647 }),
  config({ amount_limit_e2: 1 }),
  config({ max_discount_e2: 0 }),
  config({ company_assumption_prc: 0 }),
  config({ company_assumption_prc: 100 }),
  config({ company_assumption_prc: 33.3335 }),
  config({ human_company_assumption_prc: 33.3335 }),
  config({ days: [0, 1, 2, 3, 4, 5, 6] }),
  config({ hour_beg: "00:00", hour_end: "23:59" }),
  config({ custom_discount_tag: x(10) }),
  config({ collision_slot: 0 }),
  config({ collision_slot: 999_999 }),
  ...["company", "branch_group", "branch"].map((first_purchase_mode) => config({ first_purchase_mode })),
  rule({ name: x(32) }),
  rule({ label: x(32) }),
  rule({ layer: 0 }),
  rule({ layer: 255 }),
  rule({ price_min_e2: 0 }),
  rule({ price_min_e2: 100, price_max_e2: 100 }),
  rule({ price_min_e2: null, price_max_e2: 5 }),
  rule({ price_max_e2: -5 }),
  rule({ human_price_min_e2: 0 }),
  rule({ payment_methods: [], payment_currencies: ["x"] }),
  rule({ conditions: ["x", 1, { a: [null] }] }),
];

/** Values just outside the bounds, each with its wrong field. */
const REFUSED: [object, ...string[]][] = [
  [{ name: x(65) }, "name:max_length"],
  [{ name: "a\u0007b" }, "name:control_characters"],
  [{ name: null }, "name:type"],
  [{ price_e2: -1 }, "price_e2:min"],
  [{ price_e2: 1.5 }, "price_e2:type"],
  [{ price_e2: Number.MAX_SAFE_INTEGER + 1 }, "price_e2:max"],
  [{ price_prc: -0.0001 }, "price_prc:min"],
  [{ price_prc: 1.0001 }, "price_prc:max"],
  [{ price_prc: 0.00005 }, "price_prc:decimals"],
  [{ min_purchase_e2: -1 }, "min_purchase_e2:min"],
  [{ total_count: -1 }, "total_count:min"],
  [{ total_count: 1.5 }, "total_count:type"],
  [{ total_count: 2_147_483_648 }, "total_count:max"],
  [{ applies_to: "company" }, "applies_to:enum"],
  [{ target_type: "subtotal" }, "target_type:enum"],
  [{ human_price_e2: -0.01 }, "human_price_e2:min"],
  [{ human_price_e2: 0.001 }, "human_price_e2:decimals"],
  [{ human_price_e2: "12.34" }, "human_price_e2:type"],
  [{ human_price_e2: 10_000_000_000_000 }, "human_price_e2:max"],
  [{ human_price_prc: -0.01 }, "human_price_prc:min"],
  [{ human_price_prc: 100.01 }, "human_price_prc:max"],
  [{ human_price_prc: 0.001 }, "human_price_prc:decimals"],
  [{ human_min_purchase_e2: -1 }, "human_min_purchase_e2:min"],
  [{ human_min_purchase_e2: 1.999 }, "human_min_purchase_e2:decimals"],
  [{ whitelist: [0] }, "whitelist[0]:exists"],
  [{ whitelist: ["1"] }, "whitelist[0]:type"],
  [{ whitelist: [2_147_483_647] }, "whitelist[0]:exists"],
  [config({ limit: "1" }), "config.limit:type"],
  [config({ limit: 1.5 }), "config.limit:type"],
  [config({ amount_limit_e2: 0 }), "config.amount_limit_e2:min"],
  [config({ human_amount_limit_e2: 0 }), "config.human_amount_limit_e2:min"],
  [config({ max_discount_e2: 1.5 }), "config.max_discount_e2:type"],
  [config({ human_max_discount_e2: 0.001 }), "config.human_max_discount_e2:decimals"],
  [config({ usable_in_promos: 1 }), "config.usable_in_promos:type"],
  [config({ avoid_same_target_promos: "no" }), "config.avoid_same_target_promos:type"],
  [config({ users_registered_since: "2026-02-30" }), "config.users_registered_since:datetime"],
  [config({ users_registered_until: 5 }), "config.users_registered_until:type"],
  [config({ only_first_purchase: 0 }), "config.only_first_purchase:type"],
  [config({ exclude_first_purchase: 0 }), "config.exclude_first_purchase:type"],
  [config({ only_deliveries: 0 }), "config.only_deliveries:type"],
  [config({ company_assumption_prc: -1 }), "config.company_assumption_prc:min"],
  [config({ company_assumption_prc: 100.5 }), "config.company_assumption_prc:max"],
  [config({ company_assumption_prc: 33.33335 }), "config.company_assumption_prc:decimals"],
  [config({ human_company_assumption_prc: 33.33335 }), "config.human_company_assumption_prc:decimals"],
  [config({ days: [7] }), "config.days[0]:max"],
  [config({ days: [1, -1] }), "config.days[1]:min"],
  [config({ hour_beg: "24:00" }), "config.hour_beg:clock"],
  [config({ hour_end: "8:00" }), "config.hour_end:clock"],
  [config({ apply_for_unit: 0 }), "config.apply_for_unit:type"],
  [config({ apply_after_tax: 0 }), "config.apply_after_tax:type"],
  [config({ custom_discount_tag: x(11) }), "config.custom_discount_tag:max_length"],
  [config({ source_whitelist: [1] }), "config.source_whitelist[0]:type"],
  [config({ target_blacklist: ["1"] }), "config.target_blacklist[0]:type"],
  [config({ first_purchase_mode: "city" }), "config.first_purchase_mode:enum"],
  [config({ collision_slot: -1 }), "config.collision_slot:min"],
  [config({ collision_slot: 1_000_000 }), "config.collision_slot:max"],
  [config({ fee_rules: {} }), "config.fee_rules:type"],
  [config({ fee_rules: [{}] }), "config.fee_rules[0].name:required"],
  [rule({ name: x(33) }), "config.fee_rules[0].name:max_length"],
  [rule({ label: x(33) }), "config.fee_rules[0].label:max_length"],
  [rule({ layer: -1 }), "config.fee_rules[0].layer:min"],
  [rule({ layer: 256 }), "config.fee_rules[0].layer:max"],
  [rule({ price_min_e2: -1 }), "config.fee_rules[0].price_min_e2:min"],
  [rule({ price_max_e2: 1.5 }), "config.fee_rules[0].price_max_e2:type"],
  [rule({ price_min_e2: 100, price_max_e2: 99 }), "config.fee_rules[0].price_max_e2:min"],
  [rule({ human_price_min_e2: 1, human_price_max_e2: 0.99 }), "config.fee_rules[0].price_max_e2:min"],
  [rule({ human_price_min_e2: -1 }), "config.fee_rules[0].human_price_min_e2:min"],
  [rule({ hour_beg: "25:00" }), "config.fee_rules[0].hour_beg:clock"],
  [rule({ payment_methods: [""] }), "config.fee_rules[0].payment_methods[0]:min_length"],
  [rule({ payment_currencies: [null] }), "config.fee_rules[0].payment_currencies[0]:type"],
];

/** GraphQL takes these values for a list of one item, and for an object without fields. */
const REFUSED_IN_REST: [object, ...string[]][] = [
  [{ config: [] }, "config:type"],
  [{ whitelist: 1 }, "whitelist:type"],
  [config({ days: 1 }), "config.days:type"],
  [rule({ conditions: {} }), "config.fee_rules[0].conditions:type"],
];

/** A creation refuses the same key under another rule. */
const REFUSED_AT_CREATION: [object, ...string[]][] = [
  [{ type: "coupon" }, "type:enum"],
  [{ type: undefined }, "type:required"],
  [{ total_count: undefined }, "total_count:required"],
  [batch("Abcd"), "promo_code:min_length"],
  [batch(x(21)), "promo_code:max_length"],
  [batch("Sommer-26"), "promo_code:pattern"],
  [batch("Ärger2026"), "promo_code:pattern"],
  [batch(12_345), "promo_code:type"],
];

const IMMUTABLE: [object, ...string[]][] = [
  [{ type: "personal" }, "type:immutable"],
  [{ type: null }, "type:immutable"],
  [{ promo_code: "SUMMER26" }, "promo_code:immutable"],
  [{ promo_code: null, type: 5 }, "promo_code:immutable", "type:immutable"],
];

/** The fields that a change of a running coupon may set. */
const RUNNING_KEYS = new Set(["name", "min_purchase_e2", "human_min_purchase_e2", "whitelist"]);
const RUNNING_CONFIG_KEYS = new Set([
  "limit",
  "amount_limit_e2",
  "human_amount_limit_e2",
  "max_discount_e2",
  "human_max_discount_e2",
  "usable_in_promos",
  "company_assumption_prc",
  "custom_discount_tag",
  "collision_slot",
  "fee_rules",
]);

describe("bounds of a coupon", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  let path: string;
  let coupon: { id: number };
  let running: { id: number };

  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
    path = `/companies/${acme.id}/coupons`;
    coupon = await createCoupon(gateway, acme.id);
    running = await createCoupon(gateway, acme.id, inState("running"));
  });

  afterAll(() => gateway.close());

  it.each(ALLOWED)("take %j", async (change) => {
    const created = await acme.owner.rest("POST", path, { body: { ...COUPON_BODY, ...change } });
    const changed = await acme.owner.rest("PATCH", `${path}/${coupon.id}`, { body: change });
    const input = inGraphql({ ...COUPON_BODY, ...change });
    const sent = await acme.owner.run(CREATE, { companyId: acme.id, input });

    expect([created.status, changed.status, sent.errors]).toEqual([201, 200, undefined]);
  });

  it.each(["Abcde", x(20), "0000O", " Trim26 "])("take the promo code %j", async (promo_code) => {
    const { status } = await acme.owner.rest("POST", path, {
      body: { ...COUPON_BODY, ...batch(promo_code) },
    });

    expect(status).toBe(201);
  });

  it.each(REFUSED)("refuse %j with %s, and write nothing", async (change, ...wrong) => {
    const before = await rows();

    const created = await acme.owner.rest("POST", path, { body: { ...COUPON_BODY, ...change } });
    const changed = await acme.owner.rest("PATCH", `${path}/${coupon.id}`, { body: change });

    expect([created.status, wrongFields(created.body.errors)]).toEqual([422, wrong]);
    expect([changed.status, wrongFields(changed.body.errors)]).toEqual([422, wrong]);
    expect(await refusedByGraphql({ ...COUPON_BODY, ...change })).toEqual(wrong.map(namedInGraphql));
    expect(await rows()).toEqual(before);
  });

  it.each(REFUSED_IN_REST)("refuse in REST %j with %s", async (change, ...wrong) => {
    const { status, body } = await acme.owner.rest("POST", path, { body: { ...COUPON_BODY, ...change } });

    expect([status, wrongFields(body.errors)]).toEqual([422, wrong]);
  });

  it.each(REFUSED_AT_CREATION)("refuse at creation %j with %s", async (change, ...wrong) => {
    const before = await rows();

    const created = await acme.owner.rest("POST", path, { body: { ...COUPON_BODY, ...change } });

    expect([created.status, wrongFields(created.body.errors)]).toEqual([422, wrong]);
    expect(await refusedByGraphql({ ...COUPON_BODY, ...change })).toEqual(wrong.map(namedInGraphql));
    expect(await rows()).toEqual(before);
  });

  it.each(IMMUTABLE)("refuse the change %j with %s", async (change, ...wrong) => {
    const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateCouponInput!) {
      updateCoupon(companyId: $companyId, id: $id, input: $input) { id }
    }`;

    const changed = await acme.owner.rest("PATCH", `${path}/${coupon.id}`, {
      body: { ...change, name: "New" },
    });
    const sent = await acme.owner.run(UPDATE, {
      companyId: acme.id,
      id: coupon.id,
      input: inGraphql(change),
    });

    expect([changed.status, wrongFields(changed.body.errors)]).toEqual([422, wrong]);
    expect(wrongFields(sent.errors?.[0]?.extensions["errors"])).toEqual(wrong.map(namedInGraphql));
  });

  it.each(REFUSED.filter(([change]) => isForRunning(change)))(
    "refuse of a running coupon %j with %s",
    async (change, ...wrong) => {
      const { status, body } = await acme.owner.rest("PATCH", `${path}/${running.id}/update-running`, {
        body: change,
      });

      expect([status, wrongFields(body.errors)]).toEqual([422, wrong]);
    },
  );

  it("name every missing and every wrong field at once", async () => {
    const { body } = await acme.owner.rest("POST", path, {
      body: {
        price_e2: -1,
        human_price_prc: 101,
        config: { days: [9], fee_rules: [{ layer: 300 }], limit: "x" },
      },
    });

    expect(wrongFields(body.errors)).toEqual([
      "config.days[0]:max",
      "config.fee_rules[0].layer:max",
      "config.fee_rules[0].name:required",
      "config.limit:type",
      "human_price_prc:max",
      "price_e2:min",
      "total_count:required",
      "type:required",
    ]);
  });

  it("refuse another company's clients in the whitelist", async () => {
    const other = await createCompany(gateway);
    const { id } = await signedInClient(gateway, other.id);

    const { status, body } = await acme.owner.rest("POST", path, {
      body: { ...COUPON_BODY, whitelist: [id] },
    });

    expect([status, wrongFields(body.errors)]).toEqual([422, ["whitelist[0]:exists"]]);
  });

  it("leave unknown keys alone, and refuse them when asked to be strict", async () => {
    const body = { ...COUPON_BODY, spent_count: 5, colour: "red", config: { hue: 1 } };

    const lenient = await acme.owner.rest("POST", path, { body });
    const strict = await acme.owner.rest("POST", path, { body, headers: { prefer: "handling=strict" } });

    expect([lenient.status, lenient.body.spent_count]).toEqual([201, 0]);
    expect([strict.status, wrongFields(strict.body.errors)]).toEqual([
      422,
      ["colour:unknown", "config.hue:unknown", "spent_count:unknown"],
    ]);
  });

  async function refusedByGraphql(body: object): Promise<string[]> {
    const sent = await acme.owner.run(CREATE, { companyId: acme.id, input: inGraphql(body) });
    expect(sent.errors?.[0]?.extensions["code"]).toBe("VALIDATION_FAILED");
    return wrongFields(sent.errors?.[0]?.extensions["errors"]);
  }

  function rows(): Promise<unknown[]> {
    return gateway.db.coupon.findMany({ where: { companyId: acme.id }, orderBy: [{ id: "asc" }] });
  }
});

function isForRunning(change: object): boolean {
  return Object.entries(change).every(([key, value]) =>
    key === "config"
      ? Object.keys(value as object).every((inner) => RUNNING_CONFIG_KEYS.has(inner))
      : RUNNING_KEYS.has(key),
  );
}

function inGraphql<T>(value: T): T {
  if (Array.isArray(value)) return value.map(inGraphql) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [camelCase(key), inGraphql(item as unknown)]),
  ) as T;
}

function namedInGraphql(wrong: string): string {
  const [field = "", ruleName] = wrong.split(":");
  return `${camelCase(field)}:${ruleName}`;
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());
}
