import { Prisma } from "../../src/generated/prisma/client.js";
import { readerOf, type RowReader } from "../../src/engine/reads/row-reader.js";
import { companyDb } from "../../src/engine/tenancy/bounded-db.js";
import {
  delegateName,
  ownerField,
  TENANT_MODELS,
  type ModelName,
} from "../../src/core/scope/tenant-models.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { fillCompany } from "../support/fill-company.js";
import { startGateway, type Gateway } from "../support/gateway.js";

type Row = Record<string, unknown>;

let gateway: Gateway;
let company: TestCompany;
let reader: RowReader;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  company = await createCompany(gateway);
  await fillCompany(gateway.db, company.id, 3);
  reader = readerOf(gateway.database.writer) as RowReader;
});
afterAll(() => gateway.close());

/** Returns rows as Prisma reads them with a client that is not limited to a company. */
function fromPrisma(model: ModelName, query: object): Promise<Row[]> {
  const delegate = gateway.db[delegateName(model) as "good"] as unknown as {
    findMany(query: object): Promise<Row[]>;
  };
  return delegate.findMany(query);
}

async function fromReader(model: ModelName, query: object): Promise<Row[]> {
  const rows = await reader.read(model, query as Row);
  if (rows === null) throw new Error(`${model} has no simple reads`);
  return [...rows] as Row[];
}

/** Sorts rows, since not every model has an id. */
const sorted = (rows: readonly Row[]): string[] => rows.map((row) => describeRow(row)).sort();

/** Writes values with their types: a Decimal is no number, a bigint no text. */
function describeRow(row: Row): string {
  return JSON.stringify(row, function (this: Row, key, value: unknown) {
    const own = this[key];
    if (own instanceof Date) return `Date ${own.toISOString()}`;
    if (own instanceof Prisma.Decimal) return `Decimal ${own.toString()}`;
    return typeof value === "bigint" ? `bigint ${value}` : value;
  });
}

describe("simple reads", () => {
  it.each(TENANT_MODELS.filter((model) => ownerField(model) === null))(
    "give the rows of %s that Prisma gives",
    async (model) => {
      const query = { where: { companyId: company.id } };

      const rows = await fromReader(model, query);

      expect(sorted(rows)).toEqual(sorted(await fromPrisma(model, query)));
    },
  );

  it("give every kind of value as Prisma does", async () => {
    const good = await createGood(gateway, company.id, {
      name: 'Ünïcode "quoted" \\ 漢字 🥖',
      priceE2: 9_007_199_254_740_993n,
      providerFeePrc: new Prisma.Decimal("0.0301"),
      keywords: ["plain", "with, comma", 'with "quotes"', "back\\slash", "NULL", "", "{braces}"],
      barcodes: [],
      unitConfig: { steps: [0.5, 1], label: null },
      deletedAt: new Date("2026-02-28T23:59:59.583Z"),
      createdAt: new Date("1969-12-31T23:59:59.007Z"),
      updatedAt: new Date("0099-05-06T07:08:09.100Z"),
    });
    const query = { where: { companyId: company.id, id: good.id } };

    const rows = await fromReader("Good", query);

    expect(rows).toEqual(await fromPrisma("Good", query));
    expect(rows[0]).toMatchObject({ priceE2: 9_007_199_254_740_993n, sku: null });
  });

  it("find moments whatever time zone the session has", async () => {
    const { rows } = await gateway.database.pool.query<{ name: string }>("SELECT current_database() AS name");
    await gateway.asOwner(`ALTER DATABASE ${rows[0]?.name} SET timezone TO 'Asia/Kolkata'`);
    const other = await startGateway({ on: gateway });
    try {
      const query = { where: { companyId: company.id }, orderBy: [{ id: "asc" }], take: 1 };
      const own = await fromReader("Good", query);
      const [elsewhere] = (await (readerOf(other.db) as RowReader).read("Good", query)) ?? [];

      expect(elsewhere).toEqual(own[0]);
    } finally {
      await other.close();
      await gateway.asOwner(`ALTER DATABASE ${rows[0]?.name} RESET timezone`);
    }
  });

  it.each<[string, object]>([
    ["nulls and their opposite", { OR: [{ sku: null }, { label: { not: null } }] }],
    ["ranges", { priceE2: { gte: 1n, lt: 10_000_000n }, createdAt: { lte: new Date("2099-01-01") } }],
    ["lists", { id: { in: [1, 2, 3, 999] }, name: { in: ["Good 0", 'a "b" \\ c', "d,e"] } }],
    ["an empty list", { id: { in: [] } }],
    ["what differs", { name: { not: "Good 0" } }],
    [
      "alternatives within",
      { AND: [{ OR: [{ id: { gt: 1 } }, { AND: [{ id: 1 }, { type: { equals: 0 } }] }] }] },
    ],
    ["nothing at all", { sku: undefined, AND: [] }],
  ])("understand conditions: %s", async (_, where) => {
    const query = { where: { companyId: company.id, ...where }, orderBy: [{ name: "desc" }, { id: "asc" }] };

    expect(await fromReader("Good", query)).toEqual(await fromPrisma("Good", query));
  });

  it("take windows and columns", async () => {
    const query = {
      where: { companyId: company.id },
      orderBy: { id: "desc" },
      skip: 1,
      take: 2,
      select: { id: true, priceE2: true, details: false },
    };

    const rows = await fromReader("Good", query);

    expect(rows).toEqual(await fromPrisma("Good", query));
    expect(rows.map((row) => Object.keys(row))).toEqual([
      ["id", "priceE2"],
      ["id", "priceE2"],
    ]);
  });

  it("read one row whole, by one statement, while its columns differ each time", async () => {
    const where = { companyId: company.id };
    const fields = ["name", "priceE2", "sku", "keywords", "createdAt"];
    const queries = fields.map((field) => ({
      where,
      take: 1,
      orderBy: { id: "asc" },
      select: { id: true, [field]: true },
    }));
    await fromReader("Good", { ...queries[0], select: undefined });
    await fromReader("Good", { ...queries[0], select: undefined });
    gateway.statements.length = 0;

    const rows = await Promise.all(queries.map((query) => fromReader("Good", query)));

    expect(new Set(gateway.statements).size).toBe(1);
    expect(rows).toEqual(await Promise.all(queries.map((query) => fromPrisma("Good", query))));
    gateway.statements.length = 0;
    for (let run = 0; run < 3; run += 1)
      expect(await fromReader("Good", queries[0] as object)).toEqual(rows[0]);
    expect(gateway.statements.at(-1)).toMatch(/^SELECT "id", "name" FROM/);
  });

  it.each<[string, object]>([
    ["relations in conditions", { where: { branchGroup: { name: "Shop" } } }],
    ["relations along with rows", { include: { goodType: true } }],
    ["relations among columns", { select: { goodType: true } }],
    ["patterns", { where: { name: { contains: "a", mode: "insensitive" } } }],
    ["lists of texts", { where: { keywords: { has: "a" } } }],
    ["numbers that don't fit", { where: { id: 2_147_483_648 } }],
    ["texts that PostgreSQL cannot hold", { where: { name: "a\0b" } }],
    ["orders by relations", { orderBy: { goodType: { name: "asc" } } }],
    ["windows from the end", { take: -1 }],
    ["clauses that are not known", { distinct: ["name"] }],
    ["alternatives that are none", { where: { OR: [] } }],
  ])("leave %s to Prisma", (_, query) => {
    expect(reader.read("Good", query as Row)).toBeNull();
  });
});

describe("the client of one company", () => {
  it("reads by itself what is simple, with its company's condition, and leaves the rest to Prisma", async () => {
    const db = companyDb(gateway.database.writer, company.id);
    gateway.statements.length = 0;

    const simple = await db.good.findMany({ where: { id: { gt: 0 } }, orderBy: { id: "asc" } });
    const first = await db.good.findFirst({ where: { id: -1 } });
    const related = await db.good.findMany({ where: { branchGroup: { isNot: null } } });

    expect(simple.every(({ companyId }) => companyId === company.id)).toBe(true);
    expect(simple.length).toBe(await db.good.count());
    expect(first).toBeNull();
    expect(related.length).toBeLessThanOrEqual(simple.length);
    expect(gateway.statements[0]).toContain('FROM "goods" WHERE "id" > $1 AND "company_id" = $2');
  });

  it("sees within a transaction what that has written", async () => {
    const db = companyDb(gateway.database.writer, company.id);

    const names = await db.$transaction(async (tx) => {
      await tx.material.create({ data: { companyId: company.id, name: "Unwritten" } });
      const inside = await companyDb(tx as never, company.id).material.findMany({
        where: { name: "Unwritten" },
      });
      const outside = await db.material.findMany({ where: { name: "Unwritten" } });
      return [inside.length, outside.length];
    });

    expect(names).toEqual([1, 0]);
  });
});
