import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { createCoupon, inDays, inState } from "./coupon-rows.js";
import { COUPON_BODY } from "./examples.js";

const RESTORE = `mutation ($companyId: Int!, $id: Int!) { restoreCoupon(companyId: $companyId, id: $id) { status deletedAt } }`;

let gateway: Gateway;
let company: TestCompany;
let path: string;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
beforeEach(async () => {
  company = await createCompany(gateway);
  path = `/companies/${company.id}/coupons`;
});
afterAll(() => gateway.close());

const remove = (id: number) => company.owner.rest("DELETE", `${path}/${id}`);
const restore = (id: number) => company.owner.rest("POST", `${path}/${id}/restore`);
const codes = async () =>
  (await gateway.db.couponCode.findMany({ where: { companyId: company.id } })).map(({ code }) => code);

describe("deleting a coupon", () => {
  it("hides it, except from admins of the area who ask for deleted ones", async () => {
    const { id } = await createCoupon(gateway, company.id);
    const reader = await adminWith(gateway, company.id, "access_coupons");
    const stranger = await adminWith(gateway, company.id, "access_goods", "can_edit_goods");

    const { status, body } = await remove(id);

    expect([status, body]).toEqual([204, null]);
    expect((await company.owner.rest("GET", `${path}/${id}`)).status).toBe(404);
    expect((await company.owner.rest("GET", path)).body).toEqual([]);
    for (const admin of [company.owner, reader]) {
      const shown = await admin.rest("GET", `${path}/${id}?with_deleted=true`);
      expect([shown.status, shown.body]).toMatchObject([200, { id, deleted_at: expect.any(String) }]);
      expect((await admin.rest("GET", `${path}?with_deleted=true`)).body).toMatchObject([{ id }]);
      expect((await admin.rest("GET", `${path}/${id}`)).status).toBe(404);
    }
    expect((await stranger.rest("GET", `${path}?with_deleted=true`)).status).toBe(403);
    expect((await stranger.rest("GET", `${path}/${id}?with_deleted=true`)).status).toBe(403);
  });

  it("gives its promo code free", async () => {
    const { id } = await createCoupon(gateway, company.id, { type: "batch", promoCode: "Summer26" });

    await remove(id);
    const { status } = await company.owner.rest("POST", path, {
      body: { ...COUPON_BODY, type: "batch", promo_code: "SUMMER26" },
    });

    expect([status, await codes()]).toEqual([201, ["SUMMER26"]]);
  });

  it("keeps generated codes taken: they come back with it", async () => {
    const { id } = await createCoupon(gateway, company.id, inState("ready"));
    await gateway.db.couponCode.create({ data: { companyId: company.id, couponId: id, code: "ABCDE234" } });

    await remove(id);

    expect(await codes()).toEqual(["ABCDE234"]);
  });

  it("releases the holds of orders", async () => {
    const { id } = await createCoupon(gateway, company.id, {
      ...inState("finished"),
      type: "batch",
      promoCode: "HELD2026",
      heldCount: 1,
      heldAmountE2: 70,
    });
    const order = await gateway.db.order.create({ data: { companyId: company.id, currencyIso: "USD" } });
    await gateway.db.couponHold.create({
      data: {
        companyId: company.id,
        couponId: id,
        orderId: order.id,
        code: "HELD2026",
        amountE2: 70,
        expiresAt: inDays(1),
      },
    });

    const { status } = await remove(id);

    expect(status).toBe(204);
    expect(await gateway.db.couponHold.count({ where: { companyId: company.id } })).toBe(0);
    expect(await gateway.db.coupon.findFirst({ where: { companyId: company.id, id } })).toMatchObject({
      heldCount: 0,
      heldAmountE2: 0n,
    });
  });

  it("stops the making of its codes, and restoring goes on with it", async () => {
    const { id } = await createCoupon(gateway, company.id, { totalCount: 4 });
    await company.owner.rest("POST", `${path}/${id}/set-ready`);

    await remove(id);
    await gateway.runJobs();
    const whileDeleted = await codes();
    const restored = await restore(id);
    await gateway.runJobs();

    expect(whileDeleted).toEqual([]);
    expect(restored.body.status).toBe("generating");
    expect(await codes()).toHaveLength(4);
    expect((await company.owner.rest("GET", `${path}/${id}`)).body.status).toBe("running");
  });
});

describe("restoring a coupon", () => {
  it.each(["pending", "ready", "finished"] as const)("brings it back as it was: %s", async (state) => {
    const { id } = await createCoupon(gateway, company.id, inState(state));
    const { body: before } = await company.owner.rest("GET", `${path}/${id}`);
    await remove(id);

    const { status, body } = await restore(id);

    expect([status, body]).toEqual([200, { ...before, updated_at: expect.any(String), version: 3 }]);
    expect((await company.owner.rest("GET", `${path}/${id}`)).body).toEqual(body);
  });

  it("takes its promo code again", async () => {
    const { id } = await createCoupon(gateway, company.id, { type: "batch", promoCode: "Summer26" });
    await remove(id);

    const { body } = await restore(id);

    expect([body.promo_code, await codes()]).toEqual(["Summer26", ["SUMMER26"]]);
  });

  it("is refused while another coupon has its promo code", async () => {
    const { id } = await createCoupon(gateway, company.id, { type: "batch", promoCode: "Summer26" });
    await remove(id);
    await createCoupon(gateway, company.id, { type: "batch", promoCode: "summer26" });

    const { status, body } = await restore(id);

    expect([status, body.code, body.detail]).toEqual([
      409,
      "CONFLICT",
      "Another coupon has the promo code Summer26.",
    ]);
    expect((await company.owner.rest("GET", `${path}/${id}`)).status).toBe(404);
  });

  it("happens once, and not to what is not there", async () => {
    const { id } = await createCoupon(gateway, company.id, inState("deleted"));
    const stranger = await createCoupon(gateway, (await createCompany(gateway)).id, inState("deleted"));
    const variables = { companyId: company.id, id };

    const answers = await Promise.all([restore(id), restore(id), restore(id)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(errorCodes(await company.owner.run(RESTORE, { ...variables, id: stranger.id }))).toEqual([
      "NOT_FOUND",
    ]);
    await remove(id);
    expect(dataOf(await company.owner.run(RESTORE, variables))["restoreCoupon"]).toEqual({
      status: "pending",
      deletedAt: null,
    });
  });

  it("lets what became due meanwhile happen", async () => {
    const { id } = await createCoupon(gateway, company.id, { status: "ready", startsAt: inDays(1) });
    await remove(id);
    await gateway.db.coupon.update({
      where: { companyId_id: { companyId: company.id, id } },
      data: { startsAt: inDays(-1) },
    });

    const { body } = await restore(id);
    await gateway.runJobs();

    const row = await gateway.db.coupon.findFirst({ where: { companyId: company.id, id } });
    expect([body.status, row?.status]).toEqual(["running", "running"]);
  });
});
