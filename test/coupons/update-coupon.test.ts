import { createBranch, createBranchGroup, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { createCoupon } from "./coupon-rows.js";

const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateCouponInput!) {
  updateCoupon(companyId: $companyId, id: $id, input: $input) { name totalCount targetType branchGroups { id } branches { id } }
}`;
const LINK = `mutation ($companyId: Int!, $couponId: Int!, $targetId: Int!) {
  linkCouponTarget(companyId: $companyId, couponId: $couponId, targetId: $targetId) { branchGroups { id } branches { id } }
}`;

let gateway: Gateway;
let company: TestCompany;
let path: string;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  path = `/companies/${company.id}/coupons`;
});
afterAll(() => gateway.close());

const show = async (id: number, query = "") =>
  (await company.owner.rest("GET", `${path}/${id}${query}`)).body;
const ids = (rows: { id: number }[]): number[] => rows.map(({ id }) => id);

describe("changing a coupon", () => {
  it("leaves what is absent as it is", async () => {
    const { id } = await createCoupon(gateway, company.id, {
      type: "batch",
      promoCode: "Spring26",
      pricePrc: 0.0725,
      config: { limit: 2, days: [1] },
    });
    const before = await show(id);

    const { status, body } = await company.owner.rest("PATCH", `${path}/${id}`, { body: { name: "New" } });

    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: "New", updated_at: expect.any(String), version: 2 });
  });

  it("changes the keys of the config that are sent, and takes away those that are null", async () => {
    const { id } = await createCoupon(gateway, company.id, {
      config: { limit: 2, days: [1], hourBeg: "08:00", feeRules: [{ name: "Old" }] },
    });

    const { body } = await company.owner.rest("PATCH", `${path}/${id}`, {
      body: { config: { limit: 3, hour_beg: null, fee_rules: [{ name: "New" }] } },
    });

    expect(body.config).toMatchObject({ limit: 3, days: [1], hour_beg: null });
    expect(body.config.fee_rules.map(({ name }: { name: string }) => name)).toEqual(["New"]);
    const row = await gateway.db.coupon.findFirstOrThrow({ where: { companyId: company.id, id } });
    expect(row.config).toEqual({ limit: 3, days: [1], feeRules: [{ name: "New" }] });
  });

  it("keeps the form of what is sent back as it is shown", async () => {
    const config = {
      bundle: { buy: 2, get: 1, price_prc: 1 },
      goods: { exclude: {} },
      users_registered_until: "2030-01-01",
      users_registered_since: "2029-01-01T00:00:00.5Z",
    };
    const { id } = (
      await company.owner.rest("POST", path, { body: { type: "promo", total_count: 1, config } })
    ).body;
    const stored = () => gateway.db.coupon.findFirstOrThrow({ where: { companyId: company.id, id } });
    const before = await stored();
    const patch = (body: object) => company.owner.rest("PATCH", `${path}/${id}`, { body });

    const again = await patch({ config: (await show(id)).config });

    expect([again.status, again.body.version]).toEqual([200, 1]);
    expect(await stored()).toEqual(before);
    const other = await patch({
      config: {
        bundle: { ...config.bundle, cheapest: false },
        users_registered_since: "2029-01-01 00:00:00.7",
      },
    });
    expect([other.body.version, other.body.config.bundle.cheapest]).toEqual([2, false]);
    expect((await stored()).config).toMatchObject({
      goods: { exclude: {} },
      usersRegisteredSince: "2029-01-01T00:00:00.700Z",
    });
  });

  it("takes away all of the config that is null", async () => {
    const { id } = await createCoupon(gateway, company.id, { config: { limit: 2, days: [1] } });

    const { status, body } = await company.owner.rest("PATCH", `${path}/${id}`, { body: { config: null } });

    const row = await gateway.db.coupon.findFirstOrThrow({ where: { companyId: company.id, id } });
    expect([status, row.config]).toEqual([200, {}]);
    expect(body.config).toMatchObject({ limit: null, days: [] });
  });

  it("changes nothing when the config is sent back as it was answered", async () => {
    const { id } = await createCoupon(gateway, company.id, { config: {} });
    for (const config of [{}, { limit: 2, fee_rules: [{ name: "a", human_price_min_e2: 0.29 }] }]) {
      await company.owner.rest("PATCH", `${path}/${id}`, { body: { config } });
      const before = await show(id);

      const { body } = await company.owner.rest("PATCH", `${path}/${id}`, {
        body: { config: before.config },
      });

      expect(body).toEqual(before);
    }
  });

  it("keeps all changes that are made at once", async () => {
    const { id } = await createCoupon(gateway, company.id);
    const keys = ["limit", "collision_slot", "amount_limit_e2", "max_discount_e2"];

    await Promise.all(
      keys.map((key) => company.owner.rest("PATCH", `${path}/${id}`, { body: { config: { [key]: 9 } } })),
    );

    expect((await show(id)).config).toMatchObject(Object.fromEntries(keys.map((key) => [key, 9])));
  });

  it("knows no coupon of another company", async () => {
    const { id } = await createCoupon(gateway, (await createCompany(gateway)).id);

    const { status } = await company.owner.rest("PATCH", `${path}/${id}`, { body: { name: "Mine" } });

    expect(status).toBe(404);
  });

  it("is refused with what is wrong before what the state forbids", async () => {
    const { id } = await createCoupon(gateway, company.id, { status: "ready" });

    const wrong = await company.owner.rest("PATCH", `${path}/${id}`, { body: { type: "batch" } });
    const right = await company.owner.rest("PATCH", `${path}/${id}`, { body: {} });

    expect([wrong.status, right.status]).toEqual([422, 409]);
  });
});

describe("targets of a coupon", () => {
  it("are shops or branches, whichever its target_type says", async () => {
    const [shop, branch] = [
      await createBranchGroup(gateway, company.id),
      await createBranch(gateway, company.id),
    ];
    const forShops = await createCoupon(gateway, company.id, { targetType: "branch_group" });
    const forBranches = await createCoupon(gateway, company.id, { targetType: "branch" });

    const put = await company.owner.rest("PUT", `${path}/${forShops.id}/targets/${shop.id}`);
    const { linkCouponTarget } = dataOf(
      await company.owner.run(LINK, { companyId: company.id, couponId: forBranches.id, targetId: branch.id }),
    );

    expect([put.status, put.body.id]).toEqual([200, forShops.id]);
    expect(linkCouponTarget).toEqual({ branchGroups: [], branches: [{ id: branch.id }] });
    const loaded = await show(forShops.id, "?load=branch_groups,branches");
    expect([ids(loaded.branch_groups), ids(loaded.branches)]).toEqual([[shop.id], []]);
  });

  it("go with the change of target_type that unlinks them, which moves the version once", async () => {
    const shop = await createBranchGroup(gateway, company.id);
    const { id } = await createCoupon(gateway, company.id, { targetType: "branch_group" });
    const { version } = (await company.owner.rest("PUT", `${path}/${id}/targets/${shop.id}`)).body;

    const { body } = await company.owner.rest("PATCH", `${path}/${id}`, { body: { target_type: "company" } });

    expect([version, body.version]).toEqual([2, 3]);
    expect(await show(id, "?load=branch_groups")).toMatchObject({ version: 3, branch_groups: [] });
  });

  it("are linked once, however often it is said", async () => {
    const shop = await createBranchGroup(gateway, company.id);
    const { id } = await createCoupon(gateway, company.id, { targetType: "branch_group" });
    const put = () => company.owner.rest("PUT", `${path}/${id}/targets/${shop.id}`);

    const answers = await Promise.all([put(), put(), put()]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(ids((await show(id, "?load=branch_groups")).branch_groups)).toEqual([shop.id]);
  });

  it("are unlinked once: 404 for what is not linked", async () => {
    const shop = await createBranchGroup(gateway, company.id);
    const { id } = await createCoupon(gateway, company.id, { targetType: "branch_group" });
    const target = `${path}/${id}/targets/${shop.id}`;
    await company.owner.rest("PUT", target);

    const first = await company.owner.rest("DELETE", target);
    const second = await company.owner.rest("DELETE", target);

    expect([first.status, first.body, second.status]).toEqual([204, null, 404]);
  });

  it("have to exist in the company", async () => {
    const stranger = await createBranchGroup(gateway, (await createCompany(gateway)).id);
    const { id } = await createCoupon(gateway, company.id, { targetType: "branch_group" });

    for (const targetId of [stranger.id, 2_147_483_647, "abc"]) {
      const { status, body } = await company.owner.rest("PUT", `${path}/${id}/targets/${targetId}`);
      expect([status, body.code]).toEqual([404, "NOT_FOUND"]);
    }
    expect(await show(id, "?load=branch_groups")).toMatchObject({ branch_groups: [] });
  });

  it.each(["company", "city", "good"])("are not for target_type %s", async (targetType) => {
    const shop = await createBranchGroup(gateway, company.id);
    const { id } = await createCoupon(gateway, company.id, { targetType });

    const put = await company.owner.rest("PUT", `${path}/${id}/targets/${shop.id}`);
    const unlink = await company.owner.rest("DELETE", `${path}/${id}/targets/${shop.id}`);

    const refusal = {
      code: "INVALID_STATE",
      state: "pending",
      allowed_actions: ["update", "set_ready", "delete", "upload_codes"],
    };
    expect([put.status, put.body]).toMatchObject([409, refusal]);
    expect([unlink.status, unlink.body]).toMatchObject([409, refusal]);
  });

  it("are discarded when they are aggregated in another way, and only then", async () => {
    const shop = await createBranchGroup(gateway, company.id);
    const { id } = await createCoupon(gateway, company.id, { targetType: "branch_group" });
    await company.owner.rest("PUT", `${path}/${id}/targets/${shop.id}`);
    const update = async (input: object) =>
      dataOf(await company.owner.run(UPDATE, { companyId: company.id, id, input }))["updateCoupon"];

    const same = await update({ targetType: "branch_group", totalCount: 9 });
    const changed = await update({ targetType: "branch" });
    const back = await update({ targetType: "branch_group" });

    expect(same).toMatchObject({ totalCount: 9, branchGroups: [{ id: shop.id }] });
    expect([changed.branchGroups, back.branchGroups]).toEqual([[], []]);
  });

  it("are asked for by a number", async () => {
    const { id } = await createCoupon(gateway, company.id, { targetType: "branch_group" });

    const result = await company.owner.run(LINK, { companyId: company.id, couponId: id, targetId: -1 });

    expect(errorCodes(result)).toEqual(["NOT_FOUND"]);
  });
});
