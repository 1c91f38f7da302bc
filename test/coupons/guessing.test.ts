import { adminWith, createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { createOrder, runningCoupon, tally } from "./running-coupon.js";

const operation = (name: string, type: string, fields = "id") => /* GraphQL */ `
  mutation ($companyId: Int!, $input: ${type}!) { ${name}(companyId: $companyId, input: $input) { ${fields} } }`;
const CHECK = operation("checkCoupon", "CheckCouponInput", "discountE2");
const REDEEM = operation("redeemCoupon", "RedeemCouponInput", "balanceE2");
const CONSUME = operation("consumeCoupon", "ConsumeCouponInput");
const HOLD = operation("holdCoupon", "HoldCouponInput");
const RELEASE = operation("releaseCoupon", "ReleaseCouponInput");
const PROMOS = /* GraphQL */ `
  query ($companyId: Int!, $input: ApplicablePromosInput!) {
    applicablePromos(companyId: $companyId, input: $input) {
      discountE2
    }
  }
`;

const ALLOWED = 20;
const WINDOW_SECONDS = 15 * 60;
const UNKNOWN = "NOCOUPONHASTHIS";

describe("guessing codes", () => {
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

  const checked = (by: Client, couponCode: string) =>
    by.run(CHECK, { companyId, input: { couponCode, subtotalE2: 10_000 } });
  const redeemed = (by: Client, couponCode: string, headers?: Record<string, string>) =>
    by.run(REDEEM, { companyId, input: { couponCode, redeem: true } }, headers);
  const giftCard = () => runningCoupon(gateway, companyId, { type: "gift_card", totalCount: 1 });
  const newClient = async () => (await signedInClient(gateway, companyId)).client;

  async function guess(by: Client, times: number): Promise<string[]> {
    const codes = [];
    for (let time = 0; time < times; time += 1)
      codes.push(...errorCodes(await checked(by, `${UNKNOWN}${time}`)));
    return codes;
  }

  it("ends for a client after twenty unknown codes, on both faces, and a known one changes nothing", async () => {
    const client = await newClient();
    const card = await giftCard();
    const [code = ""] = card.codes;

    const unknown = await guess(client, ALLOWED);
    const more = await checked(client, UNKNOWN);
    const known = await redeemed(client, code);
    const rest = await client.rest("POST", `/companies/${companyId}/coupons/check`, {
      body: { coupon_code: code, subtotal_e2: 1 },
    });

    expect(unknown).toEqual(Array(ALLOWED).fill("COUPON_NOT_FOUND"));
    expect([more, known].flatMap(errorCodes)).toEqual(["RATE_LIMITED", "RATE_LIMITED"]);
    expect([rest.status, rest.body.code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(rest.headers["retry-after"])).toBeGreaterThan(WINDOW_SECONDS - 60);
    expect(Number(rest.headers["retry-after"])).toBeLessThanOrEqual(WINDOW_SECONDS);
    expect((await tally(gateway, companyId, card.id)).counters.spent).toBe(0);
  });

  it("counts every operation that takes a code, and codes that are not well formed or deleted", async () => {
    const client = await newClient();
    const deleted = await runningCoupon(gateway, companyId, { deletedAt: new Date() });
    const guesses = [UNKNOWN, "no code", deleted.codes[0] ?? ""].flatMap((code) => [
      () => checked(client, code),
      () => redeemed(client, code),
      () => client.run(PROMOS, { companyId, input: { couponCode: code, subtotalE2: 1 } }),
    ]);

    const codes = [];
    for (let time = 0; time <= ALLOWED; time += 1)
      codes.push(...errorCodes((await guesses[time % guesses.length]?.()) ?? { data: null }));

    expect(codes).toEqual([...Array<string>(ALLOWED).fill("COUPON_NOT_FOUND"), "RATE_LIMITED"]);
  });

  it("counts the uses, holds and releases of an admin who may not see coupons", async () => {
    const admin = await adminWith(gateway, companyId, "can_redeem_coupons");
    const { id: orderId } = await createOrder(gateway, companyId);
    const coupon = await runningCoupon(gateway, companyId);
    const use = (document: string, code = UNKNOWN) =>
      admin.run(document, { companyId, input: { code, orderId } });

    const unknown = [];
    for (let time = 0; time < ALLOWED; time += 1)
      unknown.push(...errorCodes(await use([CONSUME, HOLD, RELEASE][time % 3] ?? HOLD)));
    const known = [];
    for (const document of [CONSUME, HOLD, RELEASE])
      known.push(...errorCodes(await use(document, coupon.codes[0])));

    expect(new Set(unknown)).toEqual(new Set(["COUPON_NOT_FOUND", "NOT_FOUND"]));
    expect(known).toEqual(Array(3).fill("RATE_LIMITED"));
    expect((await tally(gateway, companyId, coupon.id)).counters).toMatchObject({ spent: 0, held: 0 });
  });

  it("is no matter of who may see coupons, nor of the platform", async () => {
    const admin = await adminWith(gateway, companyId, "access_coupons");

    for (const by of [admin, company.owner, gateway.platform])
      expect(await guess(by, ALLOWED + 2)).toEqual(Array(ALLOWED + 2).fill("COUPON_NOT_FOUND"));
  });

  it("counts codes that come at once one by one, and answers and does nothing beyond the twenty", async () => {
    const client = await newClient();
    const cards = await Promise.all(Array.from({ length: 10 }, giftCard));
    const guesses = Array.from({ length: 40 }, (_, index) => checked(client, `${UNKNOWN}${index}`));

    const codes = (await Promise.all(guesses)).flatMap(errorCodes);
    const hits = await Promise.all(cards.map(({ codes: [code = ""] }) => redeemed(client, code)));

    expect(codes.filter((code) => code === "COUPON_NOT_FOUND")).toHaveLength(ALLOWED);
    expect(codes.filter((code) => code === "RATE_LIMITED")).toHaveLength(20);
    expect(hits.flatMap(errorCodes)).toEqual(Array(10).fill("RATE_LIMITED"));
    for (const { id } of cards) expect((await tally(gateway, companyId, id)).counters.spent).toBe(0);
  });

  it("counts each client by itself, and no code that there is", async () => {
    const [guesser, honest] = [await newClient(), await newClient()];
    const { codes } = await runningCoupon(gateway, companyId);
    await guess(guesser, ALLOWED);

    const results = [];
    for (let time = 0; time < ALLOWED + 5; time += 1) results.push(await checked(honest, codes[0] ?? ""));

    expect(results.flatMap(errorCodes)).toEqual([]);
    expect(await guess(honest, 1)).toEqual(["COUPON_NOT_FOUND"]);
    expect(await guess(guesser, 1)).toEqual(["RATE_LIMITED"]);
  });

  it("is counted with an Idempotency-Key too, and the refusal is not kept for the key", async () => {
    const client = await newClient();
    const card = await giftCard();

    const codes = [];
    for (let time = 0; time <= ALLOWED; time += 1)
      codes.push(...errorCodes(await redeemed(client, UNKNOWN, { "idempotency-key": `guess-${time}` })));
    const known = await redeemed(client, card.codes[0] ?? "", { "idempotency-key": "known" });

    expect(codes).toEqual([...Array<string>(ALLOWED).fill("COUPON_NOT_FOUND"), "RATE_LIMITED"]);
    expect(errorCodes(known)).toEqual(["RATE_LIMITED"]);
    expect((await tally(gateway, companyId, card.id)).counters.spent).toBe(0);
  });

  it("is one count for all processes, however many codes come to them at once", async () => {
    const { client } = await signedInClient(gateway, companyId);
    const other = await startGateway({ on: gateway, environment: { RATE_LIMIT: "0" } });
    const there = other.withToken(client.token);
    const cards = await Promise.all(Array.from({ length: 4 }, giftCard));

    const guesses = Array.from({ length: 60 }, (_, index) =>
      checked(index % 2 === 0 ? client : there, `${UNKNOWN}${index}`),
    );
    const hits = cards.map(({ codes: [code = ""] }, index) =>
      redeemed(index % 2 === 0 ? client : there, code),
    );
    const codes = (await Promise.all(guesses)).flatMap(errorCodes);
    await Promise.all(hits);
    const spent = await spentOn(cards);
    const more = [...(await guess(client, 1)), ...(await guess(there, 1))];
    const known = await Promise.all(
      cards.map(({ codes: [code = ""] }, index) => redeemed(index % 2 === 0 ? there : client, code)),
    );
    await other.close();

    expect(codes.filter((code) => code === "COUPON_NOT_FOUND")).toHaveLength(ALLOWED);
    expect(codes.filter((code) => code === "RATE_LIMITED")).toHaveLength(60 - ALLOWED);
    expect([...more, ...known.flatMap(errorCodes)]).toEqual(Array(6).fill("RATE_LIMITED"));
    expect(await spentOn(cards)).toBe(spent);
  });

  it("is known to other processes, and forgotten when the time is over", async () => {
    const { client } = await signedInClient(gateway, companyId);
    const other = await startGateway({ on: gateway, environment: { RATE_LIMIT: "0" } });
    const there = other.withToken(client.token);
    const bucket = { bucket: { startsWith: `code:${companyId}:client:` } };
    const card = await giftCard();
    await guess(client, ALLOWED);

    const elsewhere = await guess(there, 1);
    const known = errorCodes(await redeemed(there, card.codes[0] ?? ""));
    await gateway.db.rateLimit.updateMany({ where: bucket, data: { resetsAt: new Date(Date.now() - 1) } });
    const fresh = await startGateway({ on: gateway, environment: { RATE_LIMIT: "0" } });
    const afterwards = await guess(fresh.withToken(client.token), ALLOWED + 1);
    await Promise.all([other.close(), fresh.close()]);

    expect([...elsewhere, ...known]).toEqual(["RATE_LIMITED", "RATE_LIMITED"]);
    expect((await tally(gateway, companyId, card.id)).counters.spent).toBe(0);
    expect(afterwards).toEqual([...Array<string>(ALLOWED).fill("COUPON_NOT_FOUND"), "RATE_LIMITED"]);
  });

  it("costs no statement where codes are known", async () => {
    const client = await newClient();
    const { codes } = await runningCoupon(gateway, companyId);
    await checked(client, codes[0] ?? "");
    gateway.statements.length = 0;

    await checked(client, codes[0] ?? "");

    expect(gateway.statements.filter((text) => text.includes("rate_limits"))).toEqual([]);
  });

  async function spentOn(coupons: readonly { id: number }[]): Promise<number> {
    const tallies = await Promise.all(coupons.map(({ id }) => tally(gateway, companyId, id)));
    return tallies.reduce((sum, { counters }) => sum + counters.spent, 0);
  }
});
