import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import pg from "pg";
import { isTenantModel, MODELS } from "../../src/core/scope/tenant-models.js";
import { readPlacements, type PlacedTable } from "../../src/engine/migrations/distribute.js";
import { reachOfTables } from "../../src/engine/tenancy/bound-rows.js";
import { boundStatement } from "../../src/engine/tenancy/bound-statement.js";
import { MODEL_FACTS } from "../../src/generated/models.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";

const ROOT = join(import.meta.dirname, "../..");

/** What Citus cannot run yet, by the file that has it. Nothing may be added: a statement that runs takes its line away. */
const NOT_YET: Readonly<Record<string, readonly string[]>> = {};

let database: TestDatabase;
let client: pg.Client;
let tables: PlacedTable[];
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  tables = await readPlacements(client);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const namesBy = (column: string | null): string[] =>
  tables.filter((table) => table.column === column).map(({ name }) => name);

async function offenders(sql: string): Promise<string[]> {
  const { rows } = await client.query<{ offender: string }>(
    `WITH "placed" AS (
       SELECT p.name::regclass AS oid, p."column", a.attnum
         FROM unnest($1::text[], $2::text[]) AS p(name, "column")
         JOIN pg_attribute AS a ON a.attrelid = p.name::regclass AND a.attname = p."column"
     ) ${sql}`,
    [
      tables.filter(({ column }) => column !== null).map(({ name }) => name),
      tables.flatMap(({ column }) => column ?? []),
    ],
  );
  return rows.map(({ offender }) => offender).sort();
}

describe("where rows are in a distributed database", () => {
  it("distributes the tables of the models with a company by it, and companies by their id", () => {
    const ofCompanies = MODELS.filter(isTenantModel).map((model) => MODEL_FACTS[model].table);

    expect(namesBy("company_id")).toEqual(ofCompanies.sort());
    expect(namesBy("id")).toEqual([MODEL_FACTS.Company.table]);
  });

  it("has the column of the distribution in every key, and in unique indexes of all but companies", async () => {
    const without = await offenders(`
      SELECT i.indexrelid::regclass::text AS offender
        FROM "placed" AS p JOIN pg_index AS i ON i.indrelid = p.oid AND i.indisunique
       WHERE p.attnum <> ALL ((i.indkey::int2[])[0:i.indnkeyatts - 1])`);

    // `lockDomains` keeps these apart.
    expect(without).toEqual(["companies_custom_domain_host_key", "companies_domain_key"]);
  });

  it("has no foreign key between a distributed table and one that is not, and each joins rows of one worker", async () => {
    const crossing = await offenders(`
      SELECT k.conname AS offender
        FROM pg_constraint AS k LEFT JOIN "placed" AS h ON h.oid = k.conrelid LEFT JOIN "placed" AS f ON f.oid = k.confrelid
       WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace AND (h.oid IS NOT NULL OR f.oid IS NOT NULL)
         AND (array_position(k.conkey, h.attnum) = array_position(k.confkey, f.attnum)) IS NOT TRUE`);

    expect(crossing).toEqual([]);
  });
});

describe("the functions of the database", () => {
  it("ask since when a transaction runs, not since when its part on a worker does, for rows that it has made", async () => {
    const byWorker = await offenders(`
      SELECT proname AS offender FROM pg_proc
       WHERE pronamespace = 'public'::regnamespace AND prosrc ~ '\\mnow\\(\\)[^;]*wrote_row'`);
    const byTransaction = await offenders(`
      SELECT proname AS offender FROM pg_proc
       WHERE pronamespace = 'public'::regnamespace AND prosrc ~ 'transaction_began[^;]*wrote_row'`);

    expect(byWorker).toEqual([]);
    expect(byTransaction).not.toEqual([]);
  });
});

/** What Citus refuses or does otherwise than PostgreSQL, by what it is called in `NOT_YET`. */
const REFUSED: Readonly<Record<string, (statement: string) => boolean>> = {
  "a moment in CASE or COALESCE of a change": (statement) =>
    isChange(statement) &&
    (/\bCASE\b(?:(?!\bEND\b)[^;])*?\b(?:now|clock_timestamp)\(\)/iu.test(statement) ||
      /\bCOALESCE\((?:[^()]|\([^()]*\))*?\b(?:now|clock_timestamp)\(\)/iu.test(statement)),
  "a simple CASE over a parameter in a new row": (statement) =>
    /\bINSERT INTO\b/iu.test(statement) && /\bCASE\s+(?:_\w+|TG_OP)\s+WHEN\b/iu.test(statement),
  "a query in a row's change for a conflict": (statement) =>
    /\bON CONFLICT\b[^;]*?\bDO UPDATE\b(?:(?!\bRETURNING\b)[^;])*?\(\s*SELECT\b/u.test(statement),
  "locks over all companies": (statement) =>
    (/\bSKIP LOCKED\b/u.test(statement) && !/company_id"? =|\$\{ofCompany\}|WHERE %1\$s/u.test(statement)) ||
    (statement.includes("all companies") &&
      /\bFOR (?:NO KEY |KEY )?(?:UPDATE|SHARE)(?! SKIP)\b/u.test(statement)),
  "rows of a table in a function of SQL": (statement) =>
    /\bLANGUAGE sql\b/u.test(statement) &&
    namesBy("company_id").some((name) =>
      new RegExp(`\\b(?:FROM|JOIN)\\s+(?:public\\.)?"?${name}\\b`, "u").test(statement),
    ),
  "an object of columns, or a time after one, in a change": (statement) =>
    /\bUPDATE\b[^;]*\bSET\b(?:(?!\bFROM unnest\b)[^;])*?\b(?:jsonb_build_object\(|\w+_at \+ interval\b)/u.test(
      statement,
    ),
  "a clock in a change of all companies": (statement) =>
    isChange(statement) && statement.includes("all companies") && statement.includes("clock_timestamp()"),
  "whether there is a row without columns, of all companies": (statement) =>
    statement.includes("all companies") &&
    /\bSELECT EXISTS \(\s*SELECT\s+(?:\/\*[^*]*\*\/\s*)?FROM\b/u.test(statement),
  "the name of a part of a table": (statement) =>
    /\bTG_TABLE_NAME\b/u.test(statement) && !statement.includes("RAISE"),
  "rows of a transition table beside those of a table": (statement) =>
    /\b(?:FROM|JOIN)\s+"(?:changed|written|replaced|removed)"/u.test(statement) &&
    tables.some(({ name }) => new RegExp(`\\b(?:INTO|UPDATE|FROM|JOIN)\\s+"${name}"`, "u").test(statement)),
};

const isChange = (statement: string): boolean =>
  /\b(?:INSERT INTO|(?<!FOR |KEY )UPDATE|DELETE FROM)\b/u.test(statement);

/** The statements of a source: those between semicolons of a function, those in template literals of a module. */
function statementsOf(path: string, text: string): string[] {
  if (path.endsWith(".ts"))
    return [...text.matchAll(/`(?<sql>[^`]*)`/gu)].map(({ groups }) => groups?.["sql"] ?? "");
  return text
    .replace(/--.*$/gmu, "")
    .split(/;|\bLOOP\b|\bTHEN\b(?=\s+(?:INSERT|UPDATE|DELETE|PERFORM|SELECT))/u);
}

describe("the statements of the sources", () => {
  it("are such that a distributed database runs them, but for a list that only shrinks", () => {
    const local = namesBy(null);
    const isOfLocal = (statement: string): boolean =>
      local.some((name) => statement.includes(name)) || statement.includes("graphile_worker");
    const found: Record<string, string[]> = {};
    for (const entry of readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })) {
      if (!/\.(?:sql\.ts|function\.sql)$/u.test(entry) || /^(?:demo|generated)\//u.test(entry)) continue;
      const path = join(ROOT, "src", entry);
      const rules = statementsOf(path, readFileSync(path, "utf8"))
        .filter((statement) => !isOfLocal(statement))
        .flatMap((statement) => Object.keys(REFUSED).filter((rule) => REFUSED[rule]?.(statement) === true));
      if (rules.length > 0) found[relative(ROOT, path)] = [...new Set(rules)].sort();
    }

    expect(found).toEqual(NOT_YET);
  });

  it("check a row that somebody adds who is bound to shops by immutable functions alone, and by no query", async () => {
    const values = { company: 1, shops: [1], branches: [2], read: [1], self: 3 };
    const written = [...reachOfTables()].filter(([, reach]) => reach.written !== null);
    const statements = written.map(([table]) =>
      boundStatement({ text: `EXPLAIN INSERT INTO "${table}" (company_id) VALUES (1)`, values: [] }, values),
    );
    for (const statement of statements) await client.query(statement.text, [...statement.values]);
    const texts = statements.map(({ text }) => text);
    const called = [
      ...new Set(texts.flatMap((text) => text.match(/\breaches_\w+|\bwithin_bounds(?=\()/gu) ?? [])),
    ];
    const { rows } = await client.query<{ name: string }>(
      "SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname = ANY ($1) AND provolatile = 'i'",
      [called],
    );

    expect(texts.filter((text) => !text.includes("within_bounds(") || text.includes("SELECT"))).toEqual([]);
    expect(called).toContain("reaches_branches");
    expect(rows.map(({ name }) => name).sort()).toEqual(called.sort());
  });

  it.each([
    [
      "a moment in CASE or COALESCE of a change",
      "UPDATE a SET b = CASE WHEN c <= now() THEN 1 END WHERE company_id = 1",
    ],
    ["a simple CASE over a parameter in a new row", "INSERT INTO a VALUES (CASE _b WHEN 'c' THEN 1 END)"],
    [
      "a query in a row's change for a conflict",
      "INSERT INTO a VALUES (1) ON CONFLICT (b) DO UPDATE SET c = 1 WHERE EXISTS (SELECT FROM d)",
    ],
    ["locks over all companies", "SELECT id FROM a WHERE ends_at < $1 FOR UPDATE SKIP LOCKED"],
    ["locks over all companies", "SELECT id FROM a /* all companies */ ORDER BY id LIMIT $1 FOR UPDATE"],
    [
      "rows of a table in a function of SQL",
      'CREATE OR REPLACE FUNCTION "a"() RETURNS int LANGUAGE sql AS $$ SELECT id FROM public.goods $$',
    ],
    [
      "an object of columns, or a time after one, in a change",
      "UPDATE a SET b = b || jsonb_build_object('c', d) WHERE company_id = 1",
    ],
    [
      "a clock in a change of all companies",
      "/* all companies */ UPDATE a SET b = 1 WHERE c < clock_timestamp()",
    ],
    [
      "whether there is a row without columns, of all companies",
      "SELECT EXISTS (SELECT /* all companies */ FROM a)",
    ],
    ["the name of a part of a table", "INSERT INTO a VALUES (TG_TABLE_NAME)"],
    [
      "rows of a transition table beside those of a table",
      'INSERT INTO "goods" SELECT "id" FROM "written" GROUP BY "company_id"',
    ],
  ])("%s is seen", (rule, statement) => {
    expect(Object.keys(REFUSED).filter((name) => REFUSED[name]?.(statement) === true)).toEqual([rule]);
  });
});
