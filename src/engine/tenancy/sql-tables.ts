import type { Token } from "./sql-tokens.js";

/** A place where a statement names a table whose rows it reads or changes. */
export interface TableReference {
  readonly table: string;
  readonly alias: string;
  /** The places of the first and the last piece of its name. */
  readonly at: number;
  readonly end: number;
  /** The command that changes its rows; `null` where it only reads them. */
  readonly changedBy: "update" | "delete" | null;
}

/** A table that gets rows. */
export interface InsertTarget {
  readonly table: string;
  readonly alias: string;
  /** The place of the first piece of its name. */
  readonly nameAt: number;
  /** The place where its columns are expected. */
  readonly at: number;
}

/** One query of a statement; `outer` is the query around it, whose tables it can refer to. */
export interface Query {
  readonly tables: TableReference[];
  readonly outer: Query | null;
}

/** A name in a condition; it may be the name of a column. */
export interface ConditionName {
  readonly at: number;
  readonly query: Query;
}

export interface StatementTables {
  readonly queries: readonly Query[];
  readonly names: readonly ConditionName[];
  /** The places of the parentheses of `USING (…)` in joins. */
  readonly usings: readonly ConditionName[];
  readonly inserts: readonly InsertTarget[];
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const QUERY = words("select with insert update delete values table");
const BRANCH = words("union intersect except ;");
const CONDITION = words("on where having");
const OTHER_CLAUSE = words("select set values returning group order limit offset window fetch for");
/** Words before an `UPDATE` that begins no command, and before a `FROM` that belongs to a comparison. */
const NO_COMMAND = words("for key do then distinct");
const NO_ALIAS = words(
  "on join left right inner full cross natural where group order limit offset set using returning for having window fetch tablesample select values default union intersect except",
);

/** The text between two parentheses, or the whole statement. */
interface Part {
  query: Query;
  clause: "tables" | "condition" | "other";
  /** Whether the next token is a table. */
  isTable: boolean;
  /** The command whose target that table is. */
  changedBy: TableReference["changedBy"];
  /** Whether words begin clauses here; inside an expression `FROM` may belong to `extract(… FROM …)`. */
  readonly hasClauses: boolean;
}

/** Finds the tables that a statement names, query by query, and the names in its conditions. */
export function statementTables(tokens: readonly Token[]): StatementTables {
  const queries: Query[] = [];
  const begin = (outer: Query | null): Query => {
    const query: Query = { tables: [], outer };
    queries.push(query);
    return query;
  };
  const names: ConditionName[] = [];
  const usings: ConditionName[] = [];
  const inserts: InsertTarget[] = [];
  const parts: Part[] = [];
  let part: Part = {
    query: begin(null),
    clause: "other",
    isTable: false,
    changedBy: null,
    hasClauses: true,
  };

  for (let at = 0; at < tokens.length; at += 1) {
    const { kind, text } = tokens[at] as Token;
    const before = tokens[at - 1]?.text ?? "";
    const isKeyword = part.hasClauses && kind !== "quoted" && before !== ".";
    if (kind === "symbol" && text === "(") {
      parts.push({ ...part, isTable: false });
      const { query, clause, isTable } = part;
      part = isQuery(tokens, at)
        ? { query: begin(query), clause: "other", isTable: false, changedBy: null, hasClauses: true }
        : { query, clause, isTable, changedBy: null, hasClauses: isTable };
    } else if (kind === "symbol" && text === ")") part = parts.pop() ?? part;
    else if (isKeyword && BRANCH.has(text)) {
      part = { ...part, query: begin(part.query.outer), clause: "other", isTable: false };
    } else if (isKeyword && text === "," && part.clause !== "other") {
      // Behind the condition of a join further tables may follow.
      part.clause = "tables";
      part.isTable = true;
    } else if (isKeyword && text === "into" && before === "insert") {
      const end = nameEnd(tokens, at + 1);
      const table = tokens[end]?.text ?? "";
      const skipped = tokens[end + 1]?.text === "as" ? 2 : 0;
      const alias = tokens[end + skipped]?.text ?? table;
      inserts.push({ table, alias, nameAt: at + 1, at: end + skipped + 1 });
      at = end + skipped;
    } else if (isKeyword && text === "using" && isList(tokens, at + 1)) {
      usings.push({ at: at + 1, query: part.query });
    } else if (isKeyword && beginsTables(text, before)) {
      part.clause = "tables";
      part.isTable = true;
      part.changedBy = text === "update" ? "update" : before === "delete" ? "delete" : null;
    } else if (isKeyword && CONDITION.has(text)) {
      const isOther = tokens[at + 1]?.text === "conflict" || before === "distinct";
      part.clause = isOther ? "other" : "condition";
    } else if (isKeyword && OTHER_CLAUSE.has(text)) part.clause = "other";
    else if (kind === "word" || kind === "quoted") {
      if (part.clause === "condition") names.push({ at, query: part.query });
      if (!part.isTable || text === "only" || text === "lateral") continue;
      part.isTable = false;
      const end = nameEnd(tokens, at);
      const table = tokens[end]?.text ?? "";
      if (tokens[end + 1]?.text === "(") continue;
      const aliasAt = end + (tokens[end + 1]?.text === "as" ? 2 : 1);
      const alias = tokens[aliasAt];
      const hasAlias = alias?.kind === "quoted" || (alias?.kind === "word" && !NO_ALIAS.has(alias.text));
      const { changedBy } = part;
      part.changedBy = null;
      part.query.tables.push({ table, alias: hasAlias ? alias.text : table, at, end, changedBy });
      at = hasAlias ? aliasAt : end;
    }
  }
  return { queries, names, usings, inserts };
}

function beginsTables(text: string, before: string): boolean {
  return (
    text === "join" ||
    text === "into" ||
    text === "using" ||
    ((text === "from" || text === "update") && !NO_COMMAND.has(before))
  );
}

/** Whether the parenthesis at this place holds a query. */
export function isQuery(tokens: readonly Token[], at: number): boolean {
  const first = tokens[at + 1];
  return first?.text === "(" ? isQuery(tokens, at + 1) : first?.kind === "word" && QUERY.has(first.text);
}

function isList(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.text === "(" && !isQuery(tokens, at);
}

/** Returns the place where the name that begins here ends: `"public"."goods"."id"` has five pieces. */
export function nameEnd(tokens: readonly Token[], at: number): number {
  let end = at;
  while (tokens[end + 1]?.text === ".") end += 2;
  return end;
}
