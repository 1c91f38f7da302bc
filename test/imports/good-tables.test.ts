import fc from "fast-check";
import { GOOD_COLUMNS } from "../../src/slices/goods/good-columns.js";
import { sendForm } from "../files/uploads.js";
import { adminWith, createBranchGroup, createCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { rowsOfBytes, temporaryFolder } from "../sheets/sheet-files.js";
import { goodsOf, openShop, readImport, type Shop } from "./imports.js";

const KINDS = ["csv", "xlsx"] as const;
type Kind = (typeof KINDS)[number];

const folder = temporaryFolder();
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
afterAll(() => gateway.close());

/** Texts that programs and formats like to take for something else. */
const HOSTILE = [
  ...["=1+1", "+49 30 123", "-5", "@SUM(A1)", "＝1", "'", "''", "'a", "'=1", "''=1", "'-", "=,-", "-0"],
  ...["00123", "123456789012345678", "0.10", "1e5", "1.234,50", "2024-01-31", "1/2", "TRUE", "null", "NaN"],
  ...['"quoted"', 'a"b', ",", ";", "|", "a, b; c | d", '["a"]', "[a", "{}", "\\n", "sep=;", "#N/A", "#REF!"],
  ...["\\N", "'\\N", "''\\N", "\\NN", "\\n"],
  ...["<b>&amp;</b>", "_x000D_", "a_x005F_b", "\ufffex", "Ünïcödé ß", "🍵🍵", "日本語", "e\u0301\u0323"],
].map((text) => text.normalize("NFC"));

const UNIT_CONFIG = {
  enabled: true,
  unit_name: "=kg",
  fraction: 10,
  min_quantity: 1,
  step_quantity: 2,
  max_quantity: 30,
  display_mode: "fraction",
};

describe.each(KINDS)("goods exported as %s", (kind) => {
  it("are the same when they are imported again, whatever their texts", async () => {
    const shop = await openShop(gateway);
    const bodies = HOSTILE.map((text, i) => ({
      ...good(`${text}`.slice(0, 70), i),
      sku: `${text.slice(0, 12)}${i}`,
      short_details: text,
      details: `${text}\r\n\t${text}\n\n${text}`,
      unit: text.slice(0, 16),
      eta: text,
      weight: text.slice(0, 16),
      label: text,
      keywords: [text, ...HOSTILE.slice(i, i + (i % 3))],
      barcodes: i % 4 === 0 ? [] : ["004006381333931", text.slice(0, 32)].slice(i % 2),
    }));
    await create(shop, bodies);

    await expectSameAgain(shop, kind);
    await expectSameElsewhere(shop, kind);
  });

  it("are the same when they are imported again, whatever their values", async () => {
    const shop = await openShop(gateway);
    const names = ["Tea", "Tea / hot", "5"];
    const categories = await Promise.all(
      names.map((name) => gateway.db.category.create({ data: { companyId: shop.company.id, name } })),
    );
    await create(shop, [
      { ...good("x".repeat(80), 0), price_e2: 0, notes_enabled: true, max_quantity: 3 },
      { ...good("No sku", 1), limit_type: "per_hours:12", eta_config_id: 7, unit_config: UNIT_CONFIG },
      { ...good("B", 2), sku: "B", price_e2: 9_007_199_254_740_991, type: 0x325 },
      { ...good("C", 3), sku: "C", unit_config: { ...UNIT_CONFIG, weight_per_unit: null } },
      { ...good("D", 4), sku: "D", unit_config: { ...UNIT_CONFIG, weight_per_unit: 5 } },
    ]);
    const { owner, id: companyId } = shop.company;
    const goods = await goodsOf(shop);
    const [first, second] = ["x".repeat(80), "No sku"].map((name) => goods.find((row) => row.name === name));
    const fees = { provider_fee_e2: 1250, provider_fee_prc: 0.0375 };
    const changed = await owner.rest("PATCH", `/companies/${companyId}/goods/${first?.id}`, { body: fees });
    expect(changed.status).toBe(200);
    await gateway.db.goodCategory.createMany({
      data: [
        ...categories.map(({ id }) => ({ companyId, goodId: first?.id as number, categoryId: id })),
        { companyId, goodId: second?.id as number, categoryId: categories[1]?.id as number },
      ],
    });

    await expectSameAgain(shop, kind);
    await expectSameElsewhere(shop, kind);
  });

  it("are the same when they are imported again, however long their texts", async () => {
    const shop = await openShop(gateway);
    const details = "Tea. ".repeat(8_000).trim();
    await create(shop, [
      { ...good("Long", 0), sku: "L", details },
      { ...good("Short", 1), sku: "S" },
    ]);

    await expectSameAgain(shop, kind);

    const bytes = await exported(shop, `${shopGoods(shop)}?sort=name`, kind);
    const [header, ...rows] = await rowsOfBytes(folder, bytes, kind);
    const at = header?.cells.indexOf("details") ?? -1;
    expect(rows.map(({ cells }) => cells[at])).toEqual([kind === "csv" ? details : null, "d1"]);
  });

  it("are the same at their branch", async () => {
    const shop = await openShop(gateway);
    const { id: companyId, owner } = shop.company;
    const path = `/companies/${companyId}/branches/${shop.branchId}`;
    for (const [i, name] of ["A", "B", "C"].entries()) await created(shop, `${path}/goods`, good(name, i));
    await create(shop, [good("Not sold there", 3)]);
    const { id: otherShop } = await createBranchGroup(gateway, companyId);
    const foreign = await gateway.db.good.create({
      data: {
        ...{ companyId, branchGroupId: otherShop, name: "Foreign", shortDetails: "s", details: "d" },
        ...{ priceE2: 1, type: 0 },
      },
    });
    const sold = await gateway.db.branchGood.findMany({ where: { companyId }, orderBy: { id: "asc" } });
    await gateway.db.branchGood.create({
      data: { companyId, branchId: shop.branchId, goodId: foreign.id },
    });
    const values = [
      { priceE2: 250, stock: "12345678901.125", disabled: true },
      { priceE2: 0, stock: "0" },
    ];
    for (const [i, data] of values.entries()) {
      const id = sold[i]?.id as number;
      await gateway.db.branchGood.update({ where: { companyId_id: { companyId, id } }, data });
    }
    const atBranch = () => gateway.db.branchGood.findMany({ where: { companyId }, orderBy: { id: "asc" } });
    const before = [await goodsOf(shop), await atBranch()];

    const bytes = await exported(shop, `${path}/goods`, kind);
    const job = await imported(shop, `${path}/goods/import`, bytes, kind);

    expect(job).toMatchObject({ imported: 0, updated: 3, unchanged: 3, failed: 0, ignored_columns: [] });
    expect([await goodsOf(shop), await atBranch()]).toEqual(before);
    const [header, ...rows] = await rowsOfBytes(folder, bytes, kind);
    expect(header?.cells).toEqual(columnNames(true));
    expect(rows.map(({ cells }) => [cells[3], ...cells.slice(-4)])).toEqual([
      ["C", null, null, null, "false"],
      ["B", "0", "0.00", "0", "false"],
      ["A", "250", "2.50", "12345678901.125", "true"],
    ]);
    expect((await owner.rest("GET", `${path}/goods`)).body).toHaveLength(5);
  });

  it("are the same when they are imported again: any goods", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyGood, { minLength: 6, maxLength: 12 }), async (bodies) => {
        const shop = await openShop(gateway);
        await create(
          shop,
          bodies.map((body, i) => ({
            ...body,
            name: `${body.name}${i}`,
            sku: body.sku === null ? null : `${body.sku}${i}`,
          })),
        );
        await expectSameAgain(shop, kind);
        await expectSameElsewhere(shop, kind);
      }),
      { numRuns: 4, seed: 20_261_122, endOnFailure: true },
    );
  });

  it("have the moment of their deletion, and are left alone by an import", async () => {
    const shop = await openShop(gateway);
    const { id: companyId } = shop.company;
    await create(shop, [
      { ...good("Sold", 0), sku: "S" },
      { ...good("Gone", 1), sku: "G" },
      { ...good("Old", 2), sku: "S2" },
    ]);
    const ids = new Map((await goodsOf(shop)).map(({ name, id }) => [name, id]));
    for (const name of ["Gone", "Old"])
      await shop.company.owner.rest("DELETE", `/companies/${companyId}/goods/${ids.get(name)}`);
    // A good that came in the place of a deleted one has its sku.
    await create(shop, [{ ...good("New", 3), sku: "S2" }]);
    const all = () => gateway.db.good.findMany({ where: { companyId }, orderBy: { id: "asc" } });
    const before = await all();

    const bytes = await exported(shop, `${shopGoods(shop)}?with_deleted=true&sort=name`, kind);
    const job = await imported(shop, `${shopGoods(shop)}/import`, bytes, kind);

    const [header, ...rows] = await rowsOfBytes(folder, bytes, kind);
    const at = header?.cells.indexOf("deleted_at") ?? -1;
    expect(rows.map(({ cells }) => [cells[3], typeof (cells[at] ?? null)])).toEqual([
      ["Gone", "string"],
      ["New", "object"],
      ["Old", "string"],
      ["Sold", "object"],
    ]);
    expect(job).toMatchObject({
      total_rows: 4,
      imported: 0,
      updated: 4,
      unchanged: 4,
      failed: 0,
      errors: [],
    });
    expect(await all()).toEqual(before);
  });

  it("have the columns that `fields` names, and no other name is taken", async () => {
    const shop = await openShop(gateway);
    await create(shop, [{ ...good("Tea", 0), sku: "T" }]);

    const bytes = await exported(shop, `${shopGoods(shop)}?fields=price_e2,name`, kind);

    expect((await rowsOfBytes(folder, bytes, kind)).map(({ cells }) => cells)).toEqual([
      ["price_e2", "name"],
      ["100", "Tea"],
    ]);
    const url = `/api${shopGoods(shop)}?format=${kind}&fields=name,nmae`;
    const headers = { authorization: `Bearer ${shop.company.owner.token}` };
    const refused = await gateway.app.inject({ method: "GET", url, headers });
    expect(refused.statusCode).toBe(400);
    expect(refused.json<{ errors: unknown }>().errors).toMatchObject([{ field: "fields", rule: "unknown" }]);
  });

  it("are those that the filter leaves, in the order that is asked for", async () => {
    const shop = await openShop(gateway);
    await create(
      shop,
      ["A", "B", "C"].map((name, i) => good(name, i)),
    );
    const query = "?filter[name][ne]=B&sort=-name";
    for (const path of [shopGoods(shop), `/companies/${shop.company.id}/goods`]) {
      const bytes = await exported(shop, `${path}${query}`, kind);

      const rows = await rowsOfBytes(folder, bytes, kind);
      expect(rows.map(({ cells }) => cells[3])).toEqual(["name", "C", "A"]);
      expect(rows[0]?.cells).toEqual(columnNames(false));
    }
  });
});

it("shows goods to whoever may list them", async () => {
  const shop = await openShop(gateway);
  const stranger = await createCompany(gateway);
  const other = await adminWith(gateway, shop.company.id, "access_coupons");
  const company = `/companies/${shop.company.id}/goods`;
  const branch = `/companies/${shop.company.id}/branches/${shop.branchId}/goods`;

  const statuses = await Promise.all(
    [gateway.anonymous, stranger.owner, other].flatMap((client) =>
      [company, shopGoods(shop), branch].map(async (path) => {
        const headers = !client.token ? {} : { authorization: `Bearer ${client.token}` };
        const url = `/api${path}?format=csv`;
        return (await gateway.app.inject({ method: "GET", url, headers })).statusCode;
      }),
    ),
  );

  expect(statuses).toEqual([200, 401, 401, 200, 403, 403, 200, 403, 403]);
});

const character = fc.constantFrom(
  ...[
    "a",
    "Z",
    "0",
    "1",
    " ",
    ".",
    ",",
    ";",
    "|",
    "=",
    "+",
    "-",
    "@",
    "'",
    '"',
    "\\",
    "/",
    "[",
    "]",
    "{",
    "}",
  ],
  ...["<", ">", "&", "#", "_", "_x000A_", "ä", "\u0301", "\u0338", "ﬁ", "🍵", "\u2028", "\uffff", "\u00a0"],
);
const text = (max: number, extra: readonly string[] = []) =>
  fc
    .string({ unit: fc.oneof(character, fc.constantFrom("a", ...extra)), minLength: 1, maxLength: max })
    .map((raw) =>
      raw
        .normalize("NFC")
        .replaceAll("\u2028", extra.length > 0 ? "\u2028" : "")
        .trim(),
    )
    .filter((trimmed) => trimmed !== "" && [...trimmed].length <= max && trimmed.length <= max);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

const anyGood = fc.record({
  name: text(70),
  sku: orNull(text(12)),
  short_details: text(64),
  details: text(200, ["\n", "\r\n", "\t", "\u2028"]),
  price_e2: fc.nat({ max: 10_000_000 }),
  type: fc.nat({ max: 0xffff }),
  unit: fc.oneof(fc.constant(""), text(16)),
  eta: orNull(text(32)),
  weight: orNull(text(16)),
  label: orNull(text(32)),
  max_quantity: orNull(fc.nat({ max: 1_000 })),
  notes_enabled: fc.boolean(),
  keywords: fc.array(text(20), { maxLength: 4 }),
  barcodes: fc.array(text(20), { maxLength: 3 }),
});

function good(name: string, i: number) {
  return { name, short_details: `s${i}`, details: `d${i}`, price_e2: 100 + i, type: 0 };
}

/** The columns of the import that an export has. */
function columnNames(ofBranch: boolean): string[] {
  return GOOD_COLUMNS.filter(({ isCanonical, of }) => isCanonical && (ofBranch || of !== "branchGood")).map(
    ({ name }) => name,
  );
}

const shopGoods = ({ company, shopId }: Shop): string =>
  `/companies/${company.id}/branch-groups/${shopId}/goods`;

async function created({ company }: Shop, path: string, body: object): Promise<void> {
  const answer = await company.owner.rest("POST", path, { body });
  expect([answer.status, answer.body.errors]).toEqual([201, undefined]);
}

async function create(shop: Shop, bodies: readonly object[]): Promise<void> {
  await Promise.all(bodies.map((body) => created(shop, shopGoods(shop), body)));
}

async function exported({ company }: Shop, path: string, kind: Kind): Promise<Buffer> {
  const url = `/api${path}${path.includes("?") ? "&" : "?"}format=${kind}`;
  const headers = { authorization: `Bearer ${company.owner.token}` };
  const response = await gateway.app.inject({ method: "GET", url, headers });
  expect(response.statusCode).toBe(200);
  return response.rawPayload;
}

async function imported(shop: Shop, path: string, bytes: Buffer, kind: Kind) {
  const file = { bytes, name: `goods.${kind}` };
  const { status, body } = await sendForm(gateway, shop.company.owner, path, { file });
  expect(status).toBe(202);
  await gateway.runJobs();
  return readImport(shop, body.id as number);
}

async function expectSameAgain(shop: Shop, kind: Kind): Promise<void> {
  const ofGoods = { companyId: shop.company.id, targetType: "good", action: { not: "export" } };
  const entries = () => gateway.db.auditEntry.count({ where: ofGoods });
  const before = [await goodsOf(shop), await entries()] as const;
  const count = before[0].length;

  const bytes = await exported(shop, shopGoods(shop), kind);
  const job = await imported(shop, `${shopGoods(shop)}/import`, bytes, kind);

  const {
    imported: made,
    updated,
    unchanged,
    errors,
    ignored_columns: ignored,
    unknown_categories: lost,
  } = job;
  expect({ made, updated, unchanged, errors, ignored, lost }).toEqual({
    ...{ made: 0, updated: count, unchanged: count, errors: [], ignored: [], lost: [] },
  });
  expect([await goodsOf(shop), await entries()]).toEqual(before);
}

async function expectSameElsewhere(shop: Shop, kind: Kind): Promise<void> {
  const { id: shopId } = await createBranchGroup(gateway, shop.company.id);
  const there = { ...shop, shopId };
  const bytes = await exported(shop, `${shopGoods(shop)}?sort=id`, kind);

  const job = await imported(shop, `${shopGoods(there)}/import`, bytes, kind);

  expect([job.errors, job.failed]).toEqual([[], 0]);
  expect(await contentOf(there)).toEqual(await contentOf(shop));
}

/** The goods of a shop without what sets one apart from its copy. */
async function contentOf(shop: Shop) {
  const { id: companyId } = shop.company;
  const links = await gateway.db.goodCategory.findMany({
    where: { companyId },
    orderBy: { categoryId: "asc" },
  });
  return (await goodsOf(shop)).map(
    ({
      id,
      branchGroupId: _shop,
      createdAt: _created,
      updatedAt: _updated,
      version: _version,
      sharesSecond: _shares,
      unitConfig,
      ...values
    }) => ({
      ...values,
      unitConfig: unitConfig === null ? null : { weightPerUnit: null, ...(unitConfig as object) },
      categories: links.flatMap(({ goodId, categoryId }) => (goodId === id ? [categoryId] : [])),
    }),
  );
}
