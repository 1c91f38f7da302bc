import { DomainError } from "../errors/domain-error.js";
import { parseMoment } from "../time/moments.js";
import type { Filter, ListField } from "./list-definition.js";

/** Conditions in Prisma's words, and those of `engine/data/compile-read.ts` beside them. */
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
export const FILTER_LIMITS = { values: 200, depth: 3, words: 10 } as const;
/** The operators that look for parts of texts: each part may be sought in every row of a company. */
const PART_OPERATORS: ReadonlySet<string> = new Set(["contains", "startsWith", "words"]);
/** A part of a text counts as this many values. */
const VALUES_OF_PART = 10;

/**
 * Turns a filter input into conditions, all of which must hold. A null counts as not equal to every value, unlike in
 * SQL, and `not` takes every row that its conditions leave out.
 *
 * @throws DomainError BAD_REQUEST for an unknown field, for null as an operand, for text that is no moment, and for too
 *   many values or too deep a nesting.
 */
export function compileFilter(
  filter: Filter | null | undefined,
  fields: Readonly<Record<string, ListField>>,
  rewrites: Rewrites = {},
): Where[] {
  if (filter === null || filter === undefined) return [];
  assertFewValues(filter);
  return new FilterCompiler(fields, rewrites).all(filter, "filter", 1);
}

function assertFewValues(filter: Filter): void {
  const values = valuesIn(filter);
  if (values <= FILTER_LIMITS.values) return;
  throw wrong("filter", "max_values", `has ${values} values, at most ${FILTER_LIMITS.values} are allowed`);
}

function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return value === undefined ? 0 : 1;
  return Object.entries(value).reduce((sum, [key, item]) => sum + valuesOf(key, item), 0);
}

function valuesOf(key: string, value: unknown): number {
  if (typeof value !== "string" || !PART_OPERATORS.has(key)) return valuesIn(value);
  return (key === "words" ? wordsIn(value).length : 1) * VALUES_OF_PART;
}

class FilterCompiler {
  constructor(
    private readonly fields: Readonly<Record<string, ListField>>,
    private readonly rewrites: Rewrites,
  ) {}

  /** @param place names the filter or the part of it, as in `filter.or.0`. */
  all(filter: Filter, place: string, depth: number): Where[] {
    if (depth > FILTER_LIMITS.depth)
      throw wrong(place, "max_depth", `is deeper than ${FILTER_LIMITS.depth} filters`);
    return Object.entries(filter).flatMap(([name, value]): Where[] => {
      if (value === undefined || value === null) return [];
      const at = `${place}.${name}`;
      if (name === "or") return this.alternatives(value as Filter[], at, depth + 1);
      if (name === "not") return [{ NOT: this.part(value as Filter, at, depth + 1) }];
      return this.onField(name, value as Conditions, at);
    });
  }

  private alternatives(filters: readonly Filter[], place: string, depth: number): Where[] {
    if (filters.length === 0) return [];
    return [{ OR: filters.map((filter, index) => this.part(filter, `${place}.${index}`, depth)) }];
  }

  private part(filter: Filter, place: string, depth: number): Where {
    const conditions = this.all(filter, place, depth);
    if (conditions.length === 0) throw wrong(place, "required", "has no condition");
    return { AND: conditions };
  }

  private onField(name: string, conditions: Conditions, place: string): Where[] {
    const field = this.fields[name];
    if (field === undefined) throw wrong(place, "unknown", "is no filter");
    const rewrite = this.rewrites[name];
    const compiled = Object.entries(conditions).flatMap(([operator, value]): Where[] => {
      if (value === undefined) return [];
      const condition = conditionOn(name, field, operator, value, place);
      const orNull = field.nullable === true && (operator === "ne" || operator === "nin");
      return [orNull ? { OR: [condition, { [name]: null }] } : condition];
    });
    return rewrite === undefined || compiled.length === 0 ? compiled : [rewrite(conditions)];
  }
}

function conditionOn(name: string, field: ListField, operator: string, value: unknown, place: string): Where {
  const at = `${place}.${operator}`;
  if (operator === "isNull") {
    if (value === null) throw wrong(at, "type", "is null; must be true or false");
    if (field.nullable !== true) return value === true ? { [name]: { in: [] } } : EVERY_ROW;
    return { [name]: value === true ? { equals: null } : { not: null } };
  }
  if (value === null) throw wrong(at, "type", "is null; use isNull");
  if ([value].flat().some((item) => typeof item === "string" && item.includes("\0")))
    throw wrong(at, "format", "holds a character that no text has");
  if (field.kind === "texts") return { [name]: { foldedOverlaps: [value].flat() } };
  if (field.kind === "dateTime") return momentCondition(name, operator, value, place);
  if (operator === "words") return wordsCondition(name, value as string, at);
  if (field.ignoresCase === true && operator in CASELESS) return caselessCondition(name, operator, value);
  const caselessOrder = field.ignoresCase === true ? CASELESS_ORDER[operator] : undefined;
  if (caselessOrder !== undefined) return { [name]: { [caselessOrder]: value } };
  if (field.kind === "code")
    return {
      [name]: { [operator === "startsWith" ? operator : (OPERATORS[operator] as string)]: inCapitals(value) },
    };
  return { [name]: { [OPERATORS[operator] as string]: value } };
}

function wordsCondition(name: string, text: string, place: string): Where {
  const words = wordsIn(text);
  if (words.length > FILTER_LIMITS.words)
    throw wrong(place, "max_values", `has ${words.length} words, at most ${FILTER_LIMITS.words} are allowed`);
  if (words.length === 0) return EVERY_ROW;
  return { AND: words.map((word) => ({ [name]: { foldedContains: word } })) };
}

function wordsIn(text: string): string[] {
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
function momentCondition(name: string, operator: string, value: unknown, place: string): Where {
  if (Array.isArray(value)) {
    const each = value.map((item) => momentCondition(name, operator === "in" ? "eq" : "ne", item, place));
    if (each.length === 0) return operator === "in" ? { [name]: { in: [] } } : EVERY_ROW;
    return operator === "in" ? { OR: each } : { AND: each };
  }
  const start = secondOf(value, place);
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
function secondOf(value: unknown, place: string): Date {
  const parsed = parseMoment(value as string);
  if (parsed === null) throw wrong(place, "datetime", "is not a date");
  return new Date(Math.floor(parsed.getTime() / SECOND_MS) * SECOND_MS);
}

function wrong(field: string, rule: string, message: string): DomainError {
  return new DomainError("BAD_REQUEST", `${field} ${message}.`, { errors: [{ field, rule, message }] });
}
