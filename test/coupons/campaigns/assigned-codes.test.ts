import { createCompany, signedInClient, type TestCompany } from "../../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../../support/gateway.js";
import { createOrder, runningCoupon } from "../running-coupon.js";

const ASSIGN = /* GraphQL */ `
  mutation ($companyId: Int!, $couponId: Int!, $clientId: Int!) {
    assignCouponCode(companyId: $companyId, couponId: $couponId, clientId: $clientId) {
      code
      clientId
    }
  }
`;
const VOID = /* GraphQL */ `
  mutation ($companyId: Int!, $couponId: Int!, $codes: [String!]!) {
    voidCouponCodes(companyId: $companyId, couponId: $couponId, codes: $codes) {
      code
      ok
      couponCode {
        code
        voidedAt
      }
      error {
        code
        state
      }
    }
  }
`;
const CONSUME = /* GraphQL */ `
  mutation ($companyId: Int!, $input: ConsumeCouponInput!) {
    consumeCoupon(companyId: $companyId, input: $input) {
      id
    }
  }
`;
const HOLD = CONSUME.replace("ConsumeCouponInput", "HoldCouponInput").replace("consumeCoupon", "holdCoupon");

describe("codes of clients, and codes that are voided together", () => {
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

  const newClient = async () => (await signedInClient(gateway, companyId)).id;
  const assign = (couponId: number, clientId: number) =>
    company.owner.run(ASSIGN, { companyId, couponId, clientId });
  const order = async () => (await createOrder(gateway, companyId)).id;
  const use = async (document: string, code: string) =>
    dataOf(await company.owner.run(document, { companyId, input: { code, orderId: await order() } }));

  it("gives each client the next free code, the same one again, and none twice at once", async () => {
    const { id, codes } = await runningCoupon(gateway, companyId, { type: "personal", totalCount: 6 });
    const [used = "", held = "", voided = "", ...free] = codes;
    await use(CONSUME, used);
    await use(HOLD, held);
    dataOf(await company.owner.run(VOID, { companyId, couponId: id, codes: [voided] }));
    const clients = await Promise.all([newClient(), newClient(), newClient(), newClient()]);

    const first = await assign(id, clients[0]);
    const answers = await Promise.all(
      [...clients, ...clients.slice(0, 3)].map((client) => assign(id, client)),
    );

    expect(dataOf(first)["assignCouponCode"]).toEqual({ code: free[0], clientId: clients[0] });
    // The client who comes last gets none, and none again.
    expect([...new Set(answers.flatMap(errorCodes))]).toEqual(["COUPON_EXHAUSTED"]);
    const stored = await gateway.db.couponCode.findMany({
      where: { companyId, couponId: id, clientId: { not: null } },
      orderBy: { id: "asc" },
    });
    expect(stored.map(({ code }) => code)).toEqual(free);
    expect(new Set(stored.map(({ clientId }) => clientId)).size).toBe(3);
  });

  it("gives another code in place of one that is voided, and the same one after a use, whoever made it", async () => {
    const { id, codes } = await runningCoupon(gateway, companyId, { type: "personal", totalCount: 3 });
    const client = await newClient();
    const given = async () => dataOf(await assign(id, client))["assignCouponCode"].code as string;

    const first = await given();
    dataOf(await company.owner.run(VOID, { companyId, couponId: id, codes: [first] }));
    const second = [await given(), await given()];
    await use(CONSUME, codes[1] as string);
    const used = await given();

    expect([first, ...second, used]).toEqual([codes[0], codes[1], codes[1], codes[1]]);
  });

  it("refuses coupons without codes for one use, and clients that are none", async () => {
    const batch = await runningCoupon(gateway, companyId);
    const personal = await runningCoupon(gateway, companyId, { type: "personal", totalCount: 1 });

    expect(errorCodes(await assign(batch.id, await newClient()))).toEqual(["INVALID_STATE"]);
    expect(errorCodes(await assign(personal.id, 2_000_000_000))).toEqual(["NOT_FOUND"]);
    expect(await gateway.db.couponCode.count({ where: { companyId, clientId: { not: null } } })).toBe(0);
  });

  it("voids what can be voided, and says of each code what became of it", async () => {
    const { id, codes } = await runningCoupon(gateway, companyId, { type: "personal", totalCount: 4 });
    const [used = "", held = "", one = "", two = ""] = codes;
    await use(CONSUME, used);
    await use(HOLD, held);
    const sent = [one.toLowerCase(), used, held, "NOSUCHCODE", one];

    const answer = await company.owner.run(VOID, { companyId, couponId: id, codes: sent });
    const none = await company.owner.run(VOID, { companyId, couponId: id, codes: [] });
    const many = await company.owner.run(VOID, { companyId, couponId: id, codes: Array(201).fill(two) });

    const done = { ok: true, couponCode: { code: one, voidedAt: expect.any(String) as string }, error: null };
    const not = (code: string, state: string | null) => ({
      ok: false,
      couponCode: null,
      error: { code, state },
    });
    expect(dataOf(answer)["voidCouponCodes"]).toEqual([
      { code: sent[0], ...done },
      { code: used, ...not("INVALID_STATE", "used") },
      { code: held, ...not("INVALID_STATE", "held") },
      { code: "NOSUCHCODE", ...not("NOT_FOUND", null) },
      { code: one, ...done },
    ]);
    expect([none, many].flatMap(errorCodes)).toEqual(["VALIDATION_FAILED", "VALIDATION_FAILED"]);
    expect(wrongFields(many.errors?.[0]?.extensions["errors"] as never)).toEqual(["codes:max_items"]);
    const coupon = await gateway.db.coupon.findFirstOrThrow({ where: { companyId, id } });
    expect([coupon.voidedCount, coupon.spentCount, coupon.heldCount]).toEqual([1, 1, 1]);
  });

  it("changes and copies many running coupons at once", async () => {
    const coupons = [
      await runningCoupon(gateway, companyId, { type: "promo" }),
      await runningCoupon(gateway, companyId),
    ];
    const ids = coupons.map(({ id }) => id);
    const bulk = (name: string, type: string, input: object) =>
      company.owner.run(
        `mutation ($companyId: Int!, $ids: [Int!]!, $input: ${type}!) {
          answer: ${name}(companyId: $companyId, ids: $ids, input: $input) { id ok error { code field } } }`,
        { companyId, ids, input },
      );

    const updated = await bulk("updateRunningCoupons", "UpdateRunningCouponInput", { minPurchaseE2: 4_200 });
    const copied = await bulk("copyCoupons", "CopyCouponInput", { name: "Copy" });

    expect(dataOf(updated)["answer"]).toEqual(ids.map((id) => ({ id, ok: true, error: null })));
    expect(dataOf(copied)["answer"]).toEqual([
      { id: ids[0], ok: true, error: null },
      { id: ids[1], ok: false, error: { code: "VALIDATION_FAILED", field: "promoCode" } },
    ]);
    const rows = await gateway.db.coupon.findMany({ where: { companyId }, orderBy: { id: "asc" } });
    expect(
      rows.map(({ minPurchaseE2, name, status }) => [Number(minPurchaseE2), name === "Copy", status]),
    ).toEqual([
      [4_200, false, "running"],
      [4_200, false, "running"],
      [4_200, true, "pending"],
    ]);
  });
});
