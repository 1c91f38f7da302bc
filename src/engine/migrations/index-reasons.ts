import type pg from "pg";
import { snakeCaseOf } from "../../core/names.js";

/** What a list asks of the indexes of its table, by columns. */
export interface ListNeeds {
  readonly list: string;
  readonly table: string;
  readonly orders: readonly string[];
  readonly filters: readonly string[];
}

/** What people have written of indexes: a sentence by `table(columns)` for those of the schema, by name for others. */
export type WrittenReasons = ReadonlyMap<string, string>;

/** An index of a database, with the columns and expressions of its keys. */
interface FoundIndex {
  readonly name: string;
  readonly table: string;
  readonly keys: readonly string[];
  readonly isBtree: boolean;
  readonly isPrimary: boolean;
  readonly isUnique: boolean;
  /** The columns of each foreign key of the table, without the company. */
  readonly links: readonly (readonly string[])[];
}

/**
 * Returns what needs each index of a database, by its name: lists, relations, rules, and what stands above the index where it is
 * declared. The text is empty for an index that nobody names.
 */
export async function indexReasons(
  client: pg.Client,
  lists: readonly ListNeeds[],
  written: WrittenReasons,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<FoundIndex>(INDEXES);
  const filters = rows.filter(({ isBtree }) => !isBtree);
  return new Map(
    rows.map((index) => {
      const others = filters.filter(({ table, name }) => table === index.table && name !== index.name);
      return [index.name, [...reasonsOf(index, { lists, written, others })].join("; ")];
    }),
  );
}

/** Returns statements that write the reasons where operators look for them. */
export function commentsOn(reasons: ReadonlyMap<string, string>): string {
  return [...reasons]
    .filter(([, reason]) => reason !== "")
    .map(([name, reason]) => `COMMENT ON INDEX "${name}" IS '${reason.replaceAll("'", "''")}';\n`)
    .join("");
}

interface Needs {
  readonly lists: readonly ListNeeds[];
  readonly written: WrittenReasons;
  /** Indexes of filters that the table has besides: what they find needs no other index. */
  readonly others: readonly FoundIndex[];
}

function* reasonsOf(index: FoundIndex, { lists, written, others }: Needs): Generator<string> {
  const { table, keys, isPrimary, isUnique, links } = index;
  const own = keys.filter((key) => key !== "company_id");
  if (isPrimary) yield "key of the rows";
  else if (isUnique) yield `rule: one row for each ${own.join(", ")}`.replace(/ $/u, " company");
  for (const { list, orders, filters } of lists.filter((one) => one.table === table)) {
    const ordered = isOrder(own) ? orders.filter((column) => column === orderOf(own)) : [];
    const isElsewhere = (column: string): boolean => others.some((other) => finds(other, other.keys, column));
    const filtered = filters.filter(
      (column) => finds(index, own, column) && (ordered.includes(column) || !isElsewhere(column)),
    );
    const uses = [...ordered.map((column) => `order by ${column}`), ...filtersBy(filtered)];
    if (uses.length > 0) yield `list ${list}: ${uses.join(", ")}`;
  }
  const relations = links.filter((columns) => leadsTo(index, own, columns)).flat();
  if (relations.length > 0) yield `relation by ${relations.join(", ")}`;
  const said = written.get(index.name) ?? written.get(`${table}(${keys.join()})`);
  if (said !== undefined) yield said;
}

function filtersBy(columns: readonly string[]): string[] {
  return columns.length === 0 ? [] : [`filters by ${columns.join(", ")}`];
}

/** Whether rows come in the order of one column and their ids. */
function isOrder(own: readonly string[]): boolean {
  return own.at(-1) === "id";
}

function orderOf(own: readonly string[]): string {
  return own.at(-2) ?? "id";
}

/** Whether the index finds the values of a column, or parts of them. */
function finds({ isBtree }: FoundIndex, own: readonly string[], column: string): boolean {
  if (isBtree) return own[0] === column || (own.length > 2 && orderOf(own) === column);
  return [column, `folded(${column})`, `folded_texts(${column})`].some((key) => own.includes(key));
}

function leadsTo({ isBtree }: FoundIndex, own: readonly string[], columns: readonly string[]): boolean {
  const first = isBtree ? own.slice(0, columns.length) : own;
  return columns.length > 0 && columns.every((column) => first.includes(column));
}

/** Reads what stands above the indexes of a script: a comment is of all that follow it up to an empty line. */
export function reasonsInSql(script: string): [string, string][] {
  return script.split(/\n\s*\n/u).flatMap((block) => {
    const said = sentence([...block.matchAll(/^--(?<line>.*)$/gmu)]);
    const names = [...block.matchAll(/^CREATE (?:UNIQUE )?INDEX "?(?<name>\w+)"?/gmu)];
    return said === "" ? [] : names.map(({ groups }): [string, string] => [groups?.["name"] ?? "", said]);
  });
}

/** Reads what stands above the indexes of a file of the schema: a comment is of the one index after it. */
export function reasonsInSchema(schema: string): [string, string][] {
  return [...schema.matchAll(/^model \w+ \{\n(?<body>[^]*?)^\}/gmu)].flatMap(({ groups }) => {
    const body = groups?.["body"] ?? "";
    const table = /^ {2}@@map\("(?<table>\w+)"\)/mu.exec(body)?.groups?.["table"] ?? "";
    const columnOf = (field: string): string =>
      new RegExp(`^ {2}${field} .*@map\\("(?<column>\\w+)"\\)`, "mu").exec(body)?.groups?.["column"] ??
      snakeCaseOf(field);
    const indexes = body.matchAll(/(?<said>(?:^ {2}\/\/ .*\n)+) {2}@@index\(\[(?<fields>[\w, ]+)\]/gmu);
    return [...indexes].map((index): [string, string] => {
      const columns = (index.groups?.["fields"] ?? "").split(/, */u).map(columnOf);
      const lines = [...(index.groups?.["said"] ?? "").matchAll(/^ {2}\/\/(?<line>.*)$/gmu)];
      return [`${table}(${columns.join()})`, sentence(lines)];
    });
  });
}

function sentence(lines: readonly RegExpMatchArray[]): string {
  return lines
    .map(({ groups }) => (groups?.["line"] ?? "").trim())
    .join(" ")
    .trim();
}

const INDEXES = `
  SELECT x.relname AS name, c.relname AS "table", m.amname = 'btree' AS "isBtree", i.indisprimary AS "isPrimary",
         i.indisunique AS "isUnique",
         (SELECT array_agg(pg_get_indexdef(i.indexrelid, k, true) ORDER BY k) FROM generate_series(1, i.indnkeyatts) AS k) AS keys,
         (SELECT coalesce(json_agg(columns ORDER BY key), '[]') FROM (
            SELECT f.oid AS key, (SELECT json_agg(a.attname ORDER BY a.attname) FROM pg_attribute a
                     WHERE a.attrelid = f.conrelid AND a.attnum = ANY (f.conkey) AND a.attname <> 'company_id') AS columns
              FROM pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f') AS keys WHERE columns IS NOT NULL) AS links
    FROM pg_index i
    JOIN pg_class c ON c.oid = i.indrelid
    JOIN pg_class x ON x.oid = i.indexrelid
    JOIN pg_am m ON m.oid = x.relam
   WHERE x.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'
   ORDER BY c.relname, x.relname`;
