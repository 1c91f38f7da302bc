import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from "graphql";
import { DomainError } from "../../core/errors/domain-error.js";
import { isId, MAX_INT } from "../../core/integers.js";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../../core/lists/list-page.js";
import { unknownName } from "./dynamic-loading.js";
import { toSnakeCase } from "./naming.js";

export type Query = Readonly<Record<string, unknown>>;

/** The wanted page of a list: by number, with a total, or by cursor, without a total. */
export interface Paging {
  readonly page: number | null;
  readonly perPage: number;
  readonly cursor: string | null;
}

export function readPaging(query: Query): Paging {
  const perPage = integer(query, "per_page", DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  const cursor = query["cursor"];
  if (cursor !== undefined && query["page"] !== undefined)
    throw badParameter("cursor", "does not go with page");
  if (cursor === undefined) return { page: integer(query, "page", 1, 1_000_000), perPage, cursor: null };
  if (typeof cursor !== "string") throw badParameter("cursor", "must be a single value");
  return { page: null, perPage, cursor: cursor === "" ? null : cursor };
}

/** Reads `filter[price_e2][gte]=1000` as `{ priceE2: { gte: 1000 } }`, by the filter input of the list. */
export function readFilter(query: Query, declared: GraphQLInputType): Record<string, unknown> | undefined {
  const filter = query["filter"];
  if (filter === undefined || filter === "") return undefined;
  if (!isRecord(filter)) throw badParameter("filter", "must be written filter[field]=value");
  const fields = inputFields(getNamedType(declared) as GraphQLInputObjectType);
  return Object.fromEntries(
    Object.entries(filter).map(([key, condition]) => {
      const field = fields.get(key);
      if (field === undefined) throw unknownName("filter", key, [...fields.keys()]);
      return [field.name, readCondition(key, condition, getNamedType(field.type) as GraphQLInputObjectType)];
    }),
  );
}

/** Reads `sort=-created_at,name` as terms of the order, by the order input of the list. */
export function readSort(
  query: Query,
  declared: GraphQLInputType,
): { field: string; direction: string }[] | undefined {
  const sort = query["sort"];
  if (sort === undefined || sort === "") return undefined;
  const order = getNamedType(declared) as GraphQLInputObjectType;
  const values = (
    getNamedType(order.getFields()["field"]?.type as GraphQLInputType) as GraphQLEnumType
  ).getValues();
  const names = new Map(values.map(({ name, value }) => [toSnakeCase(value as string), name]));
  return words(sort, "sort").map((term) => {
    const descending = term.startsWith("-");
    const name = names.get(descending ? term.slice(1) : term);
    if (name === undefined) throw unknownName("sort", term, [...names.keys()]);
    return { field: name, direction: descending ? "DESC" : "ASC" };
  });
}

/** Splits comma-separated words; a repeated parameter counts as one list. */
export function words(value: unknown, parameter: string): string[] {
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  if (!parts.every((part) => typeof part === "string"))
    throw badParameter(parameter, "must be words with commas between");
  return parts
    .flatMap((part) => part.split(","))
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/**
 * Converts a query parameter to the type of its variable. A text that does not fit stays a text, which the
 * validation reports.
 */
export function readValue(text: unknown, declared: GraphQLInputType): unknown {
  const type = getNullableType(declared);
  if (isListType(type)) {
    const items = typeof text === "string" ? text.split(",") : [text].flat();
    return items.map((item) => readValue(item, type.ofType));
  }
  if (typeof text !== "string" || isEnumType(type) || isInputObjectType(type)) return text;
  if (["Int", "SafeInt", "Float"].includes(type.name))
    return /^-?\d+(?:\.\d+)?$/u.test(text) ? Number(text) : text;
  if (type.name === "Boolean") return BOOLEANS.get(text) ?? text;
  return text;
}

/** Reads an id in a path. An id in any other form than plain digits names no row. */
export function readId(text: string): number {
  return /^[1-9]\d{0,9}$/u.test(text) && isId(Number(text)) ? Number(text) : 0;
}

const WANTED: Readonly<Record<string, string>> = {
  Boolean: "true or false",
  DateTime: "a date",
  Float: "a number",
  Int: "an integer of at most 32 bits",
  SafeInt: "an integer of at most 53 bits",
};

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["", true],
  ["false", false],
  ["0", false],
]);

function readCondition(
  key: string,
  condition: unknown,
  type: GraphQLInputObjectType,
): Record<string, unknown> {
  const operators = inputFields(type);
  const entries = isRecord(condition) ? Object.entries(condition) : [["eq", condition] as const];
  return Object.fromEntries(
    entries.map(([operator, text]) => {
      const field = operators.get(operator);
      if (field === undefined) throw unknownName(`filter[${key}]`, operator, [...operators.keys()]);
      const value = readValue(text, field.type);
      assertFits(value, field.type, `filter[${key}][${operator}]`);
      return [field.name, value];
    }),
  );
}

function assertFits(value: unknown, declared: GraphQLInputType, parameter: string): void {
  const type = getNullableType(declared);
  if (isListType(type)) {
    for (const item of value as unknown[]) assertFits(item, type.ofType, parameter);
    return;
  }
  const { name } = getNamedType(type);
  const fits =
    name === "Boolean"
      ? typeof value === "boolean"
      : name === "Float"
        ? Number.isFinite(value)
        : name === "Int" || name === "SafeInt"
          ? Number.isSafeInteger(value) && (name === "SafeInt" || Math.abs(value as number) <= MAX_INT)
          : typeof value === "string";
  if (!fits) throw badParameter(parameter, `must be ${WANTED[name] ?? "text"}`);
}

function inputFields(type: GraphQLInputObjectType): Map<string, { name: string; type: GraphQLInputType }> {
  return new Map(Object.values(type.getFields()).map((field) => [toSnakeCase(field.name), field]));
}

function integer(query: Query, parameter: string, fallback: number, max: number): number {
  const text = query[parameter];
  if (text === undefined) return fallback;
  const value = typeof text === "string" && /^\d{1,9}$/u.test(text) ? Number(text) : NaN;
  if (!(value >= 1 && value <= max)) throw badParameter(parameter, `must be between 1 and ${max}`);
  return value;
}

function badParameter(parameter: string, message: string): DomainError {
  return new DomainError("BAD_REQUEST", `${parameter} ${message}.`, {
    errors: [{ field: parameter, rule: "format", message }],
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
