import { adminWith, createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { untilLockWaits } from "../support/lock-waits.js";
import { formatAmount } from "../../src/core/money.js";
import { beginOf } from "../../src/core/time/zones.js";
import { redeemedAt, runningCoupon, tally } from "./running-coupon.js";

const REDEEM = /* GraphQL */ `
  mutation ($companyId: Int!, $input: RedeemCouponInput!) {
    redeemCoupon(companyId: $companyId, input: $input) {
      coupon {
        id
        spentCount
      }
      addedE2
      balanceE2
    }
  }
`;

describe("redeeming a gift card", () => {
  let gateway: Gateway;
  let company: TestCompany;
  const redeem = (by: Client, couponCode: string | undefined, really?: boolean) =>
    by.run(REDEEM, {
      companyId: company.id,
      input: { couponCode, ...(really !== undefined && { redeem: really }) },
    });
  const giftCard = (overrides: Parameters<typeof runningCoupon>[2] = {}) =>
    runningCoupon(gateway, company.id, {
      type: "gift_card",
      totalCount: 2,
      priceE2: 2500,
      name: "Birthday",
      ...overrides,
    });
  const movements = (holderType: string, holderKey: number) =>
    gateway.db.balanceMovement.findMany({
      where: { companyId: company.id, holderType, holderKey },
      orderBy: { number: "asc" },
    });

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway, { settings: { currencyIso: "EUR" } });
  });

  afterAll(() => gateway.close());

  it("is refused to who is deleted in the meantime, and the code stays free", async () => {
    const { id, client } = await signedInClient(gateway, company.id);
    const card = await giftCard();
    const redeeming: ReturnType<typeof redeem>[] = [];
    await gateway.db.$transaction(async (db) => {
      await db.client.updateMany({ where: { companyId: company.id, id }, data: { deletedAt: new Date() } });
      redeeming.push(redeem(client, card.codes[0], true));
      await untilLockWaits(gateway.url);
    });

    expect((await Promise.all(redeeming)).map(errorCodes)).toEqual([["INVALID_STATE"]]);
    expect(await movements("client", id)).toEqual([]);
    expect((await tally(gateway, company.id, card.id)).counters.spent).toBe(0);
  });

  it("adds its worth to the client's balance, once", async () => {
    const { id, client } = await signedInClient(gateway, company.id);
    const card = await giftCard();

    const first = await redeem(client, card.codes[0]?.toLowerCase(), true);
    const second = await redeem(client, card.codes[1], true);

    expect(dataOf(first).redeemCoupon).toEqual({
      coupon: { id: card.id, spentCount: null },
      addedE2: 2500,
      balanceE2: 2500,
    });
    expect(dataOf(second).redeemCoupon).toMatchObject({ balanceE2: 5000 });
    expect(errorCodes(await redeem(client, card.codes[0], true))).toEqual(["COUPON_EXHAUSTED"]);
    expect(await movements("client", id)).toMatchObject([
      {
        number: 1,
        currencyIso: "EUR",
        initialBalanceE2: 0n,
        amountE2: 2500n,
        finalBalanceE2: 2500n,
        type: "gift_card",
        description: "Birthday",
        authorId: null,
        relatedType: "coupon",
        relatedId: BigInt(card.id),
      },
      { number: 2, initialBalanceE2: 2500n, finalBalanceE2: 5000n },
    ]);
    const stored = await tally(gateway, company.id, card.id);
    expect(stored.counters).toEqual({ spent: 2, given: 5000, held: 0, reserved: 0 });
    expect(stored.rows).toEqual(stored.counters);
    expect(
      await gateway.db.couponCode.count({
        where: { companyId: company.id, couponId: card.id, usedAt: null },
      }),
    ).toBe(0);
  });

  it("refuses a code that was used", async () => {
    const { client } = await signedInClient(gateway, company.id);
    const card = await giftCard();

    dataOf(await redeem(client, card.codes[0], true));

    expect(errorCodes(await redeem(client, card.codes[0], true))).toEqual(["COUPON_CODE_USED"]);
    expect(errorCodes(await redeem(client, card.codes[0], false))).toEqual(["COUPON_CODE_USED"]);
    expect((await tally(gateway, company.id, card.id)).counters.spent).toBe(1);
  });

  it("finds no gift card by letters whose capitals are those of a code", async () => {
    const { id, client } = await signedInClient(gateway, company.id);
    const card = await giftCard();
    await gateway.db.couponCode.updateMany({
      where: { companyId: company.id, code: card.codes[0] ?? "" },
      data: { code: "GIFTS234" },
    });

    expect(errorCodes(await redeem(client, "GIFT\u017f234", true))).toEqual(["COUPON_NOT_FOUND"]);
    expect(errorCodes(await redeem(client, "GIFT\u017f234"))).toEqual(["COUPON_NOT_FOUND"]);
    expect((await tally(gateway, company.id, card.id)).counters.spent).toBe(0);
    expect(await movements("client", id)).toEqual([]);
  });

  it("adds to the account of an admin", async () => {
    const card = await giftCard();
    const admin = await gateway.db.admin.findFirstOrThrow({
      where: { companyId: company.id, id: company.ownerId },
    });

    const { redeemCoupon } = dataOf(await redeem(company.owner, card.codes[0], true));

    expect(redeemCoupon.balanceE2).toBe(2500);
    expect(await movements("account", admin.accountId)).toMatchObject([
      { number: 1, authorId: company.ownerId },
    ]);
  });

  it("only verifies without redeem, on both faces", async () => {
    const { id, client } = await signedInClient(gateway, company.id);
    const card = await giftCard();
    const path = `/companies/${company.id}/coupons/redeem`;

    expect(dataOf(await redeem(client, card.codes[0])).redeemCoupon).toEqual({
      coupon: { id: card.id, spentCount: null },
      addedE2: null,
      balanceE2: null,
    });
    const verified = await client.rest("POST", path, { body: { coupon_code: card.codes[0], redeem: false } });
    expect(verified).toMatchObject({
      status: 200,
      body: { id: card.id, type: "gift_card", spent_count: null },
    });
    expect(await movements("client", id)).toEqual([]);

    const redeemed = await client.rest("POST", path, { body: { coupon_code: card.codes[0], redeem: true } });
    expect(redeemed).toMatchObject({ status: 200, body: { id: card.id, spent_count: null } });
    const shown = await company.owner.rest("GET", `/companies/${company.id}/coupons/${card.id}`);
    const told = { spent_count: null, total_count: null };
    expect(redeemed.body).toEqual({ ...shown.body, ...told });
    expect(await movements("client", id)).toHaveLength(1);
  });

  it("is once under one Idempotency-Key, and answers the same again", async () => {
    const { id, client } = await signedInClient(gateway, company.id);
    const card = await giftCard();
    const again = () =>
      client.rest("POST", `/companies/${company.id}/coupons/redeem`, {
        body: { coupon_code: card.codes[0], redeem: true },
        headers: { "idempotency-key": `redeem-${card.id}` },
      });

    const [first, second] = [await again(), await again()];

    expect(second).toMatchObject({ status: 200, body: first.body });
    expect(await movements("client", id)).toHaveLength(1);
  });

  it("asks what a gift card can ask: list, days, registration, uses by client", async () => {
    const { id, client } = await signedInClient(gateway, company.id);
    const today = new Date().getUTCDay();
    const refused = async (overrides: Parameters<typeof runningCoupon>[2]) => {
      const card = await giftCard(overrides);
      return errorCodes(await redeem(client, card.codes[0], true));
    };
    const other = await signedInClient(gateway, company.id);

    expect(await refused({ whitelist: [other.id] })).toEqual(["COUPON_NOT_WHITELISTED"]);
    expect(await refused({ config: { days: [(today + 2) % 7, (today + 3) % 7] } })).toEqual([
      "COUPON_OUTSIDE_DAYS",
    ]);
    expect(await refused({ config: { usersRegisteredUntil: "2020-01-01T00:00:00.000Z" } })).toEqual([
      "COUPON_REGISTRATION",
    ]);
    expect(await refused({ status: "finished" })).toEqual(["COUPON_NOT_RUNNING"]);
    expect(await refused({ minPurchaseE2: 100_000, config: { onlyDeliveries: true } })).toEqual([]);
    const card = await giftCard({ config: { limit: 1 } });
    dataOf(await redeem(client, card.codes[0], true));
    expect(errorCodes(await redeem(client, card.codes[1], true))).toEqual(["COUPON_LIMIT"]);
    expect(await movements("client", id)).toHaveLength(2);
  });

  it.each(["day", "week", "month", "life"] as const)("gives each client so many in a %s", async (period) => {
    const [now, before] = [
      await signedInClient(gateway, company.id),
      await signedInClient(gateway, company.id),
    ];
    const { id: couponId, codes } = await giftCard({
      totalCount: 4,
      config: { limit: 1, limitPeriod: period },
    });
    const [first, second, third, fourth] = codes as [string, string, string, string];
    const begin = beginOf(period === "life" ? "day" : period, "+00:00", new Date());
    await redeemedAt(gateway, company.id, { couponId, code: first, clientId: now.id, at: begin });
    const at = new Date(begin.getTime() - 1);
    await redeemedAt(gateway, company.id, { couponId, code: second, clientId: before.id, at });
    const outcomes = async (client: Client, code: string) => {
      const path = `/companies/${company.id}/coupons`;
      const verified = await client.rest("POST", `${path}/redeem`, { body: { coupon_code: code } });
      const body = { coupon_code: code, subtotal_e2: 1_000, explain: true };
      const checked = await client.rest("POST", `${path}/check`, { body });
      const verifiedByGraphql = await redeem(client, code);
      const redeemed = await redeem(client, code, true);
      return [verified.body.code, checked.body.code, ...[verifiedByGraphql, redeemed].map(errorCodes)];
    };
    const refused = ["COUPON_LIMIT", "COUPON_LIMIT", ["COUPON_LIMIT"], ["COUPON_LIMIT"]];
    const allowed = [undefined, undefined, [], []];

    expect(await outcomes(now.client, third)).toEqual(refused);
    expect(await movements("client", now.id)).toEqual([]);
    expect((await tally(gateway, company.id, couponId)).counters.spent).toBe(2);
    expect(await outcomes(before.client, third)).toEqual(period === "life" ? refused : allowed);
    expect(await outcomes(before.client, fourth)).toEqual(refused);
    expect(await movements("client", before.id)).toHaveLength(period === "life" ? 0 : 1);
    const { counters, rows } = await tally(gateway, company.id, couponId);
    expect([counters.spent, rows]).toEqual([period === "life" ? 2 : 3, counters]);
  });

  it("is for gift cards alone, and for callers with a balance", async () => {
    const { client } = await signedInClient(gateway, company.id);
    const batch = await runningCoupon(gateway, company.id);
    const card = await giftCard();

    expect(errorCodes(await redeem(client, batch.codes[0], true))).toEqual(["INVALID_STATE"]);
    expect(errorCodes(await redeem(client, batch.codes[0]))).toEqual(["INVALID_STATE"]);
    expect(errorCodes(await redeem(client, "NOSUCHCODE", true))).toEqual(["COUPON_NOT_FOUND"]);
    expect(errorCodes(await redeem(gateway.platform, card.codes[0], true))).toEqual(["FORBIDDEN"]);
    dataOf(await redeem(gateway.platform, card.codes[0]));
    expect(
      errorCodes(await redeem(await adminWith(gateway, company.id, "access_coupons"), card.codes[0])),
    ).toEqual(["FORBIDDEN"]);
    const short = await client.rest("POST", `/companies/${company.id}/coupons/redeem`, {
      body: { coupon_code: "1234" },
    });
    expect(short).toMatchObject({
      status: 422,
      body: { errors: [{ field: "coupon_code", rule: "min_length" }] },
    });
  });

  it("never lets a balance leave what the interfaces can show", async () => {
    const { id, client } = await signedInClient(gateway, company.id);
    // The account that gift cards come from has given what the tests before redeemed.
    const most = Number.MAX_SAFE_INTEGER - 1_000_000;
    const card = await giftCard({ priceE2: BigInt(most) });

    expect(dataOf(await redeem(client, card.codes[0], true)).redeemCoupon.balanceE2).toBe(most);
    const full = await redeem(client, card.codes[1], true);
    const overRest = await client.rest("POST", `/companies/${company.id}/coupons/redeem`, {
      body: { coupon_code: card.codes[1], redeem: true },
    });

    const detail =
      `The balance is ${formatAmount(BigInt(most))}: it, or that of the company's account on the other side, ` +
      "would leave 53 bits.";
    expect([errorCodes(full), full.errors?.[0]?.message]).toEqual([["INVALID_STATE"], detail]);
    expect([overRest.status, overRest.body.code, overRest.body.detail]).toEqual([
      409,
      "INVALID_STATE",
      detail,
    ]);
    expect(await movements("client", id)).toHaveLength(1);
    expect((await tally(gateway, company.id, card.id)).counters.spent).toBe(1);
    expect(
      await gateway.db.couponCode.count({
        where: { companyId: company.id, couponId: card.id, usedAt: null },
      }),
    ).toBe(1);
  });
});
