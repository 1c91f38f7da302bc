import { DomainError } from "../errors/domain-error.js";
import { parseMoment } from "../time/moments.js";
import type { ListField } from "./list-definition.js";

export type Where = Record<string, unknown>;
type Conditions = Readonly<Record<string, unknown>>;

const OPERATORS: Readonly<Record<string, string>> = {
  eq: "equals",
  ne: "not",
  in: "in",
  nin: "notIn",
  lt: "lt",
  lte: "lte",
  gt: "gt",
  gte: "gte",
  contains: "contains",
  startsWith: "startsWith",
};
/** Operators on lists of texts, in Prisma's words. */
const LIST_OPERATORS: Readonly<Record<string, string>> = { eq: "has", contains: "has", in: "hasSome" };
/** A filter may have at most this many values, so that no list asks the database for too much (contract §4.3). */
export const MAX_FILTER_VALUES = 200;
const PATTERN_OPERATORS: ReadonlySet<string> = new Set(["contains", "startsWith"]);

/**
 * Turns a filter input into conditions, one for each field and operator; all of them must hold. A null counts as not
 * equal to every value, unlike in SQL.
 *
 * @throws DomainError BAD_REQUEST for an unknown field, for null as an operand, for text that is no moment, and for too
 *   many values.
 */
export function compileFilter(
  filter: Readonly<Record<string, Conditions | null>> | null | undefined,
  fields: Readonly<Record<string, ListField>>,
): Where[] {
  const conditions: Where[] = [];
  assertFewValues(filter ?? {});
  for (const [name, operators] of Object.entries(filter ?? {})) {
    const field = fields[name];
    if (field === undefined) throw wrong(name, "unknown", "is no filter");
    for (const [operator, value] of Object.entries(operators ?? {})) {
      if (value === undefined) continue;
      const condition = conditionOn(name, field, operator, value);
      const orNull = field.nullable === true && (operator === "ne" || operator === "nin");
      conditions.push(orNull ? { OR: [condition, { [name]: null }] } : condition);
    }
  }
  return conditions;
}

function assertFewValues(filter: Readonly<Record<string, Conditions | null>>): void {
  let values = 0;
  for (const operators of Object.values(filter))
    for (const value of Object.values(operators ?? {})) values += Array.isArray(value) ? value.length : 1;
  if (values <= MAX_FILTER_VALUES) return;
  const message = `has ${values} values, at most ${MAX_FILTER_VALUES} are allowed`;
  throw new DomainError("BAD_REQUEST", `The filter ${message}.`, {
    errors: [{ field: "filter", rule: "max_values", message }],
  });
}

function conditionOn(name: string, field: ListField, operator: string, value: unknown): Where {
  if (operator === "isNull") {
    if (field.nullable !== true) return { [name]: value === true ? { in: [] } : {} };
    return { [name]: value === true ? { equals: null } : { not: null } };
  }
  if (value === null) throw wrong(`${name}.${operator}`, "type", "is null; use isNull");
  if (field.kind === "texts") return { [name]: { [LIST_OPERATORS[operator] as string]: value } };
  if (field.kind === "dateTime") return momentCondition(name, operator, value);
  const compiled = { [OPERATORS[operator] as string]: value };
  if (!PATTERN_OPERATORS.has(operator)) return { [name]: compiled };
  return {
    [name]: { [OPERATORS[operator] as string]: escapeLike(value as string), mode: "insensitive" },
  };
}

/**
 * Answers show moments to the second, and the database keeps them finer: a moment in a filter means its whole
 * second.
 */
function momentCondition(name: string, operator: string, value: unknown): Where {
  if (Array.isArray(value)) {
    const each = value.map((item) => momentCondition(name, operator === "in" ? "eq" : "ne", item));
    return operator === "in" ? { OR: each } : { AND: each };
  }
  const start = moment(name, value);
  const end = new Date(start.getTime() + (start.getUTCMilliseconds() === 0 ? 1000 : 1));
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

/** Reads a moment of a filter; without an offset of its own it is UTC, as answers show it. */
function moment(name: string, value: unknown): Date {
  const parsed = parseMoment(value as string);
  if (parsed === null) throw wrong(name, "datetime", "is not a date");
  return parsed;
}

function wrong(place: string, rule: string, message: string): DomainError {
  const field = `filter.${place}`;
  return new DomainError("BAD_REQUEST", `${field} ${message}.`, { errors: [{ field, rule, message }] });
}

/** Escapes `%` and `_`, which callers mean literally: Prisma puts the text into LIKE as it is. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/gu, "\\$&");
}
