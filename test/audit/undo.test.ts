import { createAdminRow } from "../admins/people.js";
import {
  adminWith,
  createBranch,
  createCompany,
  createGood,
  unique,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";

const UNDO = `mutation ($c: Int!, $entryId: SafeInt!) {
  undoChange(companyId: $c, entryId: $entryId) { id operation action targetType targetId changes { field before after } }
}`;
const LATEST = `query ($c: Int!) { auditEntries(companyId: $c, first: 1) { nodes { id } } }`;

let gateway: Gateway;
let acme: TestCompany;
let goodId: number;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  acme = await createCompany(gateway);
  goodId = (await createGood(gateway, acme.id, { name: "Arepa", priceE2: 1234n })).id;
});
afterAll(() => gateway.close());

/** Does something, and returns the id of the entry that it has left. */
async function entryOf(change: Promise<unknown>): Promise<number> {
  await change;
  return dataOf(await acme.owner.run(LATEST, { c: acme.id }))["auditEntries"].nodes[0].id;
}
const patch = async (path: string, body: object, by: Client = acme.owner) => {
  const { status } = await by.rest("PATCH", `/companies/${acme.id}${path}`, { body });
  expect(status).toBe(200);
};
const change = (body: object) => patch(`/goods/${goodId}`, body);
const undo = (entryId: number, by: Client = acme.owner) => by.run(UNDO, { c: acme.id, entryId });
const good = (id = goodId) => gateway.db.good.findFirstOrThrow({ where: { companyId: acme.id, id } });
const entries = () => gateway.db.auditEntry.count({ where: { companyId: acme.id } });

describe("undoing a change", () => {
  it("is a new change by the same rules, which can be undone, too", async () => {
    const before = await good();
    const entryId = await entryOf(change({ price_e2: 1500, details: "Of maize", keywords: ["corn"] }));

    const { id, ...undone } = dataOf(await undo(entryId))["undoChange"];

    expect(undone).toEqual({
      operation: "undoChange",
      action: "update",
      targetType: "good",
      targetId: goodId,
      changes: [
        { field: "details", before: "Of maize", after: "Long" },
        { field: "keywords", before: ["corn"], after: [] },
        { field: "priceE2", before: 1500, after: 1234 },
      ],
    });
    const { priceE2, details, version } = await good();
    expect({ priceE2, details, version }).toEqual({
      priceE2: 1234n,
      details: before.details,
      version: before.version + 2,
    });
    dataOf(await undo(id));
    expect(await good()).toMatchObject({ priceE2: 1500n, details: "Of maize" });
  });

  it("is done once for a key, over REST", async () => {
    const entryId = await entryOf(change({ price_e2: 1500 }));
    const send = () =>
      acme.owner.rest("POST", `/companies/${acme.id}/audit-entries/${entryId}/undo`, {
        headers: { "idempotency-key": "undo-once" },
      });

    const answers = [await send(), await send()];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(answers[0]?.body).toMatchObject({
      operation: "undoChange",
      changes: [{ field: "price_e2", before: 1500, after: 1234 }],
    });
    expect(await entries()).toBe(2);
    expect((await good()).priceE2).toBe(1234n);
  });

  it("leaves alone what has changed beside it since", async () => {
    const entryId = await entryOf(change({ price_e2: 1500, is_type_digital: true }));
    await change({ name: "Arepa de queso" });

    expect(errorCodes(await undo(entryId))).toEqual([]);
    expect(await good()).toMatchObject({ name: "Arepa de queso", priceE2: 1234n });
  });

  it("takes back flags, keys within an object, and what follows from a field", async () => {
    const { type } = await good();
    const flags = await entryOf(change({ is_type_digital: true }));
    expect((await good()).type).not.toBe(type);
    dataOf(await undo(flags));
    expect((await good()).type).toBe(type);

    const create = `mutation ($c: Int!) { createCoupon(companyId: $c, input: {
      name: "Ten", type: batch, promoCode: "TENTEN", totalCount: 5, config: { limit: 2, limitPeriod: month } }) { id } }`;
    const { id } = dataOf(await acme.owner.run(create, { c: acme.id }))["createCoupon"];
    const coupon = () => gateway.db.coupon.findFirstOrThrow({ where: { companyId: acme.id, id } });
    const { config } = await coupon();
    const limit = await entryOf(patch(`/coupons/${id}`, { config: { limit: 3 } }));
    dataOf(await undo(limit));
    expect((await coupon()).config).toEqual(config);

    const adminId = await createAdminRow(gateway, acme.id, { displayName: "Admin" });
    const admin = () => gateway.db.admin.findFirstOrThrow({ where: { companyId: acme.id, id: adminId } });
    const { name, displayName } = await admin();
    const named = await entryOf(patch(`/admins/${adminId}`, { name: "Somebody else" }));
    dataOf(await undo(named));
    expect(await admin()).toMatchObject({ name, displayName: name });
    expect(displayName).toBeDefined();
    await gateway.db.admin.updateMany({
      where: { companyId: acme.id, id: adminId },
      data: { displayName: "Ad" },
    });
    const corrected = await entryOf(patch(`/admins/${adminId}`, { name: "Corrected" }));
    dataOf(await undo(corrected));
    expect(await admin()).toMatchObject({ name, displayName: "Ad" });
  });

  it("compares decimals by their values", async () => {
    const { id: branchId } = await createBranch(gateway, acme.id);
    const where = { companyId: acme.id, goodId, branchId };
    const { id } = await gateway.db.branchGood.create({ data: { ...where, priceE2: 5n, stock: "1.5" } });
    const update = `mutation ($c: Int!, $id: Int!) { updateBranchGood(companyId: $c, id: $id, input: { stock: 2 }) { id } }`;
    const stock = await entryOf(acme.owner.run(update, { c: acme.id, id }));
    const fee = await entryOf(change({ provider_fee_prc: 0.0301 }));
    expect((await good()).providerFeePrc.toNumber()).toBe(0.0301);

    dataOf(await undo(stock));
    dataOf(await undo(fee));

    expect((await gateway.db.branchGood.findFirstOrThrow({ where })).stock?.toNumber()).toBe(1.5);
    expect((await good()).providerFeePrc.toNumber()).toBe(0);
  });

  it("sends what the mutation asks for besides as it is by now", async () => {
    const { id } = await gateway.db.property.create({
      data: { companyId: acme.id, name: "Size", type: 0x100 },
    });
    const property = () => gateway.db.property.findFirstOrThrow({ where: { companyId: acme.id, id } });
    const disabled = await entryOf(patch(`/properties/${id}`, { name: "Size", disabled: true }));
    await patch(`/properties/${id}`, { name: "Sizes" });

    dataOf(await undo(disabled));

    expect(await property()).toMatchObject({ name: "Sizes", disabled: false });
    expect(errorCodes(await undo(disabled))).toEqual(["CONFLICT"]);
    expect(await property()).toMatchObject({ name: "Sizes", disabled: false });
  });

  it("takes away an object that was not there before, and leaves alone its keys that have not changed", async () => {
    const unitConfig = {
      ...{ enabled: true, unit_name: "kg", fraction: 1, min_quantity: 1, step_quantity: 1, max_quantity: 5 },
      ...{ display_mode: "decimal", weight_per_unit: 7 },
    };
    const first = await entryOf(change({ unit_config: unitConfig }));
    const second = await entryOf(change({ unit_config: { ...unitConfig, enabled: false } }));

    dataOf(await undo(second));
    expect((await good()).unitConfig).toMatchObject({ enabled: true, weightPerUnit: 7 });
    dataOf(await undo(first));
    expect((await good()).unitConfig).toBeNull();
  });

  it("takes back settings, and leaves alone those that have changed beside them since", async () => {
    const settings = (body: object) => patch("/settings", body);
    const stored = async () =>
      (await gateway.db.companySettings.findFirst({ where: { companyId: acme.id } }))?.data;
    await settings({
      slogan: "Fresh",
      pay_in_store: false,
      min_nearby_branches_count: 2,
      max_nearby_branches_count: 5,
      search_languages: ["es"],
    });
    const entryId = await entryOf(
      settings({
        slogan: null,
        max_nearby_branches_count: 9,
        pay_in_store: true,
        search_languages: ["de", "en"],
      }),
    );
    const order = await entryOf(settings({ min_nearby_branches_count: 1 }));
    const before = (await stored()) as object;

    const { operation, targetType, changes } = dataOf(await undo(entryId))["undoChange"];

    expect({ operation, targetType, changes }).toEqual({
      operation: "undoChange",
      targetType: "company_settings",
      changes: [
        { field: "maxNearbyBranchesCount", before: 9, after: 5 },
        { field: "payInStore", before: true, after: false },
        { field: "searchLanguages", before: ["de", "en"], after: ["es"] },
        { field: "slogan", before: null, after: "Fresh" },
      ],
    });
    expect(await stored()).toEqual({
      ...before,
      payInStore: false,
      slogan: "Fresh",
      maxNearbyBranchesCount: 5,
      searchLanguages: ["es"],
    });
    expect(errorCodes(await undo(entryId))).toEqual(["CONFLICT"]);
    // The minimum that was before is above the maximum that is now.
    await settings({ max_nearby_branches_count: 1 });
    const reader = await adminWith(gateway, acme.id, "access_audit_entries");
    const [after, count] = [await stored(), await entries()];
    expect(errorCodes(await undo(order))).toEqual(["VALIDATION_FAILED"]);
    expect(errorCodes(await undo(order, reader))).toEqual(["FORBIDDEN"]);
    expect([await stored(), await entries()]).toEqual([after, count]);
  });

  it.each([
    [
      { pay_in_store: true, slogan: "hi" },
      { pay_in_store: false, slogan: null },
    ],
    [{ currency_iso: "EUR" }, { currency_iso: "USD" }],
    [{ is_marketplace: true }, { is_marketplace: false }],
  ])("takes back %j, which nothing was before, and can be undone itself", async (body, unset) => {
    const path = `/companies/${acme.id}`;
    const shown = async () => (await acme.owner.rest("GET", `${path}/settings`)).body;
    const entryId = await entryOf(patch("/settings", body));

    const undone = await acme.owner.rest("POST", `${path}/audit-entries/${entryId}/undo`);

    expect([undone.status, undone.body.operation]).toEqual([200, "undoChange"]);
    expect(await shown()).toMatchObject(unset);
    expect(errorCodes(await undo(entryId))).toEqual(["CONFLICT"]);
    dataOf(await undo(undone.body.id));
    expect(await shown()).toMatchObject(body);
  });

  it("is refused where a field has moved on, and changes nothing", async () => {
    const entryId = await entryOf(change({ price_e2: 1500, details: "Of maize" }));
    await change({ price_e2: 1600 });
    const [before, count] = [await good(), await entries()];

    const refused = await undo(entryId);
    const { status, body } = await acme.owner.rest(
      "POST",
      `/companies/${acme.id}/audit-entries/${entryId}/undo`,
    );

    expect(errorCodes(refused)).toEqual(["CONFLICT"]);
    expect([status, body.code]).toEqual([409, "CONFLICT"]);
    expect([await good(), await entries()]).toEqual([before, count]);
  });

  it("is refused for what is no plain update", async () => {
    const create = 'mutation ($c: Int!) { createGoodTag(companyId: $c, input: { name: "New" }) { id } }';
    const created = await entryOf(acme.owner.run(create, { c: acme.id }));
    const long = await entryOf(change({ details: "x".repeat(20_000) }));
    const deleted = await entryOf(acme.owner.rest("DELETE", `/companies/${acme.id}/goods/${goodId}`));
    const adminId = await createAdminRow(gateway, acme.id);
    const suspend = "mutation ($c: Int!, $id: Int!) { suspendAdmin(companyId: $c, adminId: $id) { id } }";
    const state = await entryOf(acme.owner.run(suspend, { c: acme.id, id: adminId }));
    const [before, count] = [await good(), await entries()];

    for (const entryId of [created, long, deleted, state])
      expect(errorCodes(await undo(entryId))).toEqual(["INVALID_STATE"]);
    expect([await good(), await entries()]).toEqual([before, count]);
  });

  it("is refused where parts were replaced along with the row, and done where they were not", async () => {
    const of = `companyId: ${acme.id}`;
    const items = (quantity: number) =>
      `items: [{ goodId: ${goodId}, quantity: ${quantity}, totalPriceE2: ${quantity * 100} }]`;
    const created = await acme.owner.run(
      `mutation { createOrder(${of}, input: { subtotalE2: 200, totalE2: 200, ${items(2)} }) { id } }`,
    );
    const { id } = dataOf(created)["createOrder"];
    const update = (input: string) =>
      acme.owner.run(`mutation { updateOrder(${of}, id: ${id}, input: { ${input} }) { id } }`);
    const order = async () =>
      dataOf(
        await acme.owner.run(`{ order(${of}, id: ${id}) { version subtotalE2 totalE2 items { quantity } } }`),
      );
    const ofOrder = async () => {
      const filter = { companyId: acme.id, targetType: "order", action: "update" };
      return gateway.db.auditEntry.findFirstOrThrow({ where: filter, orderBy: { id: "desc" } });
    };
    dataOf(await update(`subtotalE2: 400, totalE2: 400, ${items(4)}`));
    const [half, before, count] = [await ofOrder(), await order(), await entries()];

    expect(errorCodes(await undo(Number(half.id)))).toEqual(["INVALID_STATE"]);

    expect([await order(), await entries()]).toEqual([before, count]);
    dataOf(await update("subtotalE2: 500"));
    dataOf(await undo(Number((await ofOrder()).id)));
    expect((await order())["order"]).toMatchObject({ subtotalE2: 400, items: [{ quantity: 4 }] });
  });

  it("prices a row of a cart anew by what its good costs by now", async () => {
    const of = `companyId: ${acme.id}`;
    const { id: branchId } = await createBranch(gateway, acme.id);
    const { id: cartId } = await gateway.db.cart.create({ data: { companyId: acme.id, branchId } });
    const made = await acme.owner.run(
      `mutation { createCartItem(${of}, cartId: ${cartId}, input: { goodId: ${goodId}, quantity: 2 }) { id } }`,
    );
    const { id } = dataOf(made)["createCartItem"];
    const entryId = await entryOf(
      acme.owner.run(`mutation { updateCartItem(${of}, id: ${id}, input: { quantity: 5 }) { id } }`),
    );
    await change({ price_e2: 2000 });

    dataOf(await undo(entryId));

    const { quantity, snapshot } = await gateway.db.cartItem.findFirstOrThrow({
      where: { companyId: acme.id },
    });
    expect([quantity, snapshot]).toMatchObject([2, { quantity: 2, originalTotalE2: 4000 }]);
  });

  it("is judged as the update is: rights, rules, and rows that are gone", async () => {
    const sku = unique();
    await change({ sku });
    const entryId = await entryOf(change({ sku: unique() }));
    const reader = await adminWith(gateway, acme.id, "access_audit_entries");
    const editor = await adminWith(gateway, acme.id, "can_edit_goods");
    const globex = await createCompany(gateway);
    const other = await createGood(gateway, acme.id, { sku });
    const [before, count] = [await good(), await entries()];

    const refused = [
      await undo(entryId, reader),
      await undo(entryId, editor),
      await undo(entryId, globex.owner),
      await globex.owner.run(UNDO, { c: globex.id, entryId }),
      await undo(entryId),
    ];

    expect(refused.map(errorCodes)).toEqual([
      ["FORBIDDEN"],
      ["FORBIDDEN"],
      ["FORBIDDEN"],
      ["NOT_FOUND"],
      ["VALIDATION_FAILED"],
    ]);
    expect([await good(), await entries()]).toEqual([before, count]);
    await acme.owner.rest("DELETE", `/companies/${acme.id}/goods/${other.id}`);
    await acme.owner.rest("DELETE", `/companies/${acme.id}/goods/${goodId}`);
    expect(errorCodes(await undo(entryId))).toEqual(["NOT_FOUND"]);
  });
});
