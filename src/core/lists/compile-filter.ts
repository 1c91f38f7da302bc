import { parseMoment } from "../time/moments.js";
import type { Derived, Filter, ListField } from "./list-definition.js";
import { RowsOf } from "./rows-of.js";

/** Conditions in Prisma's words, and those of `engine/reads/compile-read.ts` beside them. */
export type Where = Record<string, unknown>;
export type Conditions = Readonly<Record<string, unknown>>;
/** Puts the conditions on a field in terms of others, for fields that are no plain column. */
export type Rewrites = Readonly<Record<string, (conditions: Conditions) => Where>>;

/** A condition that every row fits. */
export const EVERY_ROW: Where = { id: { not: null } };

const OPERATORS: Readonly<Record<string, string>> = {
  eq: "equals",
  ne: "not",
  in: "in",
  nin: "notIn",
  lt: "lt",
  lte: "lte",
  gt: "gt",
  gte: "gte",
  contains: "foldedContains",
  startsWith: "foldedStartsWith",
};
/** What filters may hold, so that no list asks the database for too much (contract §4.3). */
export const FILTER_LIMITS = { values: 200, listed: 1_000, depth: 3, words: 10 } as const;

/**
 * Turns a filter input into conditions, all of which must hold. A null counts as not equal to every value, unlike in
 * SQL, and `not` takes every row that its conditions leave out.
 *
 * @param filter has been checked by `listErrors`.
 */
export function compileFilter(
  filter: Filter | null | undefined,
  fields: Readonly<Record<string, ListField>>,
  rewrites: Rewrites = {},
): Where[] {
  if (filter === null || filter === undefined) return [];
  return new FilterCompiler(fields, rewrites).all(filter);
}

class FilterCompiler {
  constructor(
    private readonly fields: Readonly<Record<string, ListField>>,
    private readonly rewrites: Rewrites,
  ) {}

  all(filter: Filter): Where[] {
    return Object.entries(filter).flatMap(([name, value]): Where[] => {
      if (value === undefined || value === null) return [];
      if (name === "or") return [{ OR: (value as Filter[]).map((part) => ({ AND: this.all(part) })) }];
      if (name === "not") return [{ NOT: { AND: this.all(value as Filter) } }];
      return this.onField(name, value as Conditions);
    });
  }

  private onField(name: string, conditions: Conditions): Where[] {
    const field = this.fields[name] as ListField;
    const rewrite = this.rewrites[name];
    const compiled = Object.entries(conditions).flatMap(([operator, value]): Where[] => {
      if (value === undefined) return [];
      const condition = conditionOn(name, field, operator, value);
      const orNull = field.nullable === true && (operator === "ne" || operator === "nin");
      return [orNull ? { OR: [condition, { [name]: null }] } : condition];
    });
    return rewrite === undefined || compiled.length === 0 ? compiled : [rewrite(conditions)];
  }
}

function conditionOn(name: string, field: ListField, operator: string, value: unknown): Where {
  if (field.derived !== undefined) return derivedCondition(field.derived, operator, value);
  if (operator === "isNull") {
    if (field.nullable !== true) return value === true ? { [name]: { in: [] } } : EVERY_ROW;
    return { [name]: value === true ? { equals: null } : { not: null } };
  }
  if (field.kind === "texts") return { [name]: { foldedOverlaps: [value].flat() } };
  if (field.kind === "dateTime") return momentCondition(name, operator, value);
  if (field.kind === "externalId") return externalIdCondition(name, operator, value);
  if (operator === "words") return wordsCondition(name, value as string);
  if (field.ignoresCase === true && operator in CASELESS) return caselessCondition(name, operator, value);
  const caselessOrder = field.ignoresCase === true ? CASELESS_ORDER[operator] : undefined;
  if (caselessOrder !== undefined) return { [name]: { [caselessOrder]: value } };
  if (isFoundByParts(field) && operator in SAME_TEXT)
    return { [name]: { [SAME_TEXT[operator] as string]: value } };
  if (field.kind === "code")
    return {
      [name]: { [operator === "startsWith" ? operator : (OPERATORS[operator] as string)]: inCapitals(value) },
    };
  return { [name]: { [OPERATORS[operator] as string]: value } };
}

function derivedCondition(derived: Derived, operator: string, value: unknown): Where {
  if ("of" in derived) return linkedCondition(derived, operator, value);
  if (operator === "isNull") return value === true ? { id: { in: [] } } : EVERY_ROW;
  const isWanted = (value === true) === (operator === "eq");
  if ("filled" in derived) return { [derived.filled]: { isEmpty: !isWanted } };
  const holds = { [derived.mask]: { hasBits: derived.bits } };
  return isWanted ? holds : { NOT: holds };
}

/** The rows of the other model are those of the company whose rows are asked for. */
function linkedCondition(
  { of, key, field, where }: Extract<Derived, { of: unknown }>,
  operator: string,
  value: unknown,
): Where {
  const named = operator === "isNull" ? {} : { [field]: { in: [value].flat() } };
  const rows = { id: { in: new RowsOf<Where>(of, key, { AND: [where ?? {}, named] }) } };
  return operator === "eq" || operator === "in" || value === false ? rows : { NOT: rows };
}

/** Whether the index of filters finds a text by its parts alone, since nothing orders by it. */
function isFoundByParts({ kind, sortable }: ListField): boolean {
  return kind === "text" && sortable === false;
}

const SAME_TEXT: Readonly<Record<string, string>> = { eq: "sameText", in: "amongTexts" };

function externalIdCondition(name: string, operator: string, value: unknown): Where {
  const among = { [name]: { amongExternalIds: [value].flat() } };
  return operator === "eq" || operator === "in" ? among : { NOT: among };
}

function wordsCondition(name: string, text: string): Where {
  const words = wordsIn(text);
  if (words.length === 0) return EVERY_ROW;
  return { AND: words.map((word) => ({ [name]: { foldedContains: word } })) };
}

/** Returns the different words of a text. */
export function wordsIn(text: string): string[] {
  return [...new Set(text.split(/\s+/u).filter((word) => word !== ""))];
}

const CASELESS: Readonly<Record<string, true>> = { eq: true, ne: true, in: true, nin: true };
const CASELESS_ORDER: Readonly<Record<string, string>> = {
  lt: "foldedLt",
  lte: "foldedLte",
  gt: "foldedGt",
  gte: "foldedGte",
};

function caselessCondition(name: string, operator: string, value: unknown): Where {
  const texts = [value].flat();
  const among =
    texts.length === 0
      ? { [name]: { in: [] } }
      : { OR: texts.map((text) => ({ [name]: { foldedEquals: text } })) };
  return operator === "eq" || operator === "in" ? among : { NOT: among };
}

/** Writes codes as they are stored, since they are matched without regard to case. */
function inCapitals(value: unknown): unknown {
  return Array.isArray(value) ? value.map(inCapitals) : (value as string).toUpperCase();
}

const SECOND_MS = 1_000;
/** The last moment that JavaScript and PostgreSQL write alike. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Answers show moments to the second, and the database keeps them finer: a moment in a filter means its whole
 * second, with a fraction too.
 */
function momentCondition(name: string, operator: string, value: unknown): Where {
  if (Array.isArray(value)) {
    const each = value.map((item) => momentCondition(name, operator === "in" ? "eq" : "ne", item));
    if (each.length === 0) return operator === "in" ? { [name]: { in: [] } } : EVERY_ROW;
    return operator === "in" ? { OR: each } : { AND: each };
  }
  const start = secondOf(value);
  const end = new Date(Math.min(start.getTime() + SECOND_MS, LAST_MOMENT));
  switch (operator) {
    case "eq":
      return { [name]: { gte: start, lt: end } };
    case "ne":
      return { OR: [{ [name]: { lt: start } }, { [name]: { gte: end } }] };
    case "lte":
      return { [name]: { lt: end } };
    case "gt":
      return { [name]: { gte: end } };
    default:
      return { [name]: { [operator]: start } };
  }
}

/** Reads the second of a moment of a filter; without an offset of its own it is UTC, as answers show it. */
function secondOf(value: unknown): Date {
  const moment = parseMoment(value as string) as Date;
  return new Date(Math.floor(moment.getTime() / SECOND_MS) * SECOND_MS);
}
