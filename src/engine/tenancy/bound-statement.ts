import { forbidden, type DomainError } from "../../core/errors/domain-error.js";
import { sqlOf, type Sql } from "../../core/db/sql.js";
import { MODELS, type ModelName } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS } from "../../generated/models.js";
import { TABLES_OF_FUNCTIONS } from "../../generated/sql-functions.js";
import { knownTexts } from "../reads/known-texts.js";
import { readOfKinds, reachOfTables, type Reach } from "./bound-rows.js";
import { statementTables, type InsertTarget, type TableReference } from "./sql-tables.js";
import { sqlTokens, type Token } from "./sql-tokens.js";

/** The values of the places in the conditions on what a bound caller reaches. */
export interface BoundValues {
  readonly company: number;
  /** Shops whose rows are written. */
  readonly shops: readonly number[];
  /** Branches besides. */
  readonly branches: readonly number[];
  /** Shops whose rows are read: these shops, and those of the branches. */
  readonly read: readonly number[];
  /** The admin that calls; `null` for a key. */
  readonly self: number | null;
}

/** The column that a statement answers besides its own, which says that a row was written within the bounds. */
export const WITHIN_BOUNDS = "within_bounds";

/** A statement with places for values: those of the statement by their numbers, and those of the bounds. */
interface BoundText {
  readonly strings: readonly string[];
  readonly places: readonly (number | keyof BoundValues)[];
}

/** The texts that are remembered, bound or refused. */
const MOST_TEXTS = { texts: 2_000, characters: 4_000_000 };
const known = knownTexts<BoundText | string>(MOST_TEXTS);

/**
 * Narrows a statement to what a caller reaches who is bound to shops: each table that it reads gives the rows within the bounds alone,
 * and each row that it changes or adds has to be within them.
 *
 * @throws DomainError FORBIDDEN for a statement that cannot be narrowed.
 */
export function boundStatement(statement: Pick<Sql, "text" | "values">, values: BoundValues): Sql {
  const { text } = statement;
  let bound = known.get(text);
  if (bound === undefined) known.set(text, (bound = narrowed(text)));
  if (typeof bound === "string") throw notNarrowed(bound);
  return sqlOf(
    bound.strings,
    bound.places.map((place) => (typeof place === "number" ? statement.values[place - 1] : values[place])),
  );
}

/**
 * The condition on rows of a model that a bound caller reads, for a statement on all rows of the company: `alias` is what it calls the
 * table. It holds for none where such a caller reads none.
 *
 * @param kinds are the models of the rows that rows of the model may be about; all unless they are given.
 */
export function reachedIn(
  model: ModelName,
  alias: string,
  values: BoundValues,
  kinds?: readonly string[],
): Sql {
  const reach = reachOf(MODEL_FACTS[model].table);
  const ofKinds = kinds === undefined ? null : readOfKinds(model, kinds);
  const read = reach === undefined ? "false" : (ofKinds ?? reach.read ?? "true");
  return conditionOf(named(read, `${alias}.`), values);
}

/** The same of rows that a bound caller writes. */
export function writtenIn(model: ModelName, alias: string, values: BoundValues): Sql {
  const { written = null } = reachOf(MODEL_FACTS[model].table) ?? {};
  return conditionOf(named(written ?? "false", `${alias}.`), values);
}

/** A condition with values in its places. */
function conditionOf(condition: string, values: BoundValues): Sql {
  const pieces = condition.split(/\{(\w+)\}/u);
  const strings = pieces.filter((_, index) => index % 2 === 0);
  const places = pieces.filter((_, index) => index % 2 === 1) as (keyof BoundValues)[];
  return sqlOf(
    strings,
    places.map((place) => values[place]),
  );
}

/** The reason why a statement is refused whose rows cannot be told apart by their shops. */
export const OF_ALL_SHOPS = "it goes by more than the rows of these";

/** The reason why a statement is refused that changes rows of the whole company. */
const OF_COMPANY = "it changes rows of the whole company, which they only read";

/** The refusal of what cannot be done within bounds. */
export function notNarrowed(reason: string): DomainError {
  return forbidden(`This is not for admins who are bound to shops or branches: ${reason}.`);
}

/** @throws DomainError FORBIDDEN for a model of which a bound caller writes no rows. */
export function assertWritten(model: ModelName): void {
  try {
    written(MODEL_FACTS[model].table);
  } catch (error) {
    throw error instanceof Unnarrowed ? notNarrowed(error.message) : error;
  }
}

/** Returns the narrowed statement, or the reason why there is none. */
function narrowed(text: string): BoundText | string {
  try {
    return new Narrowing(text).run();
  } catch (error) {
    if (error instanceof Unnarrowed) return error.message;
    throw error;
  }
}

class Unnarrowed extends Error {}

let reaches: ReadonlyMap<string, Reach> | undefined;
const reachOf = (table: string): Reach | undefined => (reaches ??= reachOfTables()).get(table);

const TABLES: ReadonlySet<string> = new Set(MODELS.map((model) => MODEL_FACTS[model].table));
const BEFORE_TABLES: ReadonlySet<string> = new Set([
  "from",
  "join",
  "update",
  "into",
  "only",
  "using",
  "lateral",
]);
/** Commands whose rows are not found here. */
const UNKNOWN_COMMANDS = ["merge", "truncate", "copy", "table"];

/** Columns that a table has and a query has not. */
const HIDDEN_COLUMNS = ["xmin", "xmax", "ctid", "tableoid"];

/** A text in the place of some pieces of a statement. */
interface Edit {
  /** The first piece that it stands for, and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

class Narrowing {
  private readonly tokens: readonly Token[];
  private readonly edits: Edit[] = [];

  constructor(private readonly text: string) {
    this.tokens = sqlTokens(text);
  }

  run(): BoundText {
    const { tokens } = this;
    if (this.text.includes("/* all companies */")) throw new Unnarrowed(OF_ALL_SHOPS);
    const command = tokens.find(({ kind, text }) => kind === "word" && UNKNOWN_COMMANDS.includes(text));
    if (command !== undefined) throw new Unnarrowed(OF_ALL_SHOPS);
    const hidden = tokens.find(({ kind, text }) => kind === "word" && HIDDEN_COLUMNS.includes(text));
    if (hidden !== undefined) throw new Unnarrowed(OF_ALL_SHOPS);
    const { queries, inserts } = statementTables(tokens);
    const references = queries.flatMap(({ tables }) => tables).filter(({ table }) => TABLES.has(table));
    this.assertAllFound(references, inserts);
    this.assertFunctions();
    for (const reference of references) {
      if (reference.changedBy === null) this.read(reference);
      else this.change(reference, reference.changedBy);
    }
    for (const insert of inserts) if (TABLES.has(insert.table)) this.insert(insert);
    return this.written();
  }

  /** Each name of a table that stands where a table does has to be one that was found. */
  private assertAllFound(references: readonly TableReference[], inserts: readonly InsertTarget[]): void {
    const found = new Set(references.map(({ end }) => end));
    for (const { nameAt, table } of inserts) {
      let at = nameAt;
      while (this.tokens[at]?.text !== table) at += 1;
      found.add(at);
    }
    this.tokens.forEach(({ kind, text }, at) => {
      if ((kind !== "word" && kind !== "quoted") || !TABLES.has(text) || found.has(at)) return;
      let start = at;
      while (this.tokens[start - 1]?.text === ".") start -= 2;
      if (BEFORE_TABLES.has(this.tokens[start - 1]?.text ?? "") && this.tokens[at + 1]?.text !== ".")
        throw new Unnarrowed(OF_ALL_SHOPS);
    });
  }

  private assertFunctions(): void {
    this.tokens.forEach(({ kind, text }, at) => {
      if (kind === "value" || this.tokens[at + 1]?.text !== "(" || !Object.hasOwn(TABLES_OF_FUNCTIONS, text))
        return;
      for (const table of TABLES_OF_FUNCTIONS[text] ?? [])
        if (!isOpen(table)) throw new Unnarrowed(OF_ALL_SHOPS);
    });
  }

  /** Puts the rows that are reached in the place of a table. */
  private read({ table, alias, at, end }: TableReference): void {
    const { read } = reachable(table);
    if (read === null) return;
    const { tokens } = this;
    const name = this.text.slice(tokens[at]?.start, tokens[end]?.end);
    const hasAlias = alias !== table || this.namesAlias(end, alias);
    // Tables within the condition may have columns of the same names: those of this table are called by its name.
    const rows = `(SELECT * FROM ${name} AS "of" WHERE "of"."company_id" = {company}::int AND ${named(read, `"of".`)})`;
    this.edits.push({ from: at, to: end + 1, text: hasAlias ? rows : `${rows} AS "${alias}"` });
  }

  private namesAlias(end: number, alias: string): boolean {
    const { tokens } = this;
    return tokens[end + (tokens[end + 1]?.text === "as" ? 2 : 1)]?.text === alias;
  }

  private change({ table, alias, at, end }: TableReference, command: "update" | "delete"): void {
    const reach = written(table);
    const finish = this.endAround(at);
    const where = this.wordWithin("where", end, finish);
    if (where === undefined) throw new Unnarrowed(OF_ALL_SHOPS);
    const returning = this.wordWithin("returning", where, finish);
    const kept = command === "update" ? this.keptAround(reach, end, where) : null;
    const own = kept === null ? reach.written : `${reach.written} AND ${kept}`;
    this.edits.push(
      { from: where + 1, to: where + 1, text: ` ${named(own, `"${alias}".`)} AND (` },
      { from: returning ?? finish, to: returning ?? finish, text: ") " },
    );
    if (command === "delete") return;
    this.assertStays(reach, end, where);
    this.check(reach.around === null ? reach : reach.ofNew, alias, { returning, finish });
  }

  private insert({ table, alias, at }: InsertTarget): void {
    const reach = written(table);
    const finish = this.endAround(at - 1);
    const returning = this.wordWithin("returning", at, finish);
    const conflict = this.wordWithin("conflict", at, finish);
    if (conflict !== undefined) this.assertStays(reach, conflict, returning ?? finish);
    this.check(reach.ofNew, alias, { returning, finish });
  }

  /** A row that the statement moves to another shop is not seen where it was; only single updates by keys move rows. */
  private assertStays({ columns }: WrittenReach, from: number, to: number): void {
    const set = this.tokens.findIndex(
      ({ text, kind }, at) => at > from && at < to && kind === "word" && text === "set",
    );
    if (set < 0) return;
    const moved = this.tokens.some(
      ({ kind, text }, at) =>
        at > set &&
        at < to &&
        kind !== "value" &&
        columns.has(text) &&
        this.tokens[at + 1]?.text === "=" &&
        this.tokens[at - 1]?.text !== ".",
    );
    if (moved && !this.isOwnUpdate()) throw new Unnarrowed("it moves rows to another shop");
  }

  /**
   * The condition that a row stays in the shop around it unless that is written, too; `null` for a statement that leaves the shop alone.
   * What would go beyond the bounds passes, and is refused as such once it is written.
   */
  private keptAround({ around }: WrittenReach, from: number, to: number): string | null {
    if (around === null) return null;
    const at = this.tokens.findIndex(
      ({ text }, place) =>
        place > from && place < to && text === around && this.tokens[place + 1]?.text === "=",
    );
    if (at < 0) return null;
    const value = /^\$(?<number>\d+)$/u.exec(this.tokens[at + 2]?.text ?? "")?.groups?.["number"];
    if (value === undefined) throw new Unnarrowed("it moves rows to another shop");
    const moved = `{${value}}::int`;
    return `(@"${around}" = ANY ({shops}::int[]) OR @"${around}" IS NOT DISTINCT FROM ${moved} OR NOT ${moved} = ANY ({read}::int[]))`;
  }

  /** Whether the statement is an update of one table alone: its condition sees the rows where they were. */
  private isOwnUpdate(): boolean {
    return this.tokens[0]?.text === "update";
  }

  /** Has the statement refuse a row that it has written beyond the bounds. */
  private check(
    { read, written: own }: WrittenReach["ofNew"],
    alias: string,
    { returning, finish }: { returning: number | undefined; finish: number },
  ): void {
    const [isWritten, isRead] = [own, read].map(
      (condition) => `coalesce(${named(condition, `"${alias}".`)}, false)`,
    );
    const call = `within_bounds(${isWritten}, ${isRead}) AS "${WITHIN_BOUNDS}"`;
    if (returning === undefined) this.edits.push({ from: finish, to: finish, text: ` RETURNING ${call}` });
    else this.edits.push({ from: returning + 1, to: returning + 1, text: ` ${call}, ` });
  }

  /** The place where the command ends of which this piece is a part. */
  private endAround(at: number): number {
    const { within } = this.tokens[at] as Token;
    if (within >= 0) return (this.tokens[within] as Token).partner;
    const last = this.tokens.length;
    return this.tokens[last - 1]?.text === ";" ? last - 1 : last;
  }

  /** The place of a word of the command itself, not of a query within it. */
  private wordWithin(word: string, from: number, to: number): number | undefined {
    const { within } = this.tokens[from] as Token;
    const at = this.tokens.findIndex(
      (token, place) =>
        place > from && place < to && token.kind === "word" && token.text === word && token.within === within,
    );
    return at < 0 ? undefined : at;
  }

  /** Writes the statement with its edits, and a place for each value. */
  private written(): BoundText {
    const strings: string[] = [""];
    const places: (number | keyof BoundValues)[] = [];
    const add = (text: string): void => void strings.push(`${strings.pop() ?? ""}${text}`);
    const place = (value: number | keyof BoundValues): void => {
      places.push(value);
      strings.push("");
    };
    const insert = ({ text }: Edit): void => {
      text
        .split(/\{(\w+)\}/u)
        .forEach((piece, index) => (index % 2 === 0 ? add(piece) : place(placeOf(piece))));
    };
    const edits = this.edits.map((edit, order) => ({ ...edit, order }));
    edits.sort((a, b) => a.from - b.from || a.order - b.order);
    let from = 0;
    for (let at = 0; at <= this.tokens.length; at += 1) {
      const token = this.tokens[at];
      let skipped = 0;
      for (const edit of edits.filter((one) => one.from === at)) {
        add(`${this.text.slice(from, token?.start)} `);
        from = token?.start ?? this.text.length;
        insert(edit);
        if (edit.to > at) {
          skipped = edit.to - at;
          from = (this.tokens[edit.to - 1] as Token).end;
        }
      }
      if (skipped > 0) {
        at += skipped - 1;
        continue;
      }
      if (token?.kind !== "value" || !/^\$\d+$/u.test(token.text)) continue;
      add(this.text.slice(from, token.start));
      from = token.end;
      place(Number(token.text.slice(1)));
    }
    add(this.text.slice(from));
    return { strings, places };
  }
}

/** A place in an edit: the number of a value of the statement, or the name of one of the bounds. */
const placeOf = (text: string): number | keyof BoundValues =>
  /^\d+$/u.test(text) ? Number(text) : (text as keyof BoundValues);

/** Whether all rows of a table are read. */
function isOpen(table: string): boolean {
  return reachOf(table)?.read === null;
}

function reachable(table: string): Reach {
  const reach = reachOf(table);
  if (reach === undefined) throw new Unnarrowed(OF_ALL_SHOPS);
  return reach;
}

/** What is reached of a table of which rows are written. */
interface WrittenReach {
  readonly read: string;
  readonly written: string;
  readonly ofNew: NonNullable<Reach["ofNew"]>;
  readonly columns: ReadonlySet<string>;
  readonly around: string | null;
}

function written(table: string): WrittenReach {
  const { read, written: own, ofNew, columns, around } = reachable(table);
  if (own === null || read === null || ofNew === null) throw new Unnarrowed(OF_COMPANY);
  return { read, written: own, ofNew, columns, around };
}

/** Names the columns of a condition. */
const named = (condition: string, qualifier: string): string => condition.replaceAll("@", qualifier);
