import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createCoupon, inDays, inState, spell } from "./coupon-rows.js";
import { COUPON_BODY } from "./examples.js";

const SET_READY = `mutation ($companyId: Int!, $couponId: Int!, $input: SetCouponReadyInput) {
  setReady(companyId: $companyId, couponId: $couponId, input: $input) { status } }`;
const SET_ALL_READY = `mutation ($companyId: Int!, $ids: [Int!]!) {
  setCouponsReady(companyId: $companyId, ids: $ids) { id ok error { code field } } }`;
const COPY = `mutation ($companyId: Int!, $id: Int!, $input: CopyCouponInput) {
  copyCoupon(companyId: $companyId, couponId: $id, input: $input) { id } }`;

type Case = [body: object, ...wrong: string[]];

/** Drafts by which nobody could ever use the coupon. */
const HOPELESS: Case[] = [
  [{ type: "gift_card", price_prc: 0.25 }, "price_e2:required"],
  [{ type: "gift_card", human_price_prc: 1, price_e2: 0 }, "price_e2:required"],
  [
    { config: { only_first_purchase: true, exclude_first_purchase: true } },
    "config.exclude_first_purchase:mismatch",
  ],
  [
    {
      config: {
        users_registered_since: "2026-02-01 00:00:01",
        users_registered_until: "2026-02-01 00:00:00",
      },
    },
    "config.users_registered_until:after",
  ],
  [{ target_type: "city" }, "target_type:targets"],
  [
    {
      type: "gift_card",
      target_type: "good",
      price_prc: 0.5,
      total_count: 10_000,
      config: {
        only_first_purchase: true,
        exclude_first_purchase: true,
        users_registered_since: "2026-02-02",
        users_registered_until: "2026-02-01",
      },
    },
    "config.exclude_first_purchase:mismatch",
    "config.users_registered_until:after",
    "coupon_length:code_space",
    "price_e2:required",
    "target_type:targets",
  ],
];

/** What looks odd and means something all the same. */
const ODD: object[] = [
  { type: "gift_card", price_e2: 0, price_prc: 0 },
  { type: "gift_card", price_e2: 1, price_prc: 1 },
  { type: "personal", price_e2: 0, price_prc: 0 },
  { config: { max_discount_e2: 0 } },
  { config: { hour_beg: "10:00", hour_end: "10:00" } },
  { config: { only_first_purchase: true, exclude_first_purchase: false } },
  { config: { users_registered_since: "2026-02-01", users_registered_until: "2026-02-01" } },
];

describe("the terms of a coupon that is set ready", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companyId: number;
  let path: string;
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
    companyId = company.id;
    path = `/companies/${companyId}/coupons`;
  });
  afterAll(() => gateway.close());

  const row = (id: number) => gateway.db.coupon.findFirstOrThrow({ where: { companyId, id } });
  const draft = async (terms: object): Promise<number> => {
    const { status, body } = await company.owner.rest("POST", path, { body: { ...COUPON_BODY, ...terms } });
    expect([status, body.status]).toEqual([201, "pending"]);
    return body.id;
  };
  const setReady = (id: number, body: object = {}) =>
    company.owner.rest("POST", `${path}/${id}/set-ready`, { body });
  const inGraphql = (wrong: string): string =>
    wrong.replace(/_([a-z0-9])(?=.*:)/gu, (_, letter: string) => letter.toUpperCase());

  it.each(HOPELESS)("may be %j in a draft, and are refused then", async (terms, ...wrong) => {
    const id = await draft(terms);
    const input = wrong.some((field) => field.startsWith("coupon_length")) ? { couponLength: 5 } : {};
    const body = "couponLength" in input ? { coupon_length: 5 } : {};
    const changed = await company.owner.rest("PATCH", `${path}/${id}`, { body: { name: "Draft" } });
    const before = await row(id);

    const byRest = await setReady(id, body);
    const sent = await company.owner.run(SET_READY, { companyId, couponId: id, input });

    expect(changed.status).toBe(200);
    expect([byRest.status, wrongFields(byRest.body.errors)]).toEqual([422, wrong]);
    expect(wrongFields(sent.errors?.[0]?.extensions["errors"])).toEqual(wrong.map(inGraphql).sort());
    expect(await row(id)).toEqual(before);
  });

  it("refuse one of many, and leave the others alone", async () => {
    const [wrong, right] = [
      await draft({ config: { only_first_purchase: true, exclude_first_purchase: true } }),
      await draft({}),
    ];

    const { setCouponsReady } = dataOf(
      await company.owner.run(SET_ALL_READY, { companyId, ids: [wrong, right] }),
    );

    expect(setCouponsReady).toEqual([
      {
        id: wrong,
        ok: false,
        error: { code: "VALIDATION_FAILED", field: "config.excludeFirstPurchase" },
      },
      { id: right, ok: true, error: null },
    ]);
    expect([(await row(wrong)).status, (await row(right)).status]).toEqual(["pending", "generating"]);
  });

  it("are fit once they were mended", async () => {
    const id = await draft({ type: "gift_card", price_prc: 0.25 });
    await company.owner.rest("PATCH", `${path}/${id}`, { body: { price_e2: 2_500 } });

    const { status, body } = await setReady(id);

    expect([status, body.status, body.price_e2]).toEqual([200, "generating", 2_500]);
  });

  it.each(ODD)("may be %j", async (terms) => {
    const { status, body } = await setReady(await draft(terms));

    expect([status, body.status]).toEqual([200, "generating"]);
  });

  it("end after they begin, whichever of the two times comes last and by whichever way", async () => {
    const [soon, later, last] = [inDays(1), inDays(2), inDays(3)].map((day) => day.toISOString());
    const between = new Date(`${spell(inDays(2))}Z`);
    const withEnd = await createCoupon(gateway, companyId, { endsAt: between });
    const withStart = await createCoupon(gateway, companyId, { startsAt: between });
    const running = await createCoupon(gateway, companyId, inState("running"));
    const before = [await row(withEnd.id), await row(withStart.id), await row(running.id)];
    const count = () => gateway.db.coupon.count({ where: { companyId } });
    const coupons = await count();

    const answers = [
      await setReady(withEnd.id, { starts_at: last }),
      await setReady(withEnd.id, { starts_at: later, ends_at: soon }),
      await setReady(withEnd.id, { starts_at: spell(between), timezone: "+00:00" }),
      await setReady(withStart.id, { ends_at: soon }),
      await setReady(withStart.id, { ends_at: spell(between), timezone: "+00:00" }),
      await company.owner.rest("PATCH", `${path}/${running.id}/update-running`, {
        body: { ends_at: spell(inDays(-2)) },
      }),
    ];
    const copied = [
      await company.owner.run(COPY, {
        companyId,
        id: running.id,
        input: { startsAt: last, endsAt: later },
      }),
      await company.owner.run(COPY, {
        companyId,
        id: running.id,
        input: { endsAt: spell(inDays(-1)) },
      }),
    ];

    const refused = answers.map(({ status, body }) => [status, wrongFields(body.errors)]);
    expect(refused).toEqual(answers.map(() => [422, ["ends_at:after"]]));
    for (const { errors } of copied)
      expect(wrongFields(errors?.[0]?.extensions["errors"])).toEqual(["endsAt:after"]);
    expect([await row(withEnd.id), await row(withStart.id), await row(running.id)]).toEqual(before);
    expect(await count()).toBe(coupons);
  });
});
