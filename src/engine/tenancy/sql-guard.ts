import {
  isQuery,
  nameEnd,
  statementTables,
  type ConditionName,
  type Query,
  type StatementTables,
  type TableReference,
} from "./sql-tables.js";
import { sqlTokens, type Token } from "./sql-tokens.js";

/** A statement reaches rows of a tenant table without naming their company, or private ones without their owner. */
export class TenantSqlError extends Error {
  override readonly name = "TenantSqlError";
}

/**
 * Marks the few statements that mean all companies on purpose, such as the one that finds whose e-mail address
 * signs in. Statements are fixed texts, so no input can contain the mark.
 */
const ALL_COMPANIES = "/* all companies */";
const COMPANY_ID = "company_id";
/** The rows of this table are the companies: their own `id` is the id of the company. */
const COMPANIES = "companies";
/** Commands that reach all rows of a table. */
const WHOLE = new Set(["truncate", "copy", "table"]);

/**
 * Checks that a statement names the company of the rows that it reaches in each tenant table. `SELECT`, `UPDATE`
 * and `DELETE` need a condition that makes `company_id` equal to a value, or to the `company_id` of another table
 * that has such a condition; `INSERT` needs the column. It is a second wall behind the bounded `Db`, beside the
 * composite foreign keys. It only sees which columns are compared: it does not notice an `OR` or a `NOT` that makes
 * a comparison void; `npm run prove:walls` shows of the texts that the tests send that there is none.
 *
 * Private tables need the same of the column that names whose their rows are.
 *
 * @param tenantTables are names in the database, such as `goods`.
 * @param owners are the private tables among them, with that column.
 * @throws TenantSqlError
 */
export function assertTenantSql(
  sql: string,
  tenantTables: ReadonlySet<string>,
  owners: ReadonlyMap<string, string> = new Map(),
): void {
  const problem = tenantProblem(sql, tenantTables, owners);
  if (problem !== null) throw new TenantSqlError(`${problem}: ${sql}`);
}

/** Returns the reason why `assertTenantSql` refuses the statement, `null` when the statement is allowed. */
export function tenantProblem(
  sql: string,
  tenantTables: ReadonlySet<string>,
  owners: ReadonlyMap<string, string> = new Map(),
): string | null {
  if (sql.includes(ALL_COMPANIES)) return null;
  const tokens = sqlTokens(sql);
  const statement = statementTables(tokens);
  const whole = WHOLE.has(tokens[0]?.text ?? "") && tokens.find(({ text }) => tenantTables.has(text));
  if (whole) return `${whole.text} is reached as a whole`;
  const companyOf: KeyOf = (table) =>
    table === COMPANIES ? "id" : tenantTables.has(table) ? COMPANY_ID : null;
  const needsCompany = looseProblem(tokens, statement, tenantTables, companyOf);
  if (needsCompany !== null || owners.size === 0) return needsCompany;
  return looseProblem(tokens, statement, owners, (table) => owners.get(table) ?? null);
}

/** Names the column of a table whose value a statement has to name; `null` for a table that has none. */
type KeyOf = (table: string) => string | null;

/** Returns the reason why a statement may not reach one of the limited tables; `null` when it names the keys of all. */
function looseProblem(
  tokens: readonly Token[],
  { queries, names, usings, inserts }: StatementTables,
  limited: { has(table: string): boolean },
  keyOf: KeyOf,
): string | null {
  const blind = inserts.find(({ table, at }) => limited.has(table) && !lists(tokens, at, keyOf(table)));
  if (blind !== undefined) return `${blind.table} gets a row without ${keyOf(blind.table)}`;
  const ties = new KeyTies(tokens, keyOf);
  for (const name of names) ties.compare(name);
  for (const using of usings) ties.join(using);
  const loose = queries
    .flatMap(({ tables }) => tables)
    .find((table) => limited.has(table.table) && !ties.isTied(table));
  return loose === undefined ? null : `${loose.table} is reached without a ${keyOf(loose.table)} condition`;
}

function lists(tokens: readonly Token[], at: number, column: string | null): boolean {
  return column !== null && tokens[at]?.text === "(" && columnsIn(tokens, at).includes(column);
}

function columnsIn(tokens: readonly Token[], at: number): readonly string[] {
  return tokens.slice(at + 1, tokens[at]?.partner).map(({ text }) => text);
}

/** Knows which tables of a statement are tied by their key to a value, or to another table that is tied. */
class KeyTies {
  private readonly tied = new Set<TableReference>();
  private readonly sameKey = new Map<TableReference, Set<TableReference>>();

  constructor(
    private readonly tokens: readonly Token[],
    private readonly keyOf: KeyOf,
  ) {}

  isTied(table: TableReference, seen = new Set<TableReference>()): boolean {
    if (this.tied.has(table)) return true;
    seen.add(table);
    const others = this.sameKey.get(table) ?? [];
    return [...others].some((other) => !seen.has(other) && this.isTied(other, seen));
  }

  /** Ties the tables whose key the name is to whatever the condition compares it with. */
  compare({ at, query }: ConditionName): void {
    const tables = this.tablesOf(at, query);
    if (tables.length === 0) return;
    const { within } = this.tokens[at] as Token;
    const start = this.nameStart(at);
    // The column may be compared by itself, or as a part of a row such as `(company_id, id)`.
    const compared =
      this.comparedWith(start, at, query) ??
      (within === -1 ? null : this.comparedWith(within, this.tokens[within]?.partner ?? within, query));
    if (compared === null) return;
    for (const table of tables) this.tie(table, compared, query);
  }

  /** Ties the tables of `JOIN … USING (company_id)`: each table that stands before it has the same key. */
  join({ at, query }: ConditionName): void {
    const columns = columnsIn(this.tokens, at);
    const tables = query.tables.filter(({ table }) => columns.includes(this.keyOf(table) ?? ""));
    for (const table of tables) this.tie(table, tables.length === 1 ? [] : tables, query);
  }

  private tie(table: TableReference, others: readonly TableReference[], query: Query): void {
    // A condition of an inner query does not limit the rows of the outer one: it may stand behind a `NOT EXISTS`.
    if (!query.tables.includes(table)) return;
    if (others.length === 0) this.tied.add(table);
    for (const other of others) {
      addTo(this.sameKey, table, other);
      if (query.tables.includes(other)) addTo(this.sameKey, other, table);
    }
  }

  /**
   * Returns the tables whose key stands on the other side of a comparison with the tokens between these
   * places. The list is empty when a value stands there.
   *
   * @returns `null` when nothing is compared with these tokens.
   */
  private comparedWith(from: number, to: number, query: Query): readonly TableReference[] | null {
    const { tokens } = this;
    const after = this.words(to + 1, 4);
    if (after[0] === "in") return [];
    if (after[0] === "=") return this.keysAt(to + 2, query);
    if (after.join(" ") === "is not distinct from") return this.keysAt(to + 5, query);
    if (tokens[from - 1]?.text !== "=") return null;
    const end = tokens[from - 2];
    return this.keysAt(end?.text === ")" ? end.partner : this.nameStart(from - 2), query);
  }

  /** Returns the tables whose key stands at this place, by itself or in a row. */
  private keysAt(at: number, query: Query): readonly TableReference[] {
    const { tokens } = this;
    if (tokens[at]?.text !== "(") return this.tablesOf(nameEnd(tokens, at), query);
    if (isQuery(tokens, at)) return [];
    const end = tokens[at]?.partner ?? at;
    const places = Array.from({ length: end - at - 1 }, (_, index) => at + 1 + index);
    return places.flatMap((place) => this.tablesOf(place, query));
  }

  /**
   * Returns the tables whose key has the name that ends at this place: `company_id`, `g.company_id`,
   * `companies.id`.
   */
  private tablesOf(at: number, query: Query): readonly TableReference[] {
    const { tokens } = this;
    const { kind, text } = tokens[at] as Token;
    if ((kind !== "word" && kind !== "quoted") || tokens[at + 1]?.text === ".") return [];
    const qualifier = tokens[at - 1]?.text === "." ? tokens[at - 2]?.text : undefined;
    for (let scope: Query | null = query; scope !== null; scope = scope.outer) {
      const meant = scope.tables.filter(
        ({ table, alias }) => this.keyOf(table) !== null && (qualifier === undefined || alias === qualifier),
      );
      if (meant.length > 0) return meant.filter(({ table }) => this.keyOf(table) === text);
    }
    return [];
  }

  private nameStart(at: number): number {
    let start = at;
    while (this.tokens[start - 1]?.text === ".") start -= 2;
    return start;
  }

  private words(at: number, count: number): string[] {
    return this.tokens.slice(at, at + count).map(({ text }) => text);
  }
}

function addTo<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}
