import type { FieldError } from "../errors/domain-error.js";
import { FILTER_LIMITS, wordsIn } from "./compile-filter.js";
import type { ListField } from "./list-definition.js";

/** The operators that look for parts of texts: each part may be sought in every row of a company. */
const PART_OPERATORS: ReadonlySet<string> = new Set(["contains", "startsWith", "words"]);
/** A part of a text counts as this many values. */
const VALUES_OF_PART = 10;
const LIST_OPERATORS: ReadonlySet<string> = new Set(["in", "nin"]);
/**
 * The number of values of a list that count as one: PostgreSQL gets them as one parameter, and finds each by an index or a
 * hash.
 */
const LISTED_FOR_ONE = 10;

type Values = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, ListField | undefined>>;

/**
 * Finds what the types of a filter allow and the list does not: null as an operand, alternatives and negations without a
 * condition, too many words or values, too deep a nesting.
 *
 * @param filter may hold values that are not of their types: they are reported elsewhere, and are passed over here.
 */
export function filterErrors(filter: unknown, fields: Fields): FieldError[] {
  if (!isRecord(filter)) return [];
  const check = new FilterCheck(fields);
  check.hasCondition(filter, "filter", 1);
  const values = Math.ceil(valuesIn(filter, fields));
  if (values > FILTER_LIMITS.values)
    check.add("filter", "max_values", `has ${values} values, at most ${FILTER_LIMITS.values} are allowed`);
  return check.errors;
}

class FilterCheck {
  readonly errors: FieldError[] = [];

  constructor(private readonly fields: Fields) {}

  add(field: string, rule: string, message: string): void {
    this.errors.push({ field, rule, message });
  }

  /**
   * Checks a filter and says whether it has a condition, be it a wrong one.
   *
   * @param place names the filter or the part of it, as in `filter.or[0]`.
   */
  hasCondition(filter: Values, place: string, depth: number): boolean {
    if (depth > FILTER_LIMITS.depth) {
      this.add(place, "max_depth", `is deeper than ${FILTER_LIMITS.depth} filters`);
      return true;
    }
    const found = Object.entries(filter).map(([name, value]) => {
      if (value === undefined || value === null) return false;
      const at = `${place}.${name}`;
      if (name === "or") return this.alternatives([value].flat(), at, depth + 1);
      if (name === "not") return this.part(value, at, depth + 1);
      return this.onField(name, value, at);
    });
    return found.includes(true);
  }

  private alternatives(filters: readonly unknown[], place: string, depth: number): boolean {
    if (filters.length === 0) this.add(place, "required", "has no alternative");
    for (const [index, filter] of filters.entries()) this.part(filter, `${place}[${index}]`, depth);
    return true;
  }

  private part(filter: unknown, place: string, depth: number): boolean {
    if (isRecord(filter) && !this.hasCondition(filter, place, depth))
      this.add(place, "required", "has no condition");
    return true;
  }

  private onField(name: string, conditions: unknown, place: string): boolean {
    const field = this.fields[name];
    if (field === undefined || !isRecord(conditions)) return true;
    const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
    for (const [operator, value] of given) this.operand(field, operator, value, `${place}.${operator}`);
    return given.length > 0;
  }

  private operand({ kind }: ListField, operator: string, value: unknown, place: string): void {
    if (value === null) this.add(place, "type", nullMessage(kind, operator));
    if (Array.isArray(value) && value.length > FILTER_LIMITS.listed)
      this.add(place, "max_items", `has ${value.length} values, at most ${FILTER_LIMITS.listed} are allowed`);
    if (operator !== "words" || typeof value !== "string") return;
    const { length } = wordsIn(value);
    if (length > FILTER_LIMITS.words)
      this.add(place, "max_values", `has ${length} words, at most ${FILTER_LIMITS.words} are allowed`);
  }
}

function nullMessage(kind: ListField["kind"], operator: string): string {
  if (operator === "isNull") return "is null; must be true or false";
  return kind === "texts" || kind === "keys" ? "must not be null" : "is null; use isNull";
}

/** How much of what a filter may hold it takes up. */
function valuesIn(filter: unknown, fields: Fields): number {
  if (Array.isArray(filter)) return sum(filter, (part) => valuesIn(part, fields));
  if (!isRecord(filter)) return plainValues(filter);
  return sum(Object.entries(filter), ([name, value]) => {
    if (name === "or" || name === "not") return valuesIn(value, fields);
    if (!isRecord(value)) return plainValues(value);
    return sum(Object.entries(value), ([operator, operand]) => valuesOf(fields[name], operator, operand));
  });
}

function valuesOf(field: ListField | undefined, operator: string, operand: unknown): number {
  if (isOneCondition(field, operator, operand)) return operand.length / LISTED_FOR_ONE;
  if (typeof operand !== "string" || !PART_OPERATORS.has(operator)) return plainValues(operand);
  return (operator === "words" ? wordsIn(operand).length : 1) * VALUES_OF_PART;
}

/** Returns whether all values of a list are compared at once; moments and texts in any case are so one by one. */
function isOneCondition(
  field: ListField | undefined,
  operator: string,
  operand: unknown,
): operand is readonly unknown[] {
  if (field === undefined || !LIST_OPERATORS.has(operator) || !Array.isArray(operand)) return false;
  return field.kind !== "dateTime" && field.kind !== "texts" && field.ignoresCase !== true;
}

function plainValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return value === undefined ? 0 : 1;
  return sum(Object.values(value), plainValues);
}

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}

function isRecord(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
