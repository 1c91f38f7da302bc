import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createCoupon, inDays, inState, spell } from "./coupon-rows.js";

const SET_READY = `mutation ($companyId: Int!, $couponId: Int!, $input: SetCouponReadyInput) {
  setReady(companyId: $companyId, couponId: $couponId, input: $input) {
    status startsAt endsAt generation { generated total } allowedActions
  }
}`;
const SHOW = `query ($companyId: Int!, $id: Int!) {
  coupon(companyId: $companyId, id: $id) { status startsAt endsAt generation { generated total } }
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

const setReady = (id: number, body?: object) =>
  company.owner.rest("POST", `${path}/${id}/set-ready`, body === undefined ? {} : { body });
const row = (id: number) => gateway.db.coupon.findFirstOrThrow({ where: { companyId: company.id, id } });
const show = async (id: number) =>
  dataOf(await company.owner.run(SHOW, { companyId: company.id, id }))["coupon"];

describe("setting a coupon ready", () => {
  it.each(["personal", "batch", "promo", "gift_card"])("answers at once for type %s", async (type) => {
    const coupon = await createCoupon(gateway, company.id, { type, totalCount: 3 });
    const makesCodes = type === "personal" || type === "gift_card";
    const total = makesCodes ? 3 : 0;

    const { setReady: answer } = dataOf(
      await company.owner.run(SET_READY, { companyId: company.id, couponId: coupon.id }),
    );
    await gateway.runJobs();

    expect(answer).toEqual({
      status: "generating",
      startsAt: null,
      endsAt: null,
      generation: { generated: 0, total },
      allowedActions: ["delete"],
    });
    expect(await show(coupon.id)).toEqual({
      status: "running",
      startsAt: expect.any(String),
      endsAt: null,
      generation: { generated: total, total },
    });
    const { body: codes } = await company.owner.rest("GET", `${path}/${coupon.id}/codes`);
    expect(codes).toHaveLength({ personal: 3, gift_card: 3, batch: 1, promo: 0 }[type] ?? -1);
  });

  it("takes times in the body's time zone, else in the company's", async () => {
    const [local, told] = [await createCoupon(gateway, company.id), await createCoupon(gateway, company.id)];

    const inCompany = await setReady(local.id, { starts_at: "2090-01-01", ends_at: "2090-01-02 06:30:00" });
    const inBody = await setReady(told.id, {
      starts_at: "2090-01-01 10:00:00",
      ends_at: "2090-01-01T12:00:00Z",
      timezone: "+02:00",
    });

    expect(inCompany.body).toMatchObject({
      starts_at: "2090-01-01 04:00:00",
      ends_at: "2090-01-02 10:30:00",
    });
    expect(inBody.body).toMatchObject({ starts_at: "2090-01-01 08:00:00", ends_at: "2090-01-01 12:00:00" });
  });

  it("waits for its start", async () => {
    const { id } = await createCoupon(gateway, company.id);
    const starts = inDays(2);

    await setReady(id, { starts_at: starts.toISOString(), ends_at: inDays(3).toISOString() });
    await gateway.runJobs();

    expect(await show(id)).toMatchObject({ status: "ready", startsAt: spell(starts) });
  });

  it("keeps times that are there already unless others are sent, or null to clear them", async () => {
    const times = { startsAt: inDays(1), endsAt: inDays(2) };
    const [kept, cleared, moved] = [
      await createCoupon(gateway, company.id, times),
      await createCoupon(gateway, company.id, times),
      await createCoupon(gateway, company.id, times),
    ];
    const later = inDays(5);

    const { body: same } = await setReady(kept.id);
    const { body: open } = await setReady(cleared.id, { starts_at: null, ends_at: null });
    const { body: changed } = await setReady(moved.id, { ends_at: later.toISOString() });

    expect(same).toMatchObject({ starts_at: spell(times.startsAt), ends_at: spell(times.endsAt) });
    expect(open).toMatchObject({ starts_at: null, ends_at: null });
    expect(changed).toMatchObject({ starts_at: spell(times.startsAt), ends_at: spell(later) });
  });

  it.each([
    [{ ends_at: "2020-01-01" }, "ends_at:after"],
    [{ starts_at: "2090-01-02", ends_at: "2090-01-02" }, "ends_at:after"],
    [{ starts_at: "2090-01-02", ends_at: "2090-01-01" }, "ends_at:after"],
    [{ starts_at: "2090-01-02T00:00:00+02:00", ends_at: "2090-01-01 18:00:00" }, "ends_at:after"],
    [{ starts_at: "tomorrow" }, "starts_at:datetime"],
    [{ ends_at: "2090-02-30" }, "ends_at:datetime"],
    [{ timezone: "4" }, "timezone:offset"],
    [{ coupon_length: 4 }, "coupon_length:min"],
    [{ coupon_length: 21 }, "coupon_length:max"],
    [{ coupon_length: "8" }, "coupon_length:type"],
  ])("refuses %j with %s", async (body, wrong) => {
    const { id } = await createCoupon(gateway, company.id);
    const before = await row(id);

    const { status, body: problem } = await setReady(id, body);

    expect([status, wrongFields(problem.errors)]).toEqual([422, [wrong]]);
    expect(await row(id)).toEqual(before);
  });

  it("refuses an end that lies before the start it has", async () => {
    const { id } = await createCoupon(gateway, company.id, { startsAt: inDays(5) });

    const { status, body } = await setReady(id, { ends_at: inDays(4).toISOString() });

    expect([status, wrongFields(body.errors)]).toEqual([422, ["ends_at:after"]]);
  });

  it.each([
    [5, 28_629, 200],
    [5, 28_630, 422],
    [6, 887_503, 200],
    [6, 887_504, 422],
    [null, 852_891_037, 200],
    [null, 852_891_038, 422],
  ])("codes of %p characters hide %i coupons: %i", async (coupon_length, totalCount, expected) => {
    const coupon = await createCoupon(gateway, company.id, { totalCount });
    const promo = await createCoupon(gateway, company.id, { type: "promo", totalCount });

    const { status, body } = await setReady(coupon.id, { coupon_length });
    const ofPromo = await setReady(promo.id, { coupon_length });

    expect(status).toBe(expected);
    if (status === 422) expect(wrongFields(body.errors)).toEqual(["coupon_length:code_space"]);
    else expect((await row(coupon.id)).codeLength).toBe(coupon_length ?? 8);
    expect(ofPromo.status).toBe(200);
    // No client needs codes of these coupons.
    await company.owner.rest("DELETE", `${path}/${coupon.id}`);
  });

  it.each([
    [8, 852, 200],
    [8, 853, 422],
    [9, 26_439, 200],
    [9, 26_440, 422],
    [null, 787_662_783, 200],
    [null, 787_662_784, 422],
  ])("codes of %p characters hide %i gift cards: %i", async (coupon_length, totalCount, expected) => {
    const coupon = await createCoupon(gateway, company.id, { type: "gift_card", totalCount });

    const { status, body } = await setReady(coupon.id, { coupon_length });

    expect(status).toBe(expected);
    if (status === 422) expect(wrongFields(body.errors)).toEqual(["coupon_length:code_space"]);
    const { codeLength, status: stored } = await row(coupon.id);
    expect([codeLength, stored]).toEqual(
      status === 422 ? [null, "pending"] : [coupon_length ?? 12, "generating"],
    );
    // No client needs codes of these coupons.
    await company.owner.rest("DELETE", `${path}/${coupon.id}`);
  });

  it("happens once, however many ask at once", async () => {
    const { id } = await createCoupon(gateway, company.id, { totalCount: 2 });

    const answers = await Promise.all(Array.from({ length: 5 }, () => setReady(id)));
    await gateway.runJobs();

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const { body: codes } = await company.owner.rest("GET", `${path}/${id}/codes`);
    expect(codes).toHaveLength(2);
  });

  it("is repeated by its Idempotency-Key, and its refusal too", async () => {
    const { id } = await createCoupon(gateway, company.id);
    const send = (key: string) =>
      company.owner.rest("POST", `${path}/${id}/set-ready`, { headers: { "idempotency-key": key } });

    const [first, again] = [await send("ready-1"), await send("ready-1")];
    const [refused, refusedAgain] = [await send("ready-2"), await send("ready-2")];

    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
    expect(refused.body).toMatchObject({ status: 409, state: "generating", allowed_actions: ["delete"] });
    expect(refusedAgain.body).toEqual(refused.body);
  });
});

describe("finishing a coupon", () => {
  it("ends it now, also one without an end", async () => {
    const open = await createCoupon(gateway, company.id, inState("running"));
    const planned = await createCoupon(gateway, company.id, { ...inState("running"), endsAt: inDays(3) });

    for (const { id } of [open, planned]) {
      const { status, body } = await company.owner.rest("POST", `${path}/${id}/set-finished`);
      expect([status, body.status]).toEqual([200, "finished"]);
      expect(Math.abs(Date.now() - (await row(id)).endsAt!.getTime())).toBeLessThan(10_000);
    }
  });

  it("happens once, however many ask at once", async () => {
    const { id } = await createCoupon(gateway, company.id, inState("running"));

    const answers = await Promise.all(
      Array.from({ length: 4 }, () => company.owner.rest("POST", `${path}/${id}/set-finished`)),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it.each(["city", "good"])(
    "is refused for %s, which has no targets, and changes nothing",
    async (targetType) => {
      const coupon = await createCoupon(gateway, company.id, { targetType });

      const { status, body } = await setReady(coupon.id);

      expect([status, wrongFields(body.errors)]).toEqual([422, ["target_type:targets"]]);
      expect(await row(coupon.id)).toEqual(coupon);
    },
  );
});
