import type { Prisma } from "../../src/generated/prisma/client.js";
import {
  adminWith,
  createCompany,
  createGood,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";
import { addCodes, createCoupon, inDays, inState, spell } from "./coupon-rows.js";
import { createOrder, runningCoupon } from "./running-coupon.js";

const USES = /* GraphQL */ `
  query (
    $companyId: Int!
    $filter: CouponUseFilterInput
    $orderBy: [CouponUseOrderByInput!]
    $withDeleted: Boolean
  ) {
    couponUses(companyId: $companyId, filter: $filter, orderBy: $orderBy, withDeleted: $withDeleted) {
      totalCount
      nodes {
        id
        code
        amountE2
        humanAmountE2
        companyAmountE2
        createdAt
        returnedAt
        coupon {
          id
        }
        client {
          id
        }
        order {
          id
        }
        items {
          goodId
          quantity
          amountE2
        }
      }
    }
  }
`;
const BY_CODE = /* GraphQL */ `
  query ($companyId: Int!, $code: String!, $withDeleted: Boolean) {
    couponByCode(companyId: $companyId, code: $code, withDeleted: $withDeleted) {
      id
    }
  }
`;

let gateway: Gateway;
let company: TestCompany;
let companyId: number;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  companyId = company.id;
});
afterAll(() => gateway.close());

function use(
  couponId: number,
  values: Partial<Prisma.CouponRedemptionUncheckedCreateInput> = {},
): Promise<{ id: bigint }> {
  return gateway.db.couponRedemption.create({ data: { companyId, couponId, amountE2: 100, ...values } });
}

async function usesBy(by: Client, variables: object = {}) {
  return dataOf(await by.run(USES, { companyId, ...variables }))["couponUses"];
}

async function deleteCoupon(couponId: number): Promise<void> {
  await gateway.db.coupon.update({
    where: { companyId_id: { companyId, id: couponId } },
    data: { status: "finished" },
  });
  const query = `mutation ($companyId: Int!, $id: Int!) { deleteCoupon(companyId: $companyId, id: $id) { id } }`;
  dataOf(await company.owner.run(query, { companyId, id: couponId }));
}

describe("uses of all coupons", () => {
  it("are listed with what they belong to, those that were given back too, the latest first", async () => {
    const batch = await runningCoupon(gateway, companyId, { promoCode: "Summer26" });
    const promo = await runningCoupon(gateway, companyId, { type: "promo" });
    const { id: clientId } = await signedInClient(gateway, companyId);
    const { id: goodId } = await createGood(gateway, companyId);
    const { id: orderId } = await createOrder(gateway, companyId, { clientId });
    const [createdAt, returnedAt] = [inDays(-2), inDays(-1)];
    const items = [{ goodId, quantity: 2, amountE2: 1234 }];
    const whole = { code: "SUMMER26", clientId, orderId, createdAt, returnedAt, items };
    const first = await use(batch.id, { ...whole, amountE2: 1234, companyAmountE2: 34 });
    const second = await use(promo.id, { amountE2: 5 });

    const { totalCount, nodes } = await usesBy(company.owner);

    expect(totalCount).toBe(2);
    expect(nodes).toEqual([
      {
        id: Number(second.id),
        code: null,
        amountE2: 5,
        humanAmountE2: 0.05,
        companyAmountE2: 0,
        createdAt: expect.any(String),
        returnedAt: null,
        coupon: { id: promo.id },
        client: null,
        order: null,
        items: [],
      },
      {
        id: Number(first.id),
        code: "Summer26",
        amountE2: 1234,
        humanAmountE2: 12.34,
        companyAmountE2: 34,
        createdAt: spell(createdAt),
        returnedAt: spell(returnedAt),
        coupon: { id: batch.id },
        client: { id: clientId },
        order: { id: orderId },
        items,
      },
    ]);
  });

  it("are found by each of their keys, and ordered", async () => {
    const [one, other] = [await runningCoupon(gateway, companyId), await runningCoupon(gateway, companyId)];
    const { id: clientId } = await signedInClient(gateway, companyId);
    const { id: orderId } = await createOrder(gateway, companyId);
    const [code = ""] = one.codes;
    const own = { code, clientId, orderId, returnedAt: inDays(0), createdAt: inDays(-3), amountE2: 300 };
    const wanted = Number((await use(one.id, own)).id);
    const young = Number((await use(other.id, { createdAt: inDays(-1), amountE2: 200 })).id);
    const middle = Number((await use(other.id, { createdAt: inDays(-2), amountE2: 100 })).id);
    const ids = async (variables: object): Promise<number[]> =>
      (await usesBy(company.owner, variables)).nodes.map(({ id }: { id: number }) => id);

    for (const filter of [
      { couponId: { eq: one.id } },
      { clientId: { eq: clientId } },
      { clientId: { isNull: false } },
      { orderId: { eq: orderId } },
      { code: { eq: code.toLowerCase() } },
      { code: { startsWith: code.slice(0, -1).toLowerCase() } },
      { createdAt: { lt: spell(inDays(-2.5)) } },
      { returnedAt: { isNull: false } },
    ])
      expect(await ids({ filter })).toEqual([wanted]);
    expect(await ids({ filter: { returnedAt: { isNull: true } } })).toEqual([middle, young]);
    expect(await ids({ orderBy: [{ field: "CREATED_AT" }] })).toEqual([wanted, middle, young]);
  });

  it("are those of deleted coupons only when asked for", async () => {
    const kept = await runningCoupon(gateway, companyId);
    const gone = await runningCoupon(gateway, companyId, { promoCode: "GoneCode" });
    await use(kept.id);
    const { id } = await use(gone.id, { code: "GONECODE" });
    await deleteCoupon(gone.id);

    const plain = await usesBy(company.owner);
    const all = await usesBy(company.owner, { withDeleted: true });

    expect(plain.nodes).toMatchObject([{ coupon: { id: kept.id } }]);
    expect(all.totalCount).toBe(2);
    expect(all.nodes[0]).toMatchObject({ id: Number(id), code: "GoneCode", coupon: { id: gone.id } });
  });

  it("are for those who may see coupons, who follow them to orders and clients of their areas alone", async () => {
    const coupon = await runningCoupon(gateway, companyId);
    const { id: clientId, client } = await signedInClient(gateway, companyId);
    const { id: orderId } = await createOrder(gateway, companyId);
    await use(coupon.id, { clientId, orderId });
    const [reader, stranger] = [
      await adminWith(gateway, companyId, "access_coupons"),
      await adminWith(gateway, companyId, "access_clients", "access_carts"),
    ];

    const seen = await reader.run(USES, { companyId });

    expect(seen.data?.["couponUses"].nodes).toMatchObject([{ client: null, order: null, amountE2: 100 }]);
    expect(errorCodes(seen)).toEqual(["FORBIDDEN", "FORBIDDEN"]);
    for (const other of [client, stranger])
      expect(errorCodes(await other.run(USES, { companyId }))).toEqual(["FORBIDDEN"]);
  });

  it("are listed of an order and of a client, deleted coupons or not", async () => {
    const coupon = await runningCoupon(gateway, companyId, { promoCode: "MixedCase" });
    const { id: clientId } = await signedInClient(gateway, companyId);
    const { id: orderId } = await createOrder(gateway, companyId, { clientId });
    const returned = await use(coupon.id, { code: "MIXEDCASE", clientId, orderId, returnedAt: inDays(0) });
    const again = await use(coupon.id, { code: "MIXEDCASE", clientId, orderId });
    await deleteCoupon(coupon.id);
    const query = /* GraphQL */ `
      query ($companyId: Int!, $orderId: Int!, $clientId: Int!) {
        order(companyId: $companyId, id: $orderId) {
          couponUses {
            id
            code
          }
        }
        client(companyId: $companyId, id: $clientId) {
          couponUses {
            id
            code
          }
        }
      }
    `;
    const variables = { companyId, orderId, clientId };
    const stranger = await adminWith(gateway, companyId, "access_clients", "access_carts");

    const { order, client } = dataOf(await company.owner.run(query, variables));
    const refused = await stranger.run(query, variables);

    const shown = [returned, again].map(({ id }) => ({ id: Number(id), code: "MixedCase" }));
    expect(order.couponUses).toEqual(shown);
    expect(client.couponUses).toEqual([...shown].reverse());
    expect(errorCodes(refused)).toEqual(["FORBIDDEN", "FORBIDDEN"]);
    expect(refused.data).toEqual({ order: { couponUses: null }, client: { couponUses: null } });
  });
});

describe("a use that was just made", () => {
  it("shows its code without another statement", async () => {
    const { codes } = await runningCoupon(gateway, companyId, { promoCode: "JustMade" });
    const statements = async (fields: string) => {
      const { id: orderId } = await createOrder(gateway, companyId);
      const query = `mutation ($companyId: Int!, $input: ConsumeCouponInput!) {
        consumeCoupon(companyId: $companyId, input: $input) { ${fields} }
      }`;
      gateway.statements.length = 0;
      const { consumeCoupon } = dataOf(
        await company.owner.run(query, { companyId, input: { orderId, code: codes[0] } }),
      );
      return { use: consumeCoupon, count: gateway.statements.length };
    };
    const forget = keepRemembered();
    await statements("id");

    const plain = await statements("id");
    const whole = await statements("code humanAmountE2 returnedAt items { goodId }");
    forget();

    expect(whole.use).toEqual({ code: "JustMade", humanAmountE2: 10, returnedAt: null, items: [] });
    expect(whole.count).toBe(plain.count);
  });
});

describe("what a coupon has given and has left", () => {
  const FIELDS = `spentAmountE2 heldAmountE2 remainingAmountE2
    humanSpentAmountE2 humanHeldAmountE2 humanRemainingAmountE2`;
  const GIVEN = `query ($companyId: Int!) { coupons(companyId: $companyId, orderBy: [{ field: ID }]) { nodes { ${FIELDS} } } }`;

  async function holdBy(coupon: { id: number }, amountE2: number, expiresAt: Date): Promise<void> {
    const { id: orderId } = await createOrder(gateway, companyId);
    await gateway.db.couponHold.create({
      data: { companyId, couponId: coupon.id, orderId, amountE2, expiresAt },
    });
    await gateway.db.coupon.update({
      where: { companyId_id: { companyId, id: coupon.id } },
      data: { heldCount: { increment: 1 }, heldAmountE2: { increment: amountE2 } },
    });
  }

  it("leaves out holds that have expired, and is nothing less than 0", async () => {
    const limited = { config: { amountLimitE2: 10_000 }, spentAmountE2: 2_550, spentCount: 1 };
    const coupon = await runningCoupon(gateway, companyId, limited);
    await runningCoupon(gateway, companyId, { spentAmountE2: 7, spentCount: 1 });
    await runningCoupon(gateway, companyId, { ...limited, config: { amountLimitE2: 1_000 } });
    await holdBy(coupon, 1_000, inDays(1));
    await holdBy(coupon, 400, inDays(-1));

    const { nodes } = dataOf(await company.owner.run(GIVEN, { companyId }))["coupons"];

    const given = (spent: number, held: number, remaining: number | null) => ({
      spentAmountE2: spent,
      heldAmountE2: held,
      remainingAmountE2: remaining,
      humanSpentAmountE2: spent / 100,
      humanHeldAmountE2: held / 100,
      humanRemainingAmountE2: remaining === null ? null : remaining / 100,
    });
    expect(nodes).toEqual([given(2_550, 1_000, 6_450), given(7, 0, null), given(2_550, 0, 0)]);
  });

  it("takes one statement, however many coupons there are", async () => {
    const statements = async (fields: string): Promise<number> => {
      gateway.statements.length = 0;
      dataOf(await company.owner.run(GIVEN.replace(FIELDS, fields), { companyId }));
      return gateway.statements.length;
    };
    for (let count = 0; count < 20; count += 1) await runningCoupon(gateway, companyId);
    const forget = keepRemembered();
    await statements(FIELDS);
    const [whole, plain] = [await statements(FIELDS), await statements("id")];
    forget();

    expect(whole).toBe(plain + 1);
  });

  it("is not shown to clients, who see the coupon all the same", async () => {
    const { codes } = await runningCoupon(gateway, companyId, { config: { amountLimitE2: 10_000 } });
    const { client } = await signedInClient(gateway, companyId);
    const query = `mutation ($companyId: Int!, $input: CheckCouponInput!) {
      checkCoupon(companyId: $companyId, input: $input) { coupon { name spentAmountE2 remainingAmountE2 } }
    }`;

    const result = await client.run(query, {
      companyId,
      input: { couponCode: codes[0], subtotalE2: 10_000 },
    });

    expect(result.data).toEqual({
      checkCoupon: { coupon: { name: "", spentAmountE2: null, remainingAmountE2: null } },
    });
    expect(errorCodes(result)).toEqual(["FORBIDDEN", "FORBIDDEN"]);
  });

  it("is loaded over REST, where answers without that stay as they were", async () => {
    const coupon = await runningCoupon(gateway, companyId, { spentAmountE2: 7, spentCount: 1 });
    const path = `/companies/${companyId}/coupons/${coupon.id}`;

    const plain = await company.owner.rest("GET", path);
    const loaded = await company.owner.rest("GET", `${path}?load=spent_amount_e2,remaining_amount_e2`);

    expect(plain.body).not.toHaveProperty("spent_amount_e2");
    expect(loaded.body).toEqual({ ...plain.body, spent_amount_e2: 7, remaining_amount_e2: null });
  });
});

describe("a coupon by its code", () => {
  const found = (code: string, variables: object = {}, by: Client = company.owner) =>
    by.run(BY_CODE, { companyId, code, ...variables });

  it("is found in any case, whatever its type and status", async () => {
    const batch = await createCoupon(gateway, companyId, { type: "batch", promoCode: "Mixed1Case" });
    const personal = await createCoupon(gateway, companyId, inState("finished"));
    await addCodes(gateway, personal, "ABCDE", "FGHJK");

    expect(dataOf(await found("mixed1CASE"))).toEqual({ couponByCode: { id: batch.id } });
    expect(dataOf(await found("fghjk"))).toEqual({ couponByCode: { id: personal.id } });
  });

  it("is deleted only when asked for, and then the last one that had the code", async () => {
    const codes = { ...inState("deleted"), type: "batch" };
    await createCoupon(gateway, companyId, { ...codes, promoCode: "Again", deletedAt: inDays(-3) });
    const last = await createCoupon(gateway, companyId, {
      ...codes,
      promoCode: "AGAIN",
      deletedAt: inDays(-2),
    });
    const personal = await createCoupon(gateway, companyId, inState("deleted"));
    await addCodes(gateway, personal, "ABCDE");

    expect(errorCodes(await found("again"))).toEqual(["NOT_FOUND"]);
    expect(errorCodes(await found("abcde"))).toEqual(["NOT_FOUND"]);
    expect(dataOf(await found("again", { withDeleted: true }))).toEqual({ couponByCode: { id: last.id } });
    expect(dataOf(await found("abcde", { withDeleted: true }))).toEqual({
      couponByCode: { id: personal.id },
    });
    const present = await createCoupon(gateway, companyId, { type: "batch", promoCode: "Again" });
    expect(dataOf(await found("again", { withDeleted: true }))).toEqual({ couponByCode: { id: present.id } });
  });

  it("is none for codes of other companies, wrong codes, and those who may not see coupons", async () => {
    const elsewhere = await runningCoupon(gateway, (await createCompany(gateway)).id);
    const { client } = await signedInClient(gateway, companyId);
    const redeemer = await adminWith(gateway, companyId, "can_redeem_coupons");

    expect(errorCodes(await found(elsewhere.codes[0] ?? ""))).toEqual(["NOT_FOUND"]);
    expect(errorCodes(await found("áéíóú"))).toEqual(["NOT_FOUND"]);
    expect(errorCodes(await found("%%%%%", { withDeleted: true }))).toEqual(["NOT_FOUND"]);
    expect(errorCodes(await found("ABCD"))).toEqual(["VALIDATION_FAILED"]);
    for (const other of [client, redeemer])
      expect(errorCodes(await found("ABCDE", {}, other))).toEqual(["FORBIDDEN"]);
  });
});

describe("codes and uses of a deleted coupon", () => {
  it("stay readable for those who ask for deleted rows", async () => {
    const coupon = await createCoupon(gateway, companyId, inState("finished"));
    await addCodes(gateway, coupon, "ABCDE", "FGHJK");
    await addCodes(gateway, coupon, "LMNPQ");
    await use(coupon.id, { code: "ABCDE" });
    await use(coupon.id, {
      code: "FGHJK",
      orderId: (await createOrder(gateway, companyId)).id,
      returnedAt: inDays(0),
    });
    await deleteCoupon(coupon.id);
    const path = `/companies/${companyId}/coupons/${coupon.id}`;
    const get = (what: string) => company.owner.rest("GET", `${path}/${what}`);

    for (const what of ["codes", "used-tickets", "available-tickets"]) {
      expect((await get(what)).status).toBe(404);
      expect((await get(`${what}?format=csv`)).status).toBe(404);
    }
    const codes = await get("codes?with_deleted=true");
    const used = await get("used-tickets?with_deleted=true");
    expect(codes.body).toMatchObject([{ code: "ABCDE" }, { code: "FGHJK" }, { code: "LMNPQ" }]);
    expect(codes.headers["x-total-count"]).toBe("3");
    expect(used.body).toMatchObject([{ code: "ABCDE", coupon_id: coupon.id, amount_e2: 100 }]);
    expect(used.body).toHaveLength(1);
    const available = await get("available-tickets?with_deleted=true");
    expect([available.status, available.body]).toEqual([200, []]);
    const tickets = (withDeleted: boolean) =>
      company.owner.run(
        `query ($companyId: Int!, $couponId: Int!, $withDeleted: Boolean) {
          couponAvailableTickets(companyId: $companyId, couponId: $couponId, withDeleted: $withDeleted) { totalCount } }`,
        { companyId, couponId: coupon.id, withDeleted },
      );
    expect(dataOf(await tickets(true))["couponAvailableTickets"]).toEqual({ totalCount: 0 });
    expect(errorCodes(await tickets(false))).toEqual(["NOT_FOUND"]);
    for (const [what, lines] of [
      ["codes", 4],
      ["used-tickets", 2],
      ["available-tickets", 1],
    ] as const) {
      const { status, body } = await get(`${what}?format=csv&with_deleted=true`);
      expect([status, String(body).trim().split("\n").length]).toEqual([200, lines]);
    }
  });
});
