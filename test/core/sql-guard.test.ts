import { assertTenantSql, TenantSqlError } from "../../src/engine/data/sql-guard.js";

const tenantTables = new Set(["goods", "good_materials", "materials"]);

const ACCEPTED: Record<string, string> = {
  "a condition on the company":
    'SELECT "public"."goods"."id" FROM "public"."goods" WHERE ("public"."goods"."company_id" = $1 AND 1=1) OFFSET $2',
  "an alias in raw SQL": "select g.id from goods g where g.company_id = $1",
  "a set of companies": 'SELECT 1 FROM "public"."goods" WHERE "public"."goods"."company_id" IN ($1)',
  "a row comparison": "SELECT 1 FROM goods WHERE (company_id, id) IN (($1, $2))",
  "a row comparison between tables":
    'SELECT 1 FROM "goods" WHERE "goods"."company_id" = $1 AND EXISTS(SELECT 1 FROM "good_materials" AS "t0" WHERE ("goods"."company_id","goods"."id") = ("t0"."company_id","t0"."good_id"))',
  "a join on the company":
    "SELECT 1 FROM goods g JOIN good_materials m ON m.company_id = g.company_id AND m.good_id = g.id WHERE g.company_id = $1",
  "a join using the company":
    "SELECT 1 FROM goods JOIN good_materials USING (company_id) WHERE company_id = $1",
  "a subselect in FROM":
    'SELECT COUNT(*) FROM (SELECT "goods"."id" FROM "public"."goods" WHERE "goods"."company_id" = $1) AS "sub"',
  "an update":
    'UPDATE "public"."goods" SET "name" = $1 WHERE "public"."goods"."company_id" = $2 RETURNING "goods"."id"',
  "a deletion": "DELETE FROM goods WHERE company_id = $1",
  "an insert":
    'INSERT INTO "public"."goods" ("company_id","name") VALUES ($1,$2) RETURNING "public"."goods"."id"',
  "an upsert":
    "INSERT INTO goods (id, company_id) VALUES ($1, $2) ON CONFLICT (company_id, id) DO UPDATE SET name = excluded.name",
  "a table of no company": 'SELECT * FROM "public"."companies" WHERE "id" = $1',
  "a statement without tables": "COMMIT",
  "a statement marked to be about all companies": "/* all companies */ SELECT 1 FROM goods WHERE name = $1",
  "a table named in a string": "SELECT 1 WHERE 'update goods set x' <> $1",
};

const REFUSED: Record<string, string> = {
  "no condition at all": "SELECT * FROM goods",
  "another condition": 'SELECT "goods"."company_id" FROM "public"."goods" WHERE "public"."goods"."id" = $1',
  "the column in the select list alone": "SELECT company_id = $1 FROM goods WHERE id = $2",
  "the column in RETURNING alone": "DELETE FROM goods WHERE id = $1 RETURNING company_id = $2",
  "the column set by an update": "UPDATE goods SET company_id = $1 WHERE id = $2",
  "the column in ORDER BY alone": "SELECT 1 FROM goods WHERE id = $1 ORDER BY company_id",
  "the company in a comment": "SELECT 1 FROM goods WHERE id = $1 -- company_id = 1",
  "the second branch of a union":
    "SELECT 1 FROM goods WHERE company_id = $1 UNION ALL SELECT 1 FROM materials WHERE id = $2",
  "the second statement": "SELECT 1; DELETE FROM materials",
  "an insert without the column":
    'INSERT INTO "public"."goods" ("name") VALUES ($1) RETURNING "public"."goods"."company_id"',
  "an insert without a list of columns": "INSERT INTO goods VALUES ($1, $2)",
  "an insert with a column of a like name": "INSERT INTO goods (other_company_id) VALUES ($1)",
};

describe("assertTenantSql", () => {
  it.each(Object.entries(ACCEPTED))("accepts %s", (_name, sql) => {
    expect(() => assertTenantSql(sql, tenantTables)).not.toThrow();
  });

  it.each(Object.entries(REFUSED))("refuses %s", (_name, sql) => {
    expect(() => assertTenantSql(sql, tenantTables)).toThrow(TenantSqlError);
  });
});
