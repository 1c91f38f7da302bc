import { readdirSync, readFileSync } from "node:fs";
import { modelsOfSlices, namesIn, type Names } from "./model-names.js";

const SOURCES = new URL("../../src/", import.meta.url);
const ROOMS = ["core", "engine"];

/** A company is what all requests are about: who may enter it is found out before any slice is asked. */
const OF_THE_PLATFORM: readonly string[] = ["Company"];
/** Words that mean something else where they stand. */
const OTHER_WORDS: readonly string[] = [
  // Options.
  "core/resources/resource-resolver.ts service",
  "engine/connections/pool.ts Client",
  // An element of OpenDocument.
  "engine/sheets/read-ods.ts forms",
];

const models = modelsOfSlices().filter(({ model }) => !OF_THE_PLATFORM.includes(model));

function sourcesOf(room: string): string[] {
  return readdirSync(new URL(room, SOURCES), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:ts|sql)$/u.test(path))
    .map((path) => `${room}/${path}`);
}

describe("the kit and the engine", () => {
  const sources = ROOMS.flatMap(sourcesOf);

  it("name no model of a slice", () => {
    const found = sources.flatMap((path) =>
      namesIn(path, readFileSync(new URL(path, SOURCES), "utf8"), models).map(
        ({ name, line }) => [`${path} ${name}`, line] as const,
      ),
    );

    expect(sources.length).toBeGreaterThan(200);
    expect(models.length).toBeGreaterThan(50);
    expect(
      found.filter(([place]) => !OTHER_WORDS.includes(place)).map(([place, line]) => `${place} :${line}`),
    ).toEqual([]);
    expect(OTHER_WORDS.filter((word) => !found.some(([place]) => place === word))).toEqual([]);
  });

  it("has the models of slices from where their files are", () => {
    const names = modelsOfSlices().map(({ model }) => model);

    expect(names).toEqual(expect.arrayContaining(["Coupon", "CouponCode", "Good", "Client", "Company"]));
    expect(
      ["RowCount", "RateLimit", "IdempotencyKey", "AuditEntry", "StoredFile"].filter((one) =>
        names.includes(one),
      ),
    ).toEqual([]);
  });
});

describe("a name is found", () => {
  const NAMES: Names[] = [
    { model: "Good", delegate: "good", table: "goods", isPrincipal: false },
    { model: "CouponCode", delegate: "couponCode", table: "coupon_codes", isPrincipal: false },
    { model: "Client", delegate: "client", table: "clients", isPrincipal: true },
  ];
  const found = (path: string, text: string): string[] => namesIn(path, text, NAMES).map(({ name }) => name);

  it.each([
    ['const models = ["Good"];', "Good"],
    ["function count(row: Good) {}", "Good"],
    ["let where: Prisma.GoodWhereInput;", "GoodWhereInput"],
    ["await db.good.findMany({});", "good"],
    ["await this.client.client.count();", "client"],
    ['scoped["good"].findMany', "good"],
    ['delegateName(model) as "good"', "good"],
    ["const { couponCode } = db;", "couponCode"],
    ['new Set(["goods"])', "goods"],
    ["const text = `SELECT id FROM goods`;", "goods"],
    ["sql`UPDATE coupon_codes SET x = ${1}`", "coupon_codes"],
    ['const text = `${a} JOIN "goods" g`;', "goods"],
    ["sql`SELECT id FROM clients`", "clients"],
  ])("in %j", (text, name) => {
    expect(found("a.ts", text)).toEqual([name]);
  });

  it.each([
    "/** Goods are read from `goods`, a Good by its Client. */",
    'throw new Error("No Good of the goods");',
    "const client = new pg.Client();",
    "client.query(text);",
    'caller.kind === "client"',
    'const openTo = "clients";',
    'schema["goods"]',
    "isGood(goods)",
  ])("not in %j", (text) => {
    expect(found("a.ts", text)).toEqual([]);
  });

  it("in SQL, by the table", () => {
    expect(found("a.sql", 'SELECT 1 FROM "goods" -- or clients\n JOIN coupon_codes')).toEqual([
      "goods",
      "coupon_codes",
    ]);
  });
});
