import { randomUUID } from "node:crypto";
import { createAccount, login, PASSWORD } from "../auth/accounts.js";
import { createCouponRow } from "../support/coupons.js";
import {
  adminWith,
  createCompany,
  createGood,
  createProperty,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";

interface Entry {
  operation: string;
  requestId: string;
  actorKind: string | null;
  adminId: number | null;
  clientId: number | null;
  action: string;
  targetType: string;
  targetId: number | null;
  targetKey: Record<string, unknown> | null;
  changes: { field: string; before: unknown; after: unknown }[];
}

const ENTRIES = `query ($companyId: Int!, $filter: AuditEntryFilterInput) {
  auditEntries(companyId: $companyId, filter: $filter, orderBy: [{ field: ID }]) {
    nodes {
      operation requestId actorKind adminId clientId action targetType targetId targetKey
      changes { field before after }
    }
  }
}`;
const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateGoodInput!) {
  updateGood(companyId: $companyId, id: $id, input: $input) { id }
}`;

let gateway: Gateway;
let acme: TestCompany;
let good: { id: number };
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  acme = await createCompany(gateway);
  good = await createGood(gateway, acme.id, { name: "Arepa", priceE2: 1234n });
});
afterAll(() => gateway.close());

async function entriesOf(
  companyId = acme.id,
  filter: Record<string, unknown> | null = null,
): Promise<Entry[]> {
  return dataOf(await gateway.platform.run(ENTRIES, { companyId, filter }))["auditEntries"].nodes;
}

const update = (by: Client, input: Record<string, unknown>, headers?: Record<string, string>) =>
  by.run(UPDATE, { companyId: acme.id, id: good.id, input }, headers);

describe("the audit trail", () => {
  it("shows who changed which fields of which row, by which operation and request, on both faces", async () => {
    await update(acme.owner, { priceE2: 1500, details: "Of maize" });
    const answer = await acme.owner.rest("PATCH", `/companies/${acme.id}/goods/${good.id}`, {
      body: { name: "Arepa de queso" },
    });

    const [first, second] = await entriesOf();
    const by = { actorKind: "admin", adminId: acme.ownerId, clientId: null };
    const which = {
      operation: "updateGood",
      action: "update",
      targetType: "good",
      targetId: good.id,
      targetKey: null,
    };
    expect(first).toMatchObject({
      ...by,
      ...which,
      changes: [
        { field: "details", before: "Long", after: "Of maize" },
        { field: "priceE2", before: 1234, after: 1500 },
      ],
    });
    expect(second).toMatchObject({
      ...by,
      ...which,
      requestId: answer.headers["x-request-id"],
      changes: [{ field: "name", before: "Arepa", after: "Arepa de queso" }],
    });
  });

  it("shows a name that looks like a moment to the letter", async () => {
    const names = ["2026-11-30T10:00:00+25:00", "2026-13-30T10:00:00+01:00", "2026-11-30T10:00:00+02:00"];
    for (const name of names) await update(acme.owner, { name });

    const table = await acme.owner.rest("GET", `/companies/${acme.id}/audit-entries?format=csv`);

    const entries = await entriesOf(acme.id, { targetType: { eq: "good" } });
    const shown = entries.map(({ changes: [change] }) => [change?.before, change?.after]);
    expect(shown).toEqual(names.map((name, index) => [names[index - 1] ?? "Arepa", name]));
    expect(table.status).toBe(200);
  });

  it("has nothing of what was refused, undone, or changed nothing", async () => {
    const wrong = await update(acme.owner, { priceE2: -1 });
    const stale = await acme.owner.rest("PATCH", `/companies/${acme.id}/goods/${good.id}`, {
      body: { name: "Other" },
      headers: { "if-match": '"other"' },
    });
    const same = await update(acme.owner, { name: "Arepa" });

    expect([errorCodes(wrong), stale.status, errorCodes(same)]).toEqual([["VALIDATION_FAILED"], 412, []]);
    expect(await entriesOf()).toEqual([]);
  });

  it("shows creations, deletions and restorations, and links by the rows that they join", async () => {
    const text = `mutation ($c: Int!, $g: Int!) {
      tag: createGoodTag(companyId: $c, input: { name: "New" }) { id }
      deleteGood(companyId: $c, id: $g) { id }
      restoreGood(companyId: $c, id: $g) { id }
    }`;
    const { tag } = dataOf(await acme.owner.run(text, { c: acme.id, g: good.id }));
    await acme.owner.rest("PUT", `/companies/${acme.id}/good-tags/${tag.id}/goods`, { body: [good.id] });

    const entries = await entriesOf();
    expect(entries.map(({ operation, action, targetType }) => [operation, action, targetType])).toEqual([
      ["createGoodTag", "create", "good_tag"],
      ["deleteGood", "delete", "good"],
      ["restoreGood", "restore", "good"],
      ["replaceGoodsOfTag", "create", "good_tag_good"],
    ]);
    expect(entries[1]?.changes[0]).toMatchObject({
      field: "deletedAt",
      before: null,
      after: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/u),
    });
    expect(entries[3]).toMatchObject({ targetId: null, targetKey: { goodTagId: tag.id, goodId: good.id } });
  });

  it("names the keys of an object that differ", async () => {
    const create = `mutation ($c: Int!) {
      createCoupon(companyId: $c, input: { name: "Ten", type: batch, promoCode: "TENTEN", totalCount: 5, config: { limit: 2 } }) { id }
    }`;
    const { id } = dataOf(await acme.owner.run(create, { c: acme.id }))["createCoupon"];
    const change =
      "mutation ($c: Int!, $id: Int!) { updateCoupon(companyId: $c, id: $id, input: { config: { limit: 3 } }) { id } }";
    await acme.owner.run(change, { c: acme.id, id });

    const entries = await entriesOf(acme.id, { targetType: { eq: "coupon" } });
    expect(entries.at(-1)?.changes).toEqual([{ field: "config.limit", before: 2, after: 3 }]);
  });

  it("shows the beginning of a long value", async () => {
    const long = "ä".repeat(50_000);
    dataOf(await update(acme.owner, { details: long, keywords: [long.slice(0, 3), "b"] }));

    const [entry] = await entriesOf();
    expect(entry?.changes.map(({ field, after }) => [field, after])).toEqual([
      ["details", { cut: true, bytes: 100_002, start: "ä".repeat(10_000) }],
      ["keywords", ["äää", "b"]],
    ]);
  });

  it("has each row of a bulk operation that was done, and none that was refused", async () => {
    const text = "mutation ($c: Int!, $ids: [Int!]!) { deleteGoods(companyId: $c, ids: $ids) { ok } }";
    const other = await createGood(gateway, acme.id);
    await acme.owner.run(text, { c: acme.id, ids: [good.id, 2_000_000_000, other.id] });

    expect((await entriesOf()).map(({ operation, targetId }) => [operation, targetId])).toEqual([
      ["deleteGoods", good.id],
      ["deleteGoods", other.id],
    ]);
  });

  it("has a request with an Idempotency-Key once, and each of its operations under its own name", async () => {
    const property = await createProperty(gateway, acme.id);
    const text = `mutation ($c: Int!, $g: Int!, $p: Int!) {
      updateGood(companyId: $c, id: $g, input: { label: "Best" }) { id }
      checkCoupon(companyId: $c, input: { couponCode: "NOSUCH", subtotalE2: 1 }) { discountE2 }
    }`;
    const both = `mutation ($c: Int!, $g: Int!, $p: Int!) {
      updateGood(companyId: $c, id: $g, input: { label: "Best" }) { id }
      updateProperty(companyId: $c, id: $p, input: { name: "Size" }) { id }
    }`;
    const variables = { c: acme.id, g: good.id, p: property.id };
    const keyed = { "idempotency-key": randomUUID() };
    const undone = await acme.owner.run(text, variables, { "idempotency-key": randomUUID() });
    await acme.owner.run(both, variables, keyed);
    await acme.owner.run(both, variables, keyed);

    expect(errorCodes(undone)).not.toEqual([]);
    expect((await entriesOf()).map(({ operation, targetType }) => [operation, targetType])).toEqual([
      ["updateGood", "good"],
      ["updateProperty", "property"],
    ]);
  });

  it("never writes what an operation without entries does under the name of one before it", async () => {
    const text = `mutation ($c: Int!, $g: Int!, $o: Int!) {
      updateGood(companyId: $c, id: $g, input: { label: "Best" }) { id }
      consumeCoupon(companyId: $c, input: { code: "TENTEN", orderId: $o, subtotalE2: 1000 }) { id }
    }`;
    const client = await gateway.db.client.create({ data: { companyId: acme.id, name: "Ana" } });
    const order = await gateway.db.order.create({
      data: { companyId: acme.id, clientId: client.id, currencyIso: "USD" },
    });
    const coupon = await createCouponRow(gateway, acme.id, {
      type: "batch",
      status: "running",
      promoCode: "TENTEN",
    });
    await gateway.db.couponCode.create({ data: { companyId: acme.id, couponId: coupon.id, code: "TENTEN" } });
    const variables = { c: acme.id, g: good.id, o: order.id };
    const result = await acme.owner.run(text, variables, { "idempotency-key": randomUUID() });

    expect(errorCodes(result)).toEqual([]);
    expect((await entriesOf()).map(({ targetType }) => targetType)).toEqual(["good"]);
  });

  it("hides passwords and tokens, and shows nobody's first password", async () => {
    const create = `mutation ($c: Int!) {
      createAdmin(companyId: $c, input: { name: "Eva Luna", email: "eva@acme.example", phone: "+15550100" }) { id passwordSetupToken }
    }`;
    const { id, passwordSetupToken } = dataOf(await acme.owner.run(create, { c: acme.id }))["createAdmin"];
    const set = "mutation ($input: SetPasswordInput!) { setPassword(input: $input) { id } }";
    await gateway.anonymous.run(set, { input: { token: passwordSetupToken, password: "a secret of Eva" } });
    const rows = await gateway.db.auditEntry.findMany({ where: { companyId: acme.id } });
    const admin = await gateway.db.admin.findFirstOrThrow({ where: { companyId: acme.id, id } });

    const last = (await entriesOf(acme.id, { targetType: { eq: "admin" } })).at(-1);
    expect(last).toMatchObject({
      operation: "setPassword",
      actorKind: null,
      changes: [{ field: "password", before: null, after: "********" }],
    });
    const stored = JSON.stringify(rows, (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    for (const secret of [passwordSetupToken, admin.passwordHash, "a secret of Eva", "argon2"])
      expect(stored).not.toContain(secret);
  });

  it("shows what the platform does, in the company that it creates", async () => {
    const text = "mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { id } }";
    const domain = `audit-${process.pid}.example`;
    const input = {
      company: { name: "New", domain, email: "a@new.example", folderName: "new" },
      user: { name: "Ana Soto", email: "ana@new.example", phone: "+15550100123" },
    };
    const { id } = dataOf(await gateway.platform.run(text, { input }))["createCompany"];

    const entries = await entriesOf(id);
    expect(entries.map(({ actorKind, targetType, action }) => [actorKind, targetType, action])).toEqual([
      ["platform", "company", "create"],
      ["platform", "company_settings", "create"],
      ["platform", "admin", "create"],
      ["platform", "password_setup_token", "create"],
    ]);
  });

  it("is read by its own permission alone, in one's own company", async () => {
    await update(acme.owner, { priceE2: 1500 });
    const other = await createCompany(gateway);
    const others = await adminWith(gateway, acme.id, "access_goods", "can_edit_goods", "access_admins");
    const read = (by: Client) => by.run(ENTRIES, { companyId: acme.id });

    expect(errorCodes(await read(others))).toEqual(["FORBIDDEN"]);
    expect(errorCodes(await read(other.owner))).toEqual(["FORBIDDEN"]);
    expect(errorCodes(await read(gateway.anonymous))).toEqual(["UNAUTHENTICATED"]);
    expect(await entriesOf(other.id)).toEqual([]);
  });
});

it("shows the sessions that end with an admin", async () => {
  const eva = await createAccount(gateway, acme.id);
  await login(gateway, { email: eva.email, password: PASSWORD });
  await acme.owner.run("mutation ($c: Int!, $id: Int!) { deleteAdmin(companyId: $c, id: $id) { id } }", {
    c: acme.id,
    id: eva.id,
  });

  const entries = await entriesOf();
  expect(entries.map(({ operation, targetType, action }) => [operation, targetType, action])).toEqual([
    ["login", "refresh_token", "create"],
    ["login", "admin", "sign_in"],
    ["deleteAdmin", "admin", "delete"],
    ["deleteAdmin", "refresh_token", "update"],
    ["deleteAdmin", "admin", "session_end"],
  ]);
});

it("shows settings and files by the names and values that answers have", async () => {
  const path = `/companies/${acme.id}/settings`;
  await acme.owner.rest("PATCH", path, {
    body: { slogan: "Fresh", messenger_a_token: "marked-secret", acme_settings: ["marked-secret"] },
  });

  const [entry] = await entriesOf(acme.id, { targetType: { eq: "company_settings" } });
  expect(entry?.changes).toEqual([
    { field: "bankSettings.acme_settings", before: null, after: "********" },
    { field: "messengerAToken", before: null, after: "********" },
    { field: "slogan", before: null, after: "Fresh" },
  ]);
});

it("is filtered by operation, request and actor", async () => {
  await update(acme.owner, { priceE2: 1500 });
  const { headers } = await acme.owner.rest("PATCH", `/companies/${acme.id}/goods/${good.id}`, {
    body: { name: "Other" },
  });
  const count = async (filter: Record<string, unknown>) => (await entriesOf(acme.id, filter)).length;

  expect(await count({ operation: { eq: "updateGood" } })).toBe(2);
  expect(await count({ operation: { eq: "UPDATEGOOD" } })).toBe(0);
  expect(await count({ requestId: { eq: headers["x-request-id"] } })).toBe(1);
  expect(await count({ clientId: { isNull: false } })).toBe(0);
});
