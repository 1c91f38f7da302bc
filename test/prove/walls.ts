/**
 * Judges every statement text that the tests have sent by PostgreSQL's own parser: each table of companies in it has to be held to a
 * company that the statement names, whatever else its conditions say, or to every company in so many words. The guard of the service is compared with it, text by text.
 *
 *     STATEMENTS=/tmp/statements npm test && npm run prove:walls -- /tmp/statements
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadModule, parseSync } from "libpg-query";
import { tenantProblem } from "../../src/engine/tenancy/sql-guard.js";
import { tenantTables } from "../../src/engine/tenancy/tenant-guard.js";
import { looseTables } from "./walls/judge.js";

const MARK = "/* all companies */";
/** A condition that says that rows of all companies are meant; only who may enter each of them is answered by such a statement. */
const EVERY_COMPANY =
  /("?)company_id\1 IN \(SELECT "?id"? FROM "?companies"? WHERE "?deleted_at"? IS NULL\)/gu;

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error("name the directory of the statements");
await loadModule();
const texts = new Set(
  readdirSync(directory).flatMap((file) =>
    readFileSync(join(directory, file), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as string),
  ),
);
const tenant = tenantTables();
let marked = 0;
let every = 0;
let unheld = 0;
let stricter = 0;
for (const text of texts) {
  if (text.includes(MARK)) {
    marked += 1;
    continue;
  }
  // What stands beside that condition has to be held as if it named one company.
  const ofOne = text.replace(EVERY_COMPANY, "$1company_id$1 = $$1");
  if (ofOne !== text) every += 1;
  const problems = looseTables(parseSync(ofOne), { tenant });
  const guarded = tenantProblem(text, tenant);
  if (problems.length > 0 && guarded === null) {
    unheld += 1;
    console.error(`${problems.join("; ")}:\n  ${text.trim()}\n`);
  }
  if (problems.length === 0 && guarded !== null) stricter += 1;
}
console.log(
  `${texts.size} texts: ${texts.size - marked - every - unheld} held to a company, ${marked} marked to be about all companies, ` +
    `${every} of every company by their condition, ${unheld} passed by the guard and not held; the guard alone refuses ${stricter}.`,
);
if (unheld > 0 || texts.size === 0) process.exitCode = 1;
