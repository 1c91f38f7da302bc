import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedInputType,
} from "graphql";
import type { FieldError } from "../../core/errors/domain-error.js";
import { isId, isInt, MAX_INT } from "../../core/integers.js";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_UNPAGED_ROWS } from "../../core/lists/list-page.js";
import { isOfList } from "../../engine/schema/operation.js";
import { toSnakeCase, toSnakeCaseMessage, toSnakeCasePath } from "./naming.js";
import type { RestRoute } from "./rest-route.js";
import type { WrittenNames } from "./written-names.js";
import { namesAllowed, WrongParameter, type WrongParameters } from "./wrong-parameters.js";

export type Query = Readonly<Record<string, unknown>>;

/** The wanted page of a list: by number, with a total, or by cursor, without a total. */
export interface Paging {
  readonly page: number | null;
  readonly perPage: number;
  readonly cursor: string | null;
}

/**
 * Returns whether a parameter that may be absent is: with nothing behind its `=` it counts as absent, too (contract §4.3).
 */
export function isAbsent(value: unknown): value is undefined | "" {
  return value === undefined || value === "";
}

/** @param isEndless says whether the list has pages by cursor alone. */
export function readPaging(query: Query, wrong: WrongParameters, isEndless = false): Paging {
  const { page, cursor = isEndless ? "" : undefined } = query;
  const perPage = integer(query, "per_page", { fallback: DEFAULT_PAGE_SIZE, max: MAX_PAGE_SIZE }, wrong);
  if (isEndless && !isAbsent(page)) wrong.add("page", "unknown", "the list has pages by cursor alone");
  if (!isEndless && (cursor === undefined || !isAbsent(page))) {
    if (cursor !== undefined) wrong.add("cursor", "format", "does not go with page");
    return { page: integer(query, "page", { fallback: 1, max: 1_000_000 }, wrong), perPage, cursor: null };
  }
  if (Array.isArray(cursor)) wrong.add("cursor", GIVEN_TWICE.rule, GIVEN_TWICE.message);
  const isCursor = typeof cursor === "string" && /^[\w-]{0,4000}$/u.test(cursor);
  if (!isCursor && !Array.isArray(cursor))
    wrong.add("cursor", "format", "must be empty, or as a link has it");
  return { page: null, perPage, cursor: isCursor && cursor !== "" ? cursor : null };
}

/** Reads the wanted part of a list without pages: the first 10,000 rows, the next ones, and so on. */
export function readPart(query: Query, wrong: WrongParameters): Paging {
  const bounds = { fallback: 1, max: Math.floor(MAX_INT / MAX_UNPAGED_ROWS) };
  return { page: integer(query, "page", bounds, wrong), perPage: MAX_UNPAGED_ROWS, cursor: null };
}

/** What is noted while a filter is read, and the names under which it came. */
interface Reading {
  readonly wrong: WrongParameters;
  readonly names: WrittenNames;
}

/** The error of a parameter that takes one value. */
export const GIVEN_TWICE = { rule: "unique", message: "is given twice" } as const;

/** Reads `filter[price_e2][gte]=1000` as `{ priceE2: { gte: 1000 } }`, by the filter input of the list. */
export function readFilter(
  query: Query,
  declared: GraphQLInputType,
  reading: Reading,
): Record<string, unknown> | undefined {
  const filter = query["filter"];
  const { wrong, names } = reading;
  for (const name of names.brokenWithin("filter"))
    wrong.add(name, "format", "must be written filter[field]=value");
  if (isAbsent(filter) || isTwofold("filter", reading)) return undefined;
  if (!isRecord(filter)) {
    wrong.add("filter", "format", "must be written filter[field]=value");
    return undefined;
  }
  return readConditions("filter", filter, getNamedType(declared) as GraphQLInputObjectType, reading);
}

/** Notes a parameter that came as it is and with more brackets, of which the parser makes one value. */
function isTwofold(parameter: string, { wrong, names }: Reading): boolean {
  const other = names.beyond(parameter);
  if (other !== undefined)
    wrong.add(parameter, GIVEN_TWICE.rule, `${GIVEN_TWICE.message}, the second time as ${other}`);
  return other !== undefined;
}

/** @param parameter is the part of the filter in brackets, such as `filter[or][0]`. */
function readConditions(
  parameter: string,
  filter: Readonly<Record<string, unknown>>,
  declared: GraphQLInputObjectType,
  reading: Reading,
): Record<string, unknown> {
  const { wrong } = reading;
  const fields = inputFields(declared);
  const part = (value: unknown, written: string): Record<string, unknown> => {
    if (isTwofold(written, reading)) return {};
    if (isRecord(value)) return readConditions(written, value, declared, reading);
    wrong.add(written, "format", `must be written ${written}[field]=value`);
    return {};
  };
  const read: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(filter)) {
    const field = fields.get(key);
    const written = `${parameter}[${key}]`;
    // What the parser has made of broken brackets was reported under its name.
    if (/[[\]]/u.test(key)) continue;
    if (field === undefined) wrong.addUnknown(written, key, [...fields.keys()]);
    else if (getNamedType(field.type) !== declared)
      read[field.name] = readCondition(
        written,
        value,
        getNamedType(field.type) as GraphQLInputObjectType,
        reading,
      );
    else if (isListType(getNullableType(field.type)))
      read[field.name] = alternatives(value, written, wrong).map(([place, item]) =>
        part(item, `${written}[${place}]`),
      );
    else read[field.name] = part(value, written);
  }
  return read;
}

/** Returns the alternatives `[0]`, `[1]` … with their places; the parser makes an object of a list with gaps. */
function alternatives(value: unknown, parameter: string, wrong: WrongParameters): [string, unknown][] {
  const misplaced = (name: string): void =>
    wrong.add(name, "format", `must be written ${parameter}[0][field]=value`);
  if (!isRecord(value) && !Array.isArray(value)) misplaced(parameter);
  const parts = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return parts.filter(([place]) => {
    if (/^\d+$/u.test(place)) return true;
    misplaced(`${parameter}[${place.trim()}]`);
    return false;
  });
}

/** Reads `sort=-created_at,name` as terms of the order, by the order input of the list. */
export function readSort(
  query: Query,
  declared: GraphQLInputType,
  wrong: WrongParameters,
): { field: string; direction: string }[] | undefined {
  const sort = query["sort"];
  if (isAbsent(sort)) return undefined;
  const order = getNamedType(declared) as GraphQLInputObjectType;
  const values = (
    getNamedType(order.getFields()["field"]?.type as GraphQLInputType) as GraphQLEnumType
  ).getValues();
  const names = new Map(values.map(({ name }) => [name.toLowerCase(), name]));
  return words(sort, "sort", wrong).flatMap((term) => {
    const descending = term.startsWith("-");
    const name = names.get(descending ? term.slice(1) : term);
    if (name === undefined) wrong.addUnknown("sort", term, [...names.keys()]);
    return name === undefined ? [] : [{ field: name, direction: descending ? "DESC" : "ASC" }];
  });
}

/** Notes the `sort` of a list that has an order of its own. */
export function refuseSort({ sort }: Query, wrong: WrongParameters): void {
  if (isAbsent(sort)) return;
  wrong.add("sort", "unknown", `the list is in an order of its own; ${namesAllowed([])}`);
}

/** Splits comma-separated words; a repeated parameter counts as one list. */
export function words(value: unknown, parameter: string, wrong: WrongParameters): string[] {
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  if (!parts.every((part) => typeof part === "string")) {
    wrong.add(parameter, "format", "must be words with commas between");
    return [];
  }
  return parts
    .flatMap((part) => part.split(","))
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** The parameters that fill list arguments of other names. */
const PARAMETERS: Readonly<Record<string, string>> = {
  after: "cursor",
  first: "per_page",
  offset: "page",
  orderBy: "sort",
};

/**
 * Names wrong list arguments as the caller wrote the parameters: `filter.priceE2.gte` is `filter[price_e2][gte]`.
 */
export function asWritten(
  errors: readonly FieldError[],
  query: Query,
  route: Pick<RestRoute, "operation" | "parameterWithin">,
): FieldError[] {
  return errors.map((error) => {
    if (error instanceof WrongParameter || !isOfList(error, route.operation)) return error;
    const { field, rule } = error;
    const message = toSnakeCaseMessage(error);
    const parameter = route.parameterWithin(field);
    if (parameter !== undefined) return new WrongParameter(toSnakeCasePath(parameter), rule, message);
    const [argument = "", ...path] = field.match(/[^.[\]]+/gu) ?? [];
    if (argument !== "filter")
      return new WrongParameter(PARAMETERS[argument] ?? toSnakeCasePath(field), rule, message);
    let written: unknown = query["filter"];
    let name = "filter";
    for (const key of path.map(toSnakeCase)) {
      // A bare value means `eq`, which the caller did not write.
      if (typeof written !== "object" || written === null) break;
      const within = (written as Record<string, unknown>)[key];
      // The values of a list have no names of their own.
      if (Array.isArray(written) && typeof within !== "object") break;
      written = within;
      name += `[${key}]`;
    }
    return new WrongParameter(name, rule, message);
  });
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
    return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u.test(text) ? Number(text) : text;
  if (type.name === "Boolean") return BOOLEANS.get(text) ?? text;
  return text;
}

/**
 * Reads an id in a path. An id in any other form than plain digits names no row.
 *
 * @param isLong says whether rows of its kind have ids of up to 53 bits.
 */
export function readId(text: string, isLong: boolean): number {
  const id = /^[1-9]\d{0,15}$/u.test(text) ? Number(text) : 0;
  return (isLong ? Number.isSafeInteger(id) : isId(id)) ? id : 0;
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
  ["false", false],
  ["0", false],
]);

/** @param parameter is the field in brackets, such as `filter[price_e2]`. */
function readCondition(
  parameter: string,
  condition: unknown,
  type: GraphQLInputObjectType,
  reading: Reading,
): Record<string, unknown> {
  if (isTwofold(parameter, reading)) return {};
  const { wrong, names } = reading;
  const operators = inputFields(type);
  const isBare = !isRecord(condition);
  const read: Record<string, unknown> = {};
  for (const [operator, text] of isBare ? [["eq", condition] as const] : Object.entries(condition)) {
    const field = operators.get(operator);
    const written = isBare ? parameter : `${parameter}[${operator}]`;
    if (/[[\]]/u.test(operator)) continue;
    if (field === undefined) wrong.addUnknown(written, operator, [...operators.keys()]);
    else if (names.isRepeated(written) && !isListType(getNullableType(field.type)))
      wrong.add(written, GIVEN_TWICE.rule, GIVEN_TWICE.message);
    else {
      const value = readValue(text, field.type);
      const type = wrongType(value, field.type);
      if (type === null) read[field.name] = value;
      else if (isEnumType(type)) wrong.add(written, "enum", `must be one of ${namesOf(type).join(", ")}`);
      else wrong.add(written, "type", `must be ${WANTED[type.name] ?? "text"}`);
    }
  }
  return read;
}

function namesOf(type: GraphQLEnumType): string[] {
  return type.getValues().map(({ name }) => name);
}

/** Returns the type that the value, or one of its items, is not of; `null` when it fits. */
function wrongType(value: unknown, declared: GraphQLInputType): GraphQLNamedInputType | null {
  const type = getNullableType(declared);
  if (isListType(type)) {
    const wrong = (value as unknown[]).map((item) => wrongType(item, type.ofType));
    return wrong.find((found) => found !== null) ?? null;
  }
  const { name } = type;
  if (isEnumType(type)) return namesOf(type).includes(value as string) ? null : type;
  const fits =
    name === "Boolean"
      ? typeof value === "boolean"
      : name === "Float"
        ? Number.isFinite(value)
        : name === "Int"
          ? isInt(value)
          : name === "SafeInt"
            ? Number.isSafeInteger(value)
            : typeof value === "string";
  return fits ? null : type;
}

function inputFields(type: GraphQLInputObjectType): Map<string, { name: string; type: GraphQLInputType }> {
  return new Map(Object.values(type.getFields()).map((field) => [toSnakeCase(field.name), field]));
}

function integer(
  query: Query,
  parameter: string,
  { fallback, max }: { fallback: number; max: number },
  wrong: WrongParameters,
): number {
  const text = query[parameter];
  if (isAbsent(text)) return fallback;
  if (Array.isArray(text)) {
    wrong.add(parameter, GIVEN_TWICE.rule, GIVEN_TWICE.message);
    return fallback;
  }
  const value = typeof text === "string" && /^(?:0|-?[1-9]\d*)$/u.test(text) ? Number(text) : NaN;
  if (value >= 1 && value <= max) return value;
  const rule = value < 1 ? "min" : value > max ? "max" : "format";
  wrong.add(parameter, rule, `must be between 1 and ${max}`);
  return fallback;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
