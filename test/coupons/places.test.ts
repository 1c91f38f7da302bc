import {
  createBranch,
  createBranchGroup,
  createCompany,
  createGood,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createOrder, runningCoupon, tally } from "./running-coupon.js";

const CHECK = /* GraphQL */ `
  mutation ($companyId: Int!, $input: CheckCouponInput!) {
    checkCoupon(companyId: $companyId, input: $input) {
      explanation {
        rules {
          rule
          passed
          judged
          actual
          required
        }
      }
    }
  }
`;
const use = (name: string) => /* GraphQL */ `
  mutation ($companyId: Int!, $input: ${name === "consumeCoupon" ? "Consume" : "Hold"}CouponInput!) {
    ${name}(companyId: $companyId, input: $input) { id }
  }`;

type Input = Record<string, unknown>;

describe("the place and the client of a coupon", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companyId: number;
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
    companyId = company.id;
  });
  afterAll(() => gateway.close());

  const check = (code: string | undefined, input: Input = {}) =>
    company.owner.run(CHECK, {
      companyId,
      input: { couponCode: code, subtotalE2: 10_000, explain: true, ...input },
    });
  const checkByRest = (body: Input, path = "") =>
    company.owner.rest("POST", `/companies/${companyId}${path}/coupons/check`, {
      body: { subtotal_e2: 10_000, ...body },
    });
  const used = async (code: string | undefined, input: Input = {}, order: object = {}) => {
    const { id: orderId } = await createOrder(gateway, companyId, order);
    const variables = { companyId, input: { code, orderId, ...input } };
    const held = await company.owner.run(use("holdCoupon"), variables);
    const taken = await company.owner.run(use("consumeCoupon"), variables);
    return [...errorCodes(held), ...errorCodes(taken)];
  };
  const finding = async (code: string | undefined, rule: string, input: Input = {}) =>
    (await check(code, input)).data?.["checkCoupon"].explanation.rules.find(
      (one: { rule: string }) => one.rule === rule,
    );
  const shops = async () => [
    (await createBranchGroup(gateway, companyId)).id,
    (await createBranchGroup(gateway, companyId)).id,
    (await createBranchGroup(gateway, companyId)).id,
  ];
  const couponForShops = async (ids: readonly (number | undefined)[]) => {
    const coupon = await runningCoupon(gateway, companyId, { targetType: "branch_group" });
    await gateway.db.couponBranchGroup.createMany({
      data: ids.map((id) => ({ companyId, couponId: coupon.id, branchGroupId: id as number })),
    });
    return coupon;
  };
  const goodOf = async (branchGroupId: number | undefined) =>
    (await createGood(gateway, companyId, { branchGroupId })).id;

  it("is left open by a check that names none, and needed by a use", async () => {
    const [shop] = await shops();
    const branch = await createBranch(gateway, companyId, { branchGroupId: shop as number });
    const forShop = await couponForShops([shop]);
    const forBranch = await runningCoupon(gateway, companyId, { targetType: "branch" });
    await gateway.db.couponBranch.create({
      data: { companyId, couponId: forBranch.id, branchId: branch.id },
    });
    const excluding = await runningCoupon(gateway, companyId, { config: { targetBlacklist: [branch.id] } });
    const open = { passed: true, judged: false, actual: "no place named" };

    expect(await finding(forShop.codes[0], "target")).toMatchObject({ ...open, required: `shop ${shop}` });
    expect(await finding(forBranch.codes[0], "target")).toMatchObject({
      ...open,
      required: `branch ${branch.id}`,
    });
    expect(await finding(excluding.codes[0], "target_blacklist")).toMatchObject(open);
    expect(await used(forShop.codes[0])).toEqual(Array(2).fill("COUPON_WRONG_TARGET"));
    expect(await used(forBranch.codes[0])).toEqual(Array(2).fill("COUPON_WRONG_TARGET"));
    expect(await used(excluding.codes[0])).toEqual(Array(2).fill("COUPON_BLACKLISTED"));
    for (const { id } of [forShop, forBranch, excluding])
      expect((await tally(gateway, companyId, id)).rows).toMatchObject({ spent: 0, held: 0 });

    const goods = [await goodOf(shop)];
    expect(await finding(forBranch.codes[0], "target", { goods })).toMatchObject({
      judged: false,
      actual: `shop ${shop}, no branch named`,
    });
    expect(await used(forBranch.codes[0], { goods })).toEqual(Array(2).fill("COUPON_WRONG_TARGET"));
    expect(await used(forShop.codes[0], { goods })).toEqual([]);
    expect(await used(forBranch.codes[0], {}, { branchId: branch.id })).toEqual([]);
  });

  it("is all shops of the goods, for targets as for excluded ones", async () => {
    const [one, two, three] = await shops();
    const both = await couponForShops([one, two]);
    const first = await couponForShops([one]);
    const excluding = await runningCoupon(gateway, companyId, {
      targetType: "branch_group",
      config: { targetBlacklist: [two as number] },
    });
    const goods = [await goodOf(one), await goodOf(two), await goodOf(undefined)];
    const elsewhere = await goodOf(three);
    const checked = async ({ codes }: { codes: readonly string[] }, ids: readonly number[]) =>
      errorCodes(await check(codes[0], { goods: ids }));

    expect(await checked(both, goods)).toEqual([]);
    expect(await used(both.codes[0], { goods })).toEqual([]);
    for (const [coupon, ids] of [
      [first, goods],
      [both, [...goods, elsewhere]],
    ] as const) {
      expect(await checked(coupon, ids)).toEqual(["COUPON_WRONG_TARGET"]);
      expect(await used(coupon.codes[0], { goods: ids })).toEqual(Array(2).fill("COUPON_WRONG_TARGET"));
    }
    expect(await checked(excluding, goods)).toEqual(["COUPON_BLACKLISTED"]);
    expect(await checked(excluding, [elsewhere])).toEqual([]);
  });

  it("does not contradict the goods, whichever field names them", async () => {
    const [here, there] = await shops();
    const branch = await createBranch(gateway, companyId, { branchGroupId: here as number });
    const ofNone = await createBranch(gateway, companyId);
    const { id, codes } = await runningCoupon(gateway, companyId);
    const [coupon_code] = codes;
    const [own, foreign, anyones] = [await goodOf(here), await goodOf(there), await goodOf(undefined)];
    const path = `/branches/${branch.id}`;
    const body = {
      coupon_code,
      goods: [own, foreign],
      good_ids: `${anyones},${foreign}`,
      items: [
        { good_id: anyones, quantity: 1 },
        { good_id: foreign, quantity: 2 },
      ],
    };

    const refused = await checkByRest(body, path);
    const byOrder = await company.owner.run(use("consumeCoupon"), {
      companyId,
      input: {
        code: coupon_code,
        orderId: (await createOrder(gateway, companyId, { branchId: branch.id })).id,
        goods: [foreign],
      },
    });

    expect([refused.status, wrongFields(refused.body.errors)]).toEqual([
      422,
      ["good_ids:mismatch", "goods[1]:mismatch", "items[1].good_id:mismatch"],
    ]);
    expect(wrongFields(byOrder.errors?.[0]?.extensions["errors"])).toEqual(["goods[0]:mismatch"]);
    expect((await tally(gateway, companyId, id)).rows.spent).toBe(0);
    expect((await checkByRest({ coupon_code, goods: [own, anyones] }, path)).status).toBe(200);
    expect((await checkByRest({ coupon_code, goods: [own] }, `/branches/${ofNone.id}`)).status).toBe(422);
  });

  it("names the client where each has so many uses", async () => {
    const client = await signedInClient(gateway, companyId);
    const { id, codes } = await runningCoupon(gateway, companyId, { config: { limit: 2 } });

    const { status, body } = await checkByRest({ coupon_code: codes[0] });

    expect([status, body]).toMatchObject([
      422,
      {
        code: "COUPON_LIMIT",
        detail:
          "The coupon limits the uses of each client: needed less than 2 uses by the client, so a client must be named, " +
          "was no client.",
        rule: "limit",
        actual: "no client",
      },
    ]);
    expect(await used(codes[0])).toEqual(Array(2).fill("COUPON_LIMIT"));
    expect((await tally(gateway, companyId, id)).rows).toMatchObject({ spent: 0, held: 0 });
    expect((await checkByRest({ coupon_code: codes[0], client_id: client.id })).status).toBe(200);
    expect(await used(codes[0], {}, { clientId: client.id })).toEqual([]);
  });

  it("is named by each refusal with its figures, on both faces and when it is answered again", async () => {
    const { codes } = await runningCoupon(gateway, companyId, { minPurchaseE2: 5_000 });
    const headers = { "idempotency-key": `figures-${companyId}` };
    const figures = { rule: "min_purchase", required: "at least 50.00", actual: "12.00" };
    const detail = "The purchase is too small: needed at least 50.00, was 12.00.";
    const again = () =>
      company.owner.rest("POST", `/companies/${companyId}/coupons/check`, {
        body: { coupon_code: codes[0], subtotal_e2: 1_200 },
        headers,
      });

    const answers = [await again(), await again()];
    const { errors } = await check(codes[0], { subtotalE2: 1_200 });

    for (const { body } of answers)
      expect(body).toMatchObject({ code: "COUPON_MIN_PURCHASE", detail, ...figures });
    expect(errors?.[0]).toMatchObject({ message: detail, extensions: figures });
  });
});
