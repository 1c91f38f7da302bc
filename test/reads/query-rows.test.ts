import { fromDatabaseError } from "../../src/engine/errors/database-error.js";
import { queryRows } from "../../src/engine/tenancy/bounded-db.js";
import type { Db } from "../../src/core/scope/company-scope.js";
import { companyDb } from "../../src/engine/tenancy/bounded-db.js";
import { sql } from "../../src/core/db/sql.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
let db: Db;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  db = companyDb(gateway.database.writer, company.id);
  await createGood(gateway, company.id, { name: 'A "good"', priceE2: 9_007_199_254_740_993n });
});
afterAll(() => gateway.close());

const values = sql`
  SELECT ${null}::int AS nothing, ${1}::int AS int, ${2n ** 62n}::bigint AS big, ${"a'b\\"} AS text, ${""} AS empty,
         ${true}::boolean AS yes, ${new Date("2026-02-28T23:59:59.583Z")}::timestamptz AS moment,
         ${[3, 1, 2]}::int[] AS ints, ${[]}::int[] AS none, ${['a "b"', "c,d", "NULL"]}::text[] AS texts,
         ${"0.0301"}::numeric AS fraction, ${0.5}::float8 AS number, ${'{"a": [1, null]}'}::jsonb AS json,
         decode(${"5e00ff"}, 'hex') AS bytes`;

describe("a statement written by hand", () => {
  it("gives what Prisma gives for the same values, also when it is prepared", async () => {
    const expected = await db.$queryRaw(values);

    for (let run = 0; run < 3; run += 1) expect(await queryRows(db, values)).toEqual(expected);
  });

  it("gives texts as they are stored, whatever letters stand beside them and however long they are", async () => {
    const texts = [
      "plain",
      "",
      "é",
      "日本",
      "👍 up",
      "a\u007f",
      "\u0080",
      "x".repeat(127),
      "x".repeat(128),
      "y".repeat(5_000),
    ];
    const columns = sql`SELECT v.*, ${"short"} AS short FROM (VALUES
      (1, ${texts[0]}, NULL, ${texts[2]}, ${texts[3]}), (2, ${texts[4]}, ${texts[1]}, ${texts[5]}, ${texts[6]}),
      (3, ${texts[7]}, ${texts[8]}, NULL, NULL), (4, ${texts[9]}, ${texts[2]}, ${texts[0]}, NULL)) AS v (n, a, b, c, d) ORDER BY n`;

    const row = (n: number, ...[a, b, c, d]: (string | null | undefined)[]) => ({
      n,
      a,
      b,
      c,
      d,
      short: "short",
    });
    expect(await queryRows(db, columns)).toEqual([
      row(1, texts[0], null, texts[2], texts[3]),
      row(2, texts[4], texts[1], texts[5], texts[6]),
      row(3, texts[7], texts[8], null, null),
      row(4, texts[9], texts[2], texts[0], null),
    ]);
    expect(await queryRows(db, sql`SELECT FROM generate_series(1, 2)`)).toEqual([{}, {}]);
  });

  it("is seen by those who watch statements", async () => {
    gateway.statements.length = 0;

    const rows = await queryRows(db, sql`SELECT name FROM goods WHERE company_id = ${company.id}`);

    expect(rows).toEqual([{ name: 'A "good"' }]);
    expect(gateway.statements).toEqual(["SELECT name FROM goods WHERE company_id = $1"]);
    await expect(queryRows(db, sql`SELECT name FROM goods`)).rejects.toThrow("company_id");
  });

  it("belongs to the transaction within which it is sent", async () => {
    const count = sql`SELECT count(*)::int AS n FROM materials WHERE company_id = ${company.id}`;

    const seen = await companyDb(gateway.db, company.id).$transaction(async (tx) => {
      await tx.material.create({ data: { companyId: company.id, name: "Unwritten" } });
      const inside = companyDb(tx, company.id);
      return [await queryRows(inside, count), await queryRows(tx, count), await queryRows(db, count)];
    });

    expect(seen).toEqual([[{ n: 1 }], [{ n: 1 }], [{ n: 0 }]]);
  });

  it("is refused as Prisma's statements are", async () => {
    const twice = sql`
      INSERT INTO coupon_codes (company_id, coupon_id, code) VALUES (${company.id}, ${-1}, ${"ABCDE"})`;
    const refusals = await Promise.all(
      [queryRows(db, twice), db.$queryRaw(twice)].map((sent) => sent.then(() => null, fromDatabaseError)),
    );

    expect(refusals[0]).toMatchObject({ code: "CONFLICT" });
    expect(refusals[0]?.message).toBe(refusals[1]?.message);
  });

  it("takes no values that PostgreSQL has no text for", async () => {
    await expect(queryRows(db, sql`SELECT ${{ a: 1 }}::jsonb`)).rejects.toThrow("cannot be bound");
  });
});
