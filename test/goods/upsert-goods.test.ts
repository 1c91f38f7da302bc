import {
  adminWith,
  createBranch,
  createBranchGroup,
  createCompany,
  createGood,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, type Gateway, startGateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const path = (query: string) => `/companies/${company.id}/goods?${query}`;
const upsert = async (query: string, body: readonly object[]) =>
  company.owner.rest("PATCH", path(query), { body });
const goods = async () =>
  (
    await gateway.db.good.findMany({
      where: { companyId: company.id, deletedAt: null },
      orderBy: { id: "asc" },
    })
  ).map(({ sku, externalId, name, priceE2, branchGroupId }) => ({
    sku,
    externalId,
    name,
    priceE2: Number(priceE2),
    branchGroupId,
  }));

describe("goods of many rows", () => {
  it("are refused without rows, which are told a single time", async () => {
    const client = await gateway.db.client.create({ data: { companyId: company.id, name: "Ana" } });

    const rows = await company.owner.rest("PATCH", path("by=id"));
    const list = await company.owner.rest("PUT", `/companies/${company.id}/clients/${client.id}/admins`);

    for (const { status, body } of [rows, list])
      expect([status, body.errors]).toEqual([
        422,
        [{ field: "body", rule: "required", message: "is required" }],
      ]);
    expect(await goods()).toEqual([]);
  });

  it("are created and changed by their external ids, each with its own values", async () => {
    const known = await createGood(gateway, company.id, { externalId: "A", name: "Tea", priceE2: 100 });

    const { status, body } = await upsert("by=external_id&mode=each", [
      { external_id: "A", price_e2: 150 },
      { external_id: "B", name: "Mug", price_e2: 900, sku: "M" },
      { external_id: "C", name: "Pot" },
      { name: "None", price_e2: 1 },
      { external_id: "D", name: "x".repeat(81), price_e2: -1 },
      { external_id: "A", provider_fee_e2: -1 },
    ]);

    expect(status).toBe(200);
    expect(body).toMatchObject([
      {
        index: 0,
        id: known.id,
        ok: true,
        created: false,
        error: null,
        good: { name: "Tea", price_e2: 150, version: 2 },
      },
      {
        index: 1,
        ok: true,
        created: true,
        error: null,
        good: { short_details: "Mug", details: "Mug", type: 0 },
      },
      {
        index: 2,
        id: null,
        ok: false,
        created: false,
        error: { code: "VALIDATION_FAILED", field: "price_e2" },
        good: null,
      },
      { index: 3, ok: false, error: { code: "VALIDATION_FAILED", field: "external_id" }, good: null },
      { index: 4, ok: false, error: { code: "VALIDATION_FAILED", field: "name" }, good: null },
      { index: 5, ok: false, error: { code: "VALIDATION_FAILED", field: "provider_fee_e2" }, good: null },
    ]);
    expect(body[1].id).toBe(body[1].good.id);
    expect(await goods()).toEqual([
      { sku: null, externalId: "A", name: "Tea", priceE2: 150, branchGroupId: null },
      { sku: "M", externalId: "B", name: "Mug", priceE2: 900, branchGroupId: null },
    ]);
  });

  it("are found by their sku in the shop of the row", async () => {
    const { id: shop } = await createBranchGroup(gateway, company.id);
    await createGood(gateway, company.id, { sku: "A", priceE2: 100 });

    const rows = [
      { sku: "A", branch_group_id: shop, name: "Of the shop", price_e2: 200 },
      { sku: "A", name: "Of the company" },
      { sku: "A", branch_group_id: 2_000_000_000, name: "Of no shop", price_e2: 1 },
    ];
    const first = await upsert("by=sku", rows);
    const again = await upsert("by=sku", rows);

    expect(first.body).toMatchObject([
      { ok: true, created: true },
      { ok: true, created: false },
      { ok: false, error: { field: "branch_group_id" } },
    ]);
    expect(again.body).toMatchObject([
      { ok: true, created: false, good: { version: 1 } },
      { ok: true, created: false, good: { version: 2 } },
      { ok: false },
    ]);
    expect(await goods()).toMatchObject([
      { name: "Of the company", branchGroupId: null },
      { name: "Of the shop", branchGroupId: shop },
    ]);
  });

  it("are changed by their ids, and none is created", async () => {
    const { id: shop } = await createBranchGroup(gateway, company.id);
    const good = await createGood(gateway, company.id, { sku: "A", name: "Tea" });

    const { body } = await upsert("by=id", [
      { id: good.id, sku: "B", compare_at_price_e2: 500 },
      { id: 2_000_000_000, name: "New", price_e2: 1 },
      { id: good.id, branch_group_id: shop, name: "Moved" },
    ]);

    expect(body).toMatchObject([
      { ok: true, created: false, good: { sku: "B", compare_at_price_e2: 500 } },
      { ok: false, error: { code: "NOT_FOUND" } },
      { ok: false, error: { code: "VALIDATION_FAILED", field: "branch_group_id" } },
    ]);
    expect(await goods()).toMatchObject([{ sku: "B", name: "Tea", branchGroupId: null }]);
  });

  it("are done all or none", async () => {
    const good = await createGood(gateway, company.id, { externalId: "A", name: "Tea", priceE2: 100 });
    const before = await goods();
    const rows = [
      { external_id: "A", price_e2: 150 },
      { external_id: "B", name: "Mug", price_e2: 900 },
      { external_id: "C", name: "Pot" },
    ];

    const none = await upsert("by=external_id&mode=all", rows);
    expect(none.body).toMatchObject([
      { index: 0, id: null, ok: false, created: false, error: { code: "CONFLICT" }, good: null },
      { index: 1, id: null, ok: false, created: false, error: { code: "CONFLICT" }, good: null },
      { index: 2, id: null, ok: false, created: false, error: { field: "price_e2" }, good: null },
    ]);
    expect(await goods()).toEqual(before);

    const all = await upsert("by=external_id&mode=all", rows.slice(0, 2));
    expect(all.body).toMatchObject([
      { id: good.id, ok: true },
      { ok: true, created: true },
    ]);
    expect(await goods()).toHaveLength(2);
  });

  it("are created once, however many want them at once", async () => {
    const rows = ["A", "B", "C"].map((key) => ({ external_id: key, sku: key, name: key, price_e2: 1 }));

    const answers = await Promise.all([
      upsert("by=external_id", rows),
      upsert("by=external_id", rows),
      upsert("by=sku", rows),
    ]);

    const results = answers.flatMap(({ body }) => body as { ok: boolean; created: boolean }[]);
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(results.filter(({ created }) => created)).toHaveLength(3);
    expect((await goods()).map(({ sku }) => sku).sort()).toEqual(["A", "B", "C"]);
  });

  it("are refused as a whole when too many, wrong throughout or not allowed", async () => {
    const row = { external_id: "A", name: "Tea", price_e2: 1 };
    const reader = await adminWith(gateway, company.id, "access_goods");

    const many = await upsert("by=external_id", Array<object>(201).fill(row));
    const wrong = await upsert("by=external_id", Array<object>(30).fill({ ...row, name: "" }));
    const mistyped = await upsert("by=external_id", [{ ...row, price_e2: "much" }]);
    const unknown = await upsert("by=name", [row]);
    const refused = await reader.rest("PATCH", path("by=external_id"), { body: [row] });

    expect([many.status, wrong.status, mistyped.status, unknown.status, refused.status]).toEqual([
      422, 422, 422, 422, 403,
    ]);
    expect(wrong.body.errors).toContainEqual(
      expect.objectContaining({ field: "[0].name", rule: "min_length" }),
    );
    expect(await goods()).toEqual([]);
  });
});

describe("goods of branches in many rows", () => {
  const UPSERT = `mutation ($companyId: Int!, $by: GoodKey!, $rows: [UpsertBranchGoodInput!]!, $mode: BulkMode) {
    upsertBranchGoods(companyId: $companyId, by: $by, rows: $rows, mode: $mode) {
      index id ok created error { code field } branchGood { goodId priceE2 stock disabled }
    }
  }`;
  const run = async (by: string, rows: readonly object[], mode?: string) =>
    dataOf(await company.owner.run(UPSERT, { companyId: company.id, by, rows, mode }))["upsertBranchGoods"];

  it("get their prices and stock, be they there or not", async () => {
    const { id: shop } = await createBranchGroup(gateway, company.id);
    const { id: other } = await createBranchGroup(gateway, company.id);
    const { id: branchId } = await createBranch(gateway, company.id, { branchGroupId: shop });
    const one = await createGood(gateway, company.id, { sku: "A", externalId: "X", branchGroupId: shop });
    const foreign = await createGood(gateway, company.id, { sku: "F", branchGroupId: other });

    const created = await run("sku", [
      { branchId, sku: "A", priceE2: 90, stock: 2.5 },
      { branchId, sku: "F", priceE2: 1 },
    ]);
    const changed = await run("external_id", [{ branchId, externalId: "X", stock: null }]);
    const byId = await run("id", [
      { branchId, goodId: one.id, disabled: true },
      { branchId, goodId: foreign.id, priceE2: 5 },
      { branchId, sku: "A", priceE2: 5 },
    ]);

    expect(created).toMatchObject([
      { index: 0, ok: true, created: true, branchGood: { goodId: one.id, priceE2: 90, stock: 2.5 } },
      { index: 1, ok: false, error: { code: "NOT_FOUND" }, branchGood: null },
    ]);
    expect(changed).toMatchObject([{ ok: true, created: false, branchGood: { priceE2: 90, stock: null } }]);
    expect(byId).toMatchObject([
      { ok: true, branchGood: { priceE2: 90, stock: null, disabled: true } },
      { ok: false, error: { code: "VALIDATION_FAILED", field: "goodId" } },
      { ok: false, error: { code: "VALIDATION_FAILED", field: "goodId" } },
    ]);
    expect(await gateway.db.branchGood.count({ where: { companyId: company.id } })).toBe(1);
    expect(await gateway.db.good.findFirst({ where: { companyId: company.id, id: one.id } })).toMatchObject({
      version: 4,
    });
  });

  it("are on sale once, however many put them there at once", async () => {
    const { id: branchId } = await createBranch(gateway, company.id, {});
    const good = await createGood(gateway, company.id, {});
    const rows = [{ branchId, goodId: good.id, priceE2: 5 }];

    const answers = await Promise.all([1, 2, 3].map(async () => run("id", rows)));

    expect(answers.flat().map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, true]);
    expect(answers.flat().filter(({ created }: { created: boolean }) => created)).toHaveLength(1);
  });
});
