import { DomainError } from "../errors/domain-error.js";
import { parseInstant } from "../time/instants.js";
import type { ListField } from "../pagination/list-definition.js";

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
/** Operators on lists of texts. */
const LIST_OPERATORS: Readonly<Record<string, string>> = { eq: "has", contains: "has", in: "hasSome" };
const PATTERN_OPERATORS: ReadonlySet<string> = new Set(["contains", "startsWith"]);

/**
 * Turns a filter input into conditions, one per field and operator, all of which must hold.
 *
 * @param timeZoneOffset offset in which times without one of their own are read.
 * @throws DomainError BAD_REQUEST for a time that is none.
 */
export function compileFilter(
  filter: Readonly<Record<string, Conditions | null>> | null | undefined,
  fields: Readonly<Record<string, ListField>>,
  timeZoneOffset: string,
): Where[] {
  const conditions: Where[] = [];
  for (const [name, operators] of Object.entries(filter ?? {})) {
    const field = fields[name];
    if (field === undefined) throw new DomainError("BAD_REQUEST", `There is no filter ${name}.`);
    for (const [operator, value] of Object.entries(operators ?? {})) {
      if (value === undefined) continue;
      conditions.push({ [name]: condition(operator, value, field, name, timeZoneOffset) });
    }
  }
  return conditions;
}

function condition(
  operator: string,
  value: unknown,
  field: ListField,
  name: string,
  offset: string,
): unknown {
  if (operator === "isNull") {
    if (field.nullable !== true) return value === true ? { in: [] } : {};
    return value === true ? { equals: null } : { not: null };
  }
  if (value === null) throw new DomainError("BAD_REQUEST", `filter.${name}.${operator} is null; use isNull.`);
  if (field.kind === "texts") return { [LIST_OPERATORS[operator] as string]: value };
  const convert = (item: unknown): unknown =>
    field.kind === "dateTime" ? instant(item, name, offset) : item;
  const converted = Array.isArray(value) ? value.map(convert) : convert(value);
  const compiled = { [OPERATORS[operator] as string]: converted };
  if (!PATTERN_OPERATORS.has(operator)) return compiled;
  return { [OPERATORS[operator] as string]: escapeLike(value as string), mode: "insensitive" };
}

function instant(value: unknown, name: string, offset: string): Date {
  const parsed = parseInstant(value as string, offset);
  if (parsed === null) throw new DomainError("BAD_REQUEST", `filter.${name} is not a date.`);
  return parsed;
}

/** Prisma puts the text into LIKE as it is; `%` and `_` are meant literally here. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/gu, "\\$&");
}
