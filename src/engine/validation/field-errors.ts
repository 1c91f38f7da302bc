import type { ErrorObject } from "ajv/dist/2020.js";
import type { FieldError } from "../../core/errors/domain-error.js";

/**
 * Returns the path of a field: `/input/config/feeRules/0/name` → `config.feeRules[0].name`. The argument `input` is
 * the body itself.
 */
export function fieldPath(pointer: string, property?: string): string {
  const segments = pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (property !== undefined) segments.push(property);
  if (segments[0] === "input" && segments.length > 1) segments.shift();
  return segments
    .map((segment) => (/^\d+$/u.test(segment) ? `[${segment}]` : `.${segment}`))
    .join("")
    .replace(/^\./u, "");
}

/** Rules of keywords that go by another name. */
export const KEYWORD_RULES: Readonly<Record<string, string>> = {
  maxLength: "max_length",
  minLength: "min_length",
  maximum: "max",
  exclusiveMaximum: "max",
  minimum: "min",
  exclusiveMinimum: "min",
  maxItems: "max_items",
  minItems: "min_items",
  uniqueItems: "unique",
  maxProperties: "max_items",
  minProperties: "min_items",
  additionalProperties: "unknown",
  "false schema": "forbidden",
};
/** Rules of formats that go by another name. */
export const FORMAT_RULES: Readonly<Record<string, string>> = { "uri-reference": "url", password: "common" };
const STRUCTURAL = new Set(["if", "anyOf", "allOf", "not", "propertyNames"]);

/** At most this many wrong fields are reported (contract §6.1). */
export const MOST_ERRORS = 50;

/** Turns the errors of Ajv into wrong fields, each field and rule once. A text of a wrong length is not checked for a pattern as well. */
export function fieldErrors(errors: readonly ErrorObject[]): FieldError[] {
  const seen = new Set<string>();
  const found: FieldError[] = [];
  const wrong = new Set(errors.filter((error) => boundOf(error) === null).map(pointerOf));
  for (const error of errors) {
    if (found.length === MOST_ERRORS) break;
    if (STRUCTURAL.has(error.keyword) || isNullBranch(error)) continue;
    const bound = boundOf(error);
    // A field that is wrong by itself bounds no other one.
    if (bound !== null && wrong.has(bound)) continue;
    const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>;
    const field = fieldPath(pointerOf(error), missingProperty ?? additionalProperty);
    const rule = ruleOf(error);
    if (seen.has(`${field} ${rule}`)) continue;
    seen.add(`${field} ${rule}`);
    found.push({ field, rule, message: message(error) });
  }
  const isTooShortOrLong = (field: string): boolean =>
    ["min_length", "max_length"].some((rule) => seen.has(`${field} ${rule}`));
  return found.filter(({ field, rule }) => rule !== "pattern" || !isTooShortOrLong(field));
}

/** Where the wrong value stands; of two items alike it is the later one. */
function pointerOf({ keyword, instancePath, params }: ErrorObject): string {
  if (keyword !== "uniqueItems") return instancePath;
  const { i, j } = params as { i: number; j: number };
  return `${instancePath}/${Math.max(i, j)}`;
}

/** Where the field stands that bounds the value: `{ $data: "1/min" }` is the one called `min` beside it. */
function boundOf({ keyword, instancePath, parentSchema }: ErrorObject): string | null {
  const { $data: pointer } = (parentSchema?.[keyword] ?? {}) as { $data?: string };
  return pointer === undefined ? null : pointer.replace(/^1/u, instancePath.replace(/\/[^/]*$/u, ""));
}

function ruleOf(error: ErrorObject): string {
  const { keyword, params } = error;
  if (isBeyondIds(error)) return "exists";
  if (keyword === "format") return formatOf(params);
  return KEYWORD_RULES[keyword] ?? keyword;
}

function formatOf(params: object): string {
  const { format } = params as { format: string };
  return FORMAT_RULES[format] ?? format;
}

/** Returns whether a number is outside the bounds of ids, so that it cannot belong to a row either. */
function isBeyondIds({ keyword, parentSchema }: ErrorObject): boolean {
  return (keyword === "minimum" || keyword === "maximum") && parentSchema?.["existingId"] !== undefined;
}

/**
 * Returns whether the error is about the `null` alternative of an optional object: it says to a caller who sent an object
 * nothing.
 */
function isNullBranch({ keyword, params }: ErrorObject): boolean {
  return keyword === "type" && (params as { type: unknown }).type === "null";
}

function message(error: ErrorObject): string {
  const { keyword, params, data, message: text = "is not valid" } = error;
  if (isBeyondIds(error)) return `${String(data)} does not exist`;
  if (keyword === "required") return "is required";
  if (keyword === "uniqueItems") return "is there twice";
  if (keyword === "additionalProperties") return "is not a known field";
  if (keyword === "type") {
    const { type } = params as { type?: string | string[] };
    return type === undefined ? text : `must be ${[type].flat()[0] ?? ""}`;
  }
  if (keyword === "format" && formatOf(params) === "common") return "is one of the most common passwords";
  if (keyword === "format") return `is not a valid ${formatOf(params)}`;
  if (keyword === "maxLength") return text.replace("must NOT have more than", "must have at most");
  if (keyword === "minLength") return text.replace("must NOT have fewer than", "must have at least");
  if (keyword === "pattern") {
    const { patternWords } = error.parentSchema as { patternWords?: string };
    return patternWords === undefined ? text : `must be ${patternWords}`;
  }
  if (keyword === "enum") {
    const { allowedValues } = params as { allowedValues: (string | null)[] };
    const { names = allowedValues } = error.parentSchema as { names?: (string | null)[] };
    return `must be one of ${names.filter((value) => value !== null).join(", ")}`;
  }
  return text;
}
