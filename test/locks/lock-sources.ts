import { readdirSync, readFileSync } from "node:fs";

const ROOT = new URL("../../src/", import.meta.url);

/** How strongly rows are locked, as SQL says it, with the mode of the lock that a session shows that waits for one. */
export const MODE_OF_STRENGTH = {
  "FOR UPDATE": "AccessExclusiveLock",
  "FOR NO KEY UPDATE": "ExclusiveLock",
  "FOR SHARE": "RowShareLock",
  "FOR KEY SHARE": "AccessShareLock",
} as const;

/** A statement of the sources that locks rows of a table. */
export interface RowLock {
  /** The file below `src`, the function within it, and the table: `slices/forms/form.sql.ts lockBranch: branches`. */
  readonly name: string;
  readonly table: string;
  readonly strength: keyof typeof MODE_OF_STRENGTH;
  /** Says whether it leaves out rows that are locked. */
  readonly skips: boolean;
  /** What the text of the statement looks like when it is sent; `null` for a statement of a function in the database. */
  readonly sent: RegExp | null;
}

const LOCKS = /(FOR (?:NO KEY UPDATE|UPDATE|SHARE|KEY SHARE))(?: OF (\w+))?( SKIP LOCKED)?/gu;
const TABLES =
  /\b(?:FROM|JOIN) (?:"?([\w.]+)"?|\$\{(\w+)\})(?: (?:AS )?(?!WHERE\b|JOIN\b|ON\b|ORDER\b|FOR\b)(\w+))?/gu;

/** Finds all row locks of the sources, one for each table of each statement. */
export function rowLocksOfSources(): RowLock[] {
  return readdirSync(ROOT, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:ts|sql)$/u.test(file) && !file.startsWith("generated/"))
    .sort()
    .flatMap((file) => rowLocksOf(file, readFileSync(new URL(file, ROOT), "utf8")));
}

function rowLocksOf(file: string, text: string): RowLock[] {
  const isFunction = file.endsWith(".sql");
  const source = text.replace(isFunction ? /--.*$/gmu : /\/\*\*[^]*?\*\/|^\s*\/\/.*$/gmu, "");
  return [...source.matchAll(LOCKS)].flatMap(({ 0: clause, 1: strength, 2: only, 3: skips, index }) => {
    const places = tablesOf(statementBefore(source, index)).filter(
      ({ table, alias }) => only === undefined || only === alias || only === table,
    );
    if (places.length === 0) throw new Error(`${file}: no table is found that ${clause} locks`);
    const owner = isFunction ? "" : ` ${functionAround(source, index)}`;
    return places.map(({ table }) => ({
      name: `${file}${owner}: ${table}`,
      table,
      strength: strength as RowLock["strength"],
      skips: skips !== undefined,
      sent: isFunction ? null : patternOf(templateAround(source, index)),
    }));
  });
}

/** The text of the statement that ends here, without what stands in parentheses. */
function statementBefore(source: string, end: number): string {
  let depth = 0;
  let statement = "";
  for (let at = end - 1; at >= 0; at -= 1) {
    const char = source.charAt(at);
    if (char === ")") depth += 1;
    else if (char === "(") depth -= 1;
    else if (depth === 0) statement = char + statement;
    if (depth < 0 || (depth === 0 && (char === ";" || char === "`"))) break;
  }
  return statement.slice(statement.search(/\b(?:SELECT|PERFORM)\b(?![^]*\b(?:SELECT|PERFORM)\b)/u));
}

function tablesOf(statement: string): { table: string; alias: string | undefined }[] {
  return [...statement.replace(/\s+/gu, " ").matchAll(TABLES)].map(([, name, placeholder, alias]) => ({
    table: (name ?? placeholder) as string,
    alias,
  }));
}

function functionAround(source: string, at: number): string {
  const names = [...source.slice(0, at).matchAll(/^(?:export )?(?:async )?function (\w+)/gmu)];
  return names.at(-1)?.[1] ?? "";
}

function templateAround(source: string, at: number): string {
  return source.slice(source.lastIndexOf("`", at) + 1, source.indexOf("`", at));
}

/** Matches the template with anything in the place of its parameters. */
function patternOf(template: string): RegExp {
  const parts = template.trim().split(/\$\{[^}]*\}/u);
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&").replace(/\s+/gu, "\\s+"));
  return new RegExp(`^\\s*${escaped.join("[^]*?")}\\s*$`, "u");
}
