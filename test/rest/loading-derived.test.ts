import { createCoupon } from "../coupons/coupon-rows.js";
import { runningCoupon, tally } from "../coupons/running-coupon.js";
import { adminWith, createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
let path: string;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  path = `/companies/${company.id}/coupons`;
});
afterAll(() => gateway.close());

const show = (id: number, query = "") => company.owner.rest("GET", `${path}/${id}${query}`);

describe("what is derived from a resource", () => {
  it("is loaded beside all of its keys", async () => {
    const { id } = await createCoupon(gateway, company.id, { type: "personal", totalCount: 5 });

    const plain = await show(id);
    const loaded = await show(id, "?load=generation,allowed_actions");

    expect(Object.keys(plain.body)).not.toContain("generation");
    expect(loaded.body).toEqual({
      ...plain.body,
      generation: { generated: 0, job_id: null, total: 5 },
      allowed_actions: expect.arrayContaining(["update", "set_ready", "delete"]),
    });
  });

  it("is named among the keys, in lists too", async () => {
    const { id } = await createCoupon(gateway, company.id, { name: "Alone", totalCount: 2 });

    const one = await show(id, "?fields=id,generation");
    const list = await company.owner.rest("GET", `${path}?filter[id]=${id}&fields=allowed_actions,name`);

    expect(one.body).toEqual({ id, generation: { generated: 0, job_id: null, total: expect.any(Number) } });
    expect(list.body).toEqual([{ name: "Alone", allowed_actions: expect.any(Array) }]);
  });

  it("is loaded of a relation", async () => {
    const { id: clientId, client } = await signedInClient(gateway, company.id);
    const card = await runningCoupon(gateway, company.id, { type: "gift_card", totalCount: 1, priceE2: 100 });
    await client.rest("POST", `${path}/redeem`, { body: { coupon_code: card.codes[0], redeem: true } });

    const used = await company.owner.rest(
      "GET",
      `${path}/${card.id}/used-tickets?load=coupon.allowed_actions&fields=client_id,company_amount_e2`,
    );

    expect(used.body).toEqual([
      {
        client_id: clientId,
        company_amount_e2: expect.any(Number),
        coupon: expect.objectContaining({ id: card.id, allowed_actions: expect.any(Array) }),
      },
    ]);
  });

  it.each(["load", "fields"])(
    "is among the names that the refusal of a wrong one in %s lists",
    async (parameter) => {
      const { id } = await createCoupon(gateway, company.id);

      const { status, body } = await show(id, `?${parameter}=progress`);

      expect([status, body.errors[0].field, body.errors[0].rule]).toEqual([400, parameter, "unknown"]);
      expect(body.detail).toMatch(/allowed: .*\bgeneration\b/u);
      expect(body.detail).toMatch(/allowed: .*\ballowed_actions\b/u);
    },
  );
});

describe("a request that changes something", () => {
  it("answers all keys and what is loaded, as they are after the change", async () => {
    const { id } = await createCoupon(gateway, company.id, { type: "personal", totalCount: 3 });

    const { status, body } = await company.owner.rest(
      "POST",
      `${path}/${id}/set-ready?load=generation&fields=status`,
    );

    expect([status, body]).toEqual([
      200,
      {
        ...(await show(id)).body,
        generation: { generated: 0, total: 3, job_id: expect.any(String) },
      },
    ]);
    expect(body.status).toBe("generating");
  });

  it("does nothing when the caller may not load what it names, or when there is no such thing", async () => {
    const { id } = await createCoupon(gateway, company.id);
    const caller = await adminWith(gateway, company.id, "can_edit_coupons");

    const refused = await caller.rest("POST", `${path}/${id}/set-ready?load=company_event`);
    const unknown = await caller.rest("POST", `${path}/${id}/set-ready?load=colour`);

    expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN"]);
    expect([unknown.status, unknown.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect((await show(id)).body.status).toBe("pending");
  });

  it("keeps what it answers under an Idempotency-Key", async () => {
    const headers = { "idempotency-key": "derived-1" };
    const { client } = await signedInClient(gateway, company.id);
    const card = await runningCoupon(gateway, company.id, { type: "gift_card", totalCount: 2, priceE2: 700 });
    const redeem = () =>
      client.rest("POST", `${path}/redeem?load=balance_e2`, {
        body: { coupon_code: card.codes[0], redeem: true },
        headers,
      });

    const [first, again] = [await redeem(), await redeem()];

    expect([first.status, first.body.balance_e2]).toEqual([200, 700]);
    expect(again.body).toEqual(first.body);
    expect((await tally(gateway, company.id, card.id)).counters.spent).toBe(1);
  });
});

describe("redeeming a gift card", () => {
  const redeem = async (query: string, really = true) => {
    const { client } = await signedInClient(gateway, company.id);
    const card = await runningCoupon(gateway, company.id, { type: "gift_card", totalCount: 2, priceE2: 700 });
    const answer = await client.rest("POST", `${path}/redeem${query}`, {
      body: { coupon_code: card.codes[0], redeem: really },
    });
    return { ...answer, id: card.id };
  };

  it("answers the gift card alone unless more is loaded", async () => {
    const { status, body, id } = await redeem("");

    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(Object.keys((await show(id)).body));
  });

  it("answers the balance after it, beside the keys of the gift card", async () => {
    const { body, id } = await redeem("?load=added_e2,balance_e2,generation");
    const { body: verified } = await redeem("?load=balance_e2", false);

    expect(body).toEqual({
      ...(await show(id)).body,
      added_e2: 700,
      balance_e2: 700,
      // Clients do not see how many codes there are.
      total_count: null,
      spent_count: null,
      generation: { generated: 0, job_id: null, total: 0 },
    });
    expect(verified).toMatchObject({ balance_e2: null });
  });
});
