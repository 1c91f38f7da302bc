import {
  createBranch,
  createBranchGroup,
  createCompany,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createCoupon } from "./coupon-rows.js";
import { COUPON_BODY } from "./examples.js";
import { runningCoupon } from "./running-coupon.js";

const CREATE = `mutation ($companyId: Int!, $input: CreateCouponInput!) {
  createCoupon(companyId: $companyId, input: $input) { config { targetBlacklist } } }`;
const CREATE_FOR_SHOP = `mutation ($companyId: Int!, $branchGroupId: Int!, $input: CreateCouponInput!) {
  createCouponForBranchGroup(companyId: $companyId, branchGroupId: $branchGroupId, input: $input) { id } }`;
const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateCouponInput!) {
  updateCoupon(companyId: $companyId, id: $id, input: $input) { id } }`;
const CHECK_AT_BRANCH = `mutation ($companyId: Int!, $branchId: Int!, $input: CheckCouponInput!) {
  checkCouponForBranch(companyId: $companyId, branchId: $branchId, input: $input) { discountE2 } }`;

/** No row has this id. */
const NOBODY = 2_147_483_647;

describe("the places that a coupon excludes", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companyId: number;
  let path: string;
  let shop: { id: number };
  let branch: { id: number };
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
    companyId = company.id;
    path = `/companies/${companyId}`;
    shop = await createBranchGroup(gateway, companyId);
    branch = await createBranch(gateway, companyId, { branchGroupId: shop.id });
  });
  afterAll(() => gateway.close());

  const post = (at: string, ids: readonly number[], more: object = {}) =>
    company.owner.rest("POST", `${path}${at}/coupons`, {
      body: { ...COUPON_BODY, config: { target_blacklist: ids }, ...more },
    });
  const input = (ids: readonly number[]) => ({
    type: "personal",
    totalCount: 3,
    config: { targetBlacklist: ids },
  });

  it.each(["company", "branch_group", "branch"])(
    "are branches and shops of the company, whatever the target type: %s",
    async (target_type) => {
      const ids = [shop.id, branch.id];

      const { status, body } = await post("", ids, { target_type });
      const { data } = await company.owner.run(CREATE, { companyId, input: input(ids) });

      expect([status, body.config.target_blacklist]).toEqual([201, ids]);
      expect(data?.["createCoupon"].config.targetBlacklist).toEqual(ids);
    },
  );

  it("are none that nobody has, nor those of another company, wherever they are named", async () => {
    const other = await createCompany(gateway);
    const foreign = [await createBranch(gateway, other.id), await createBranchGroup(gateway, other.id)];
    // An id of another company that is one of this company's too is none of another company's alone.
    const strange = foreign.map(({ id }) => id).filter((id) => id !== shop.id && id !== branch.id);
    const ids = [shop.id, NOBODY, branch.id, ...strange, NOBODY];
    const wrong = ids.flatMap((id, place) =>
      id === shop.id || id === branch.id ? [] : [`config.target_blacklist[${place}]:exists`],
    );
    const coupon = await createCoupon(gateway, companyId, { config: { targetBlacklist: [shop.id] } });
    const rows = () => gateway.db.coupon.findMany({ where: { companyId }, orderBy: { id: "asc" } });
    const before = await rows();

    const answers = [
      await post("", ids),
      await post(`/branch-groups/${shop.id}`, ids),
      await company.owner.rest("PATCH", `${path}/coupons/${coupon.id}`, {
        body: { name: "New", config: { target_blacklist: ids } },
      }),
    ];
    const sent = [
      await company.owner.run(CREATE, { companyId, input: input(ids) }),
      await company.owner.run(CREATE_FOR_SHOP, { companyId, branchGroupId: shop.id, input: input(ids) }),
      await company.owner.run(UPDATE, {
        companyId,
        id: coupon.id,
        input: { name: "New", config: { targetBlacklist: ids } },
      }),
    ];

    expect(strange.length).toBeGreaterThan(0);
    for (const { status, body } of answers)
      expect([status, wrongFields(body.errors)]).toEqual([422, wrong.sort()]);
    for (const { errors } of sent)
      expect(wrongFields(errors?.[0]?.extensions["errors"])).toEqual(
        wrong.map((field) => field.replace("target_blacklist", "targetBlacklist")).sort(),
      );
    expect(await rows()).toEqual(before);
  });

  it("are reported together with what else is wrong", async () => {
    const { body } = await post("", [NOBODY, 0], { total_count: -1, whitelist: [NOBODY] });
    const taken = await runningCoupon(gateway, companyId, { promoCode: "Taken26" });
    const batch = await post("", [NOBODY], { type: "batch", promo_code: taken.promoCode });

    expect(wrongFields(body.errors)).toEqual([
      "config.target_blacklist[0]:exists",
      "config.target_blacklist[1]:min",
      "total_count:min",
      "whitelist[0]:exists",
    ]);
    expect(wrongFields(batch.body.errors)).toEqual([
      "config.target_blacklist[0]:exists",
      "promo_code:unique",
    ]);
  });

  it("are read after the target type: an id is meant for either where that names no kind", async () => {
    const { client } = await signedInClient(gateway, companyId);
    const shops: number[] = [];
    const branches: number[] = [];
    // A shop and a branch with the same id, which is in use by either.
    while (!shops.some((id) => branches.includes(id))) {
      const isShopBehind = Math.max(0, ...shops) <= Math.max(0, ...branches);
      if (isShopBehind) shops.push((await createBranchGroup(gateway, companyId)).id);
      else branches.push((await createBranch(gateway, companyId)).id);
    }
    const id = shops.find((one) => branches.includes(one)) as number;
    const inShop = await createBranch(gateway, companyId, { branchGroupId: id });
    const reasonsAt = async (targetType: string) => {
      const { codes } = await runningCoupon(gateway, companyId, {
        targetType,
        config: { targetBlacklist: [id] },
      });
      const answers = [];
      for (const branchId of [id, inShop.id]) {
        const { body } = await client.rest("POST", `${path}/branches/${branchId}/coupons/check`, {
          body: { coupon_code: codes[0], subtotal_e2: 1_000 },
        });
        const asked = { companyId, branchId, input: { couponCode: codes[0], subtotalE2: 1_000 } };
        const sent = await client.run(CHECK_AT_BRANCH, asked);
        answers.push([body.code, errorCodes(sent)[0]]);
      }
      return answers;
    };
    const [excluded, free] = [
      ["COUPON_BLACKLISTED", "COUPON_BLACKLISTED"],
      [undefined, undefined],
    ];

    expect(await reasonsAt("company")).toEqual([excluded, excluded]);
    expect(await reasonsAt("branch_group")).toEqual([free, excluded]);
    expect(await reasonsAt("branch")).toEqual([excluded, free]);
  });
});
