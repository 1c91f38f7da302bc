import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createCoupon, inDays, inState, spell } from "./coupon-rows.js";
import { PLAIN_CONFIG, PLAIN_COUPON } from "./examples.js";

const UPDATE_RUNNING = `mutation ($companyId: Int!, $couponId: Int!, $input: UpdateRunningCouponInput!) {
  updateRunning(companyId: $companyId, couponId: $couponId, input: $input) { name endsAt minPurchaseE2 config { limit } }
}`;

let gateway: Gateway;
let company: TestCompany;
let path: string;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  company = await createCompany(gateway, { timeZoneOffset: "-04:00" });
  path = `/companies/${company.id}/coupons`;
});
afterAll(() => gateway.close());

const running = (overrides: object = {}) =>
  createCoupon(gateway, company.id, { ...inState("running"), ...overrides });
const update = (id: number, body: object) =>
  company.owner.rest("PATCH", `${path}/${id}/update-running`, { body });

const ALLOWED = [
  "name",
  "external_id",
  "ends_at",
  "min_purchase_e2",
  "human_min_purchase_e2",
  "whitelist",
  "config",
];
const ALLOWED_CONFIG = [
  "limit",
  "limit_period",
  "client_amount_limit_e2",
  "human_client_amount_limit_e2",
  "amount_limit_e2",
  "human_amount_limit_e2",
  "max_discount_e2",
  "human_max_discount_e2",
  "usable_in_promos",
  "company_assumption_prc",
  "human_company_assumption_prc",
  "custom_discount_tag",
  "collision_slot",
  "fee_rules",
];
const without = (keys: string[], allowed: string[]): string[] => keys.filter((key) => !allowed.includes(key));

describe("changing a running coupon", () => {
  it("takes away what may change of the config that is null, and leaves the rest", async () => {
    const { id } = await running({ config: { limit: 1, days: [2], collisionSlot: 7 } });

    const { status, body } = await update(id, { config: null });

    expect(status).toBe(200);
    expect(body.config).toMatchObject({ limit: null, days: [2], collision_slot: null });
  });

  it("takes all that may change, and leaves the rest", async () => {
    const { id: clientId } = await signedInClient(gateway, company.id);
    const coupon = await running({ config: { limit: 1, days: [2], collisionSlot: 7 } });
    const { body: before } = await company.owner.rest("GET", `${path}/${coupon.id}`);
    const config = {
      limit: 5,
      limit_period: "day",
      client_amount_limit_e2: 700,
      amount_limit_e2: 10_000,
      max_discount_e2: 300,
      usable_in_promos: false,
      company_assumption_prc: 25,
      custom_discount_tag: "SALE",
      collision_slot: null,
      fee_rules: [{ name: "Rule", price_min_e2: 1 }],
    };

    const { status, body } = await update(coupon.id, {
      name: "New",
      external_id: "OWN-1",
      ends_at: "2090-01-01",
      timezone: "+01:00",
      min_purchase_e2: 2000,
      whitelist: [clientId],
      config,
    });

    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      name: "New",
      external_id: "OWN-1",
      ends_at: "2089-12-31 23:00:00",
      min_purchase_e2: 2000,
      human_min_purchase_e2: 20,
      whitelist: [clientId],
      updated_at: expect.any(String),
      version: 2,
      config: {
        ...before.config,
        ...config,
        fee_rules: [expect.objectContaining({ name: "Rule", price_min_e2: 1 })],
        human_client_amount_limit_e2: 7,
        human_amount_limit_e2: 100,
        human_max_discount_e2: 3,
        human_company_assumption_prc: 25,
      },
    });
  });

  it("refuses an empty whitelist, which would open it to everybody; null says so", async () => {
    const coupon = await running();
    const { id: clientId } = await gateway.db.client.create({ data: { companyId: company.id, name: "Ada" } });
    await update(coupon.id, { whitelist: [clientId] });

    const refused = await update(coupon.id, { whitelist: [] });
    const kept = await gateway.db.coupon.findFirstOrThrow({
      where: { companyId: company.id, id: coupon.id },
    });
    const opened = await update(coupon.id, { whitelist: null });

    expect([refused.status, wrongFields(refused.body.errors)]).toEqual([422, ["whitelist:min_items"]]);
    expect(kept.whitelist).toEqual([clientId]);
    expect([opened.status, opened.body.whitelist]).toEqual([200, null]);
  });

  it.each([...without(Object.keys(PLAIN_COUPON), ALLOWED), "branch_groups", "starts_at", "colour"])(
    "refuses the key %s, whatever its value",
    async (key) => {
      const coupon = await running();
      const before = await gateway.db.coupon.findFirst({ where: { companyId: company.id, id: coupon.id } });

      for (const value of [null, 1, "x", {}]) {
        const { status, body } = await update(coupon.id, { name: "New", [key]: value });
        expect([status, wrongFields(body.errors)]).toEqual([422, [`${key}:forbidden`]]);
      }
      expect(await gateway.db.coupon.findFirst({ where: { companyId: company.id, id: coupon.id } })).toEqual(
        before,
      );
    },
  );

  it.each([...without(Object.keys(PLAIN_CONFIG), ALLOWED_CONFIG), "hue"])(
    "refuses the key %s of the config",
    async (key) => {
      const coupon = await running();

      const { status, body } = await update(coupon.id, { config: { limit: 1, [key]: null } });

      expect([status, wrongFields(body.errors)]).toEqual([422, [`config.${key}:forbidden`]]);
    },
  );

  it("refuses the same through GraphQL", async () => {
    const coupon = await running();

    const result = await company.owner.run(UPDATE_RUNNING, {
      companyId: company.id,
      couponId: coupon.id,
      input: { totalCount: 7, config: { days: [1], limit: "x" } },
    });

    expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual([
      "config.days:forbidden",
      "config.limit:type",
      "totalCount:forbidden",
    ]);
  });

  it.each([
    [{ ends_at: "2020-01-01" }, "ends_at:after"],
    [{ ends_at: "soon" }, "ends_at:datetime"],
    [{ timezone: "0100" }, "timezone:offset"],
  ])("refuses %j with %s", async (change, wrong) => {
    const coupon = await running();

    const { status, body } = await update(coupon.id, change);

    expect([status, wrongFields(body.errors)]).toEqual([422, [wrong]]);
  });

  it("moves its end, or takes it away", async () => {
    const coupon = await running({ endsAt: inDays(1) });
    const later = inDays(9);

    const { updateRunning: moved } = dataOf(
      await company.owner.run(UPDATE_RUNNING, {
        companyId: company.id,
        couponId: coupon.id,
        input: { endsAt: later.toISOString() },
      }),
    );
    const { body: endless } = await update(coupon.id, { ends_at: null });

    expect(moved.endsAt).toBe(spell(later));
    expect([endless.ends_at, endless.status]).toEqual([null, "running"]);
  });

  it("ends at its new end, not at the old one", async () => {
    const coupon = await running({ endsAt: inDays(1) });
    const soon = new Date(Date.now() + 1_200);

    await update(coupon.id, { ends_at: soon.toISOString() });
    await new Promise((resolve) => setTimeout(resolve, soon.getTime() - Date.now() + 50));
    await gateway.runJobs();

    const row = await gateway.db.coupon.findFirst({ where: { companyId: company.id, id: coupon.id } });
    expect(row?.status).toBe("finished");
  });
});
