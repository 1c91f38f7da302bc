import { sql } from "../../src/core/db/sql.js";
import { boundStatement } from "../../src/engine/tenancy/bound-statement.js";

const VALUES = { company: 7, shops: [1], branches: [2], read: [1, 3], self: 9 };

const textOf = (statement: ReturnType<typeof sql>): string =>
  boundStatement(statement, VALUES).text.replaceAll(/\s+/gu, " ");

it("puts the rows that are reached in the place of each table that is read", () => {
  const bound = boundStatement(
    sql`SELECT g.id FROM goods g WHERE g.company_id = ${7} AND g.id = ${5}`,
    VALUES,
  );

  expect(bound.text.replaceAll(/\s+/gu, " ")).toBe(
    'SELECT g.id FROM (SELECT * FROM goods AS "of" WHERE "of"."company_id" = $1::int AND ("of"."branch_group_id" IS NULL OR "of"."branch_group_id" = ANY ($2::int[]))) g WHERE g.company_id = $3 AND g.id = $4',
  );
  expect(bound.values).toEqual([7, [1, 3], 7, 5]);
});

it("checks each row that is written, and changes those within the bounds", () => {
  const update = textOf(sql`UPDATE goods SET name = ${"x"} WHERE company_id = ${7} OR true RETURNING id`);
  const insert = textOf(sql`INSERT INTO goods (company_id, name) VALUES (${7}, ${"x"})`);

  expect(update).toMatch(
    /WHERE "goods"\."branch_group_id" = ANY \(\$\d+::int\[\]\) AND \(company_id = \$\d+ OR true ?\) RETURNING within_bounds/u,
  );
  expect(insert).toMatch(/VALUES \(\$\d+, \$\d+\) RETURNING within_bounds\(/u);
});

it.each([
  ["tables that may be about any shop", sql`SELECT id FROM invoice_documents WHERE company_id = 7`],
  ["rows of the whole company that would change", sql`UPDATE cities SET name = 'x' WHERE company_id = 7`],
  ["functions that reach tables", sql`SELECT held_by_key(7, 1)`],
  ["all rows", sql`DELETE FROM goods`],
  ["commands whose rows are not found", sql`TRUNCATE goods`],
  ["all companies", sql`/* all companies */ SELECT id FROM goods`],
  ["states of rows", sql`SELECT xmin FROM goods WHERE company_id = 7`],
  [
    "moves",
    sql`INSERT INTO goods (company_id, id) VALUES (7, 1) ON CONFLICT (company_id, id) DO UPDATE SET branch_group_id = 1`,
  ],
])("refuses %s", (_what, statement) => {
  expect(() => textOf(statement)).toThrow(expect.objectContaining({ code: "FORBIDDEN" }));
});

it("sees a table behind the condition of a join", () => {
  expect(
    textOf(sql`SELECT 1 FROM cities c JOIN materials m ON m.company_id = c.company_id, goods WHERE true`),
  ).toMatch(/, \(SELECT \* FROM goods AS "of" WHERE .*\) AS "goods" WHERE true/u);
});
