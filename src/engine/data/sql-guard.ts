/** A statement reaches rows of a tenant table without saying of which company. */
export class TenantSqlError extends Error {
  override readonly name = "TenantSqlError";
}

/**
 * Marks the few statements that are about all companies on purpose, such as finding whose e-mail it is that
 * signs in. Statements are fixed texts, so no input can carry it.
 */
const ALL_COMPANIES = "/* all companies */";

/** `FROM`, `JOIN`, `UPDATE` or `INTO` and the table they name, quoted or not, with or without a schema. */
const TABLE_REFERENCE = /\b(from|join|update|into)\s+(?:only\s+)?(?:"?[a-z_]\w*"?\s*\.\s*)?"?([a-z_]\w*)"?/gi;

/** A comparison with company_id, or its place in a row comparison such as `(company_id, id) IN (…)`. */
const COMPANY_CONDITION =
  /"?company_id"?\s*\)?\s*(?:=|in\b|is\s+not\s+distinct|is\s+distinct)|[=]\s*(?:"?\w+"?\.)*"?company_id"?|\(\s*[^()]*"?company_id"?[^()]*\)\s*(?:=|in\b)|\busing\s*\([^)]*company_id/i;

/**
 * Checks that a statement which touches tenant tables names the company: `SELECT`, `UPDATE` and `DELETE` by a
 * condition on `company_id`, `INSERT` by that column. A net for tests, under the scoped client and the
 * composite foreign keys; it reads one condition per statement (and per branch of a UNION), not every alias.
 *
 * @param tenantTables names in the database, such as `goods`.
 * @throws TenantSqlError
 */
export function assertTenantSql(sql: string, tenantTables: ReadonlySet<string>): void {
  if (sql.includes(ALL_COMPANIES)) return;
  const text = withoutLiterals(sql);
  for (const part of text.split(/\bunion(?:\s+all)?\b|;/i)) assertPart(part, tenantTables, sql);
}

function assertPart(text: string, tenantTables: ReadonlySet<string>, sql: string): void {
  for (const match of text.matchAll(TABLE_REFERENCE)) {
    const [, verb = "", table = ""] = match;
    if (!tenantTables.has(table)) continue;
    if (verb.toLowerCase() === "into") assertInsert(text.slice(match.index), table, sql);
    else if (!COMPANY_CONDITION.test(conditionsOf(text, match.index))) {
      throw new TenantSqlError(`${table} is reached without a company_id condition: ${sql}`);
    }
  }
}

function assertInsert(insert: string, table: string, sql: string): void {
  const columns = /\binto\s+[\w".\s]*?\(([^)]*)\)/i.exec(insert)?.[1] ?? "";
  if (!/(^|[\s,"])company_id("|\s|,|$)/.test(columns)) {
    throw new TenantSqlError(`${table} gets a row without company_id: ${sql}`);
  }
}

/** What follows the reference, so that neither a select list nor RETURNING counts as a condition. */
function conditionsOf(text: string, index: number): string {
  const [before = ""] = text.slice(index).split(/\breturning\b/i);
  const where = before.search(/\b(where|on|using)\b/i);
  return where === -1 ? "" : before.slice(where);
}

/** Without comments and strings, whose contents would be taken for SQL. */
function withoutLiterals(sql: string): string {
  return sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, " ").replace(/'(?:[^']|'')*'/g, "''");
}
