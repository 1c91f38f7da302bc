import {
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLList,
} from "graphql";
import type { JsonSchema } from "../../core/inputs/json-schema.js";
import type { FieldError } from "../../core/errors/domain-error.js";
import { KEYS_BESIDE } from "../../core/inputs/input-fields.js";
import { MOST_ERRORS } from "../../engine/validation/field-errors.js";
import { toSnakeCase } from "./naming.js";

/** GraphQL names the whole body so; the other wrong fields of the body are reported under this name too. */
export const WHOLE_BODY = "input";

/** A bound body: its value, and the wrong fields that were found on the way. */
export interface Bound {
  readonly value: unknown;
  /** The keys that the input type does not know. */
  readonly unknown: readonly FieldError[];
  /** Single values in the place of lists, since GraphQL would take each for a list of one; and forbidden keys. */
  readonly wrong: readonly FieldError[];
}

/** The names of a type's fields by the keys of bodies. */
interface Names {
  readonly known: ReadonlyMap<string, string>;
  /** The field whose keys stand in its place, and which keys these are. */
  readonly beside: { readonly name: string; readonly pattern: RegExp } | null;
}

const namesOf = new WeakMap<GraphQLInputObjectType, Names>();

/**
 * Gives the keys of a body the names that its GraphQL input type has. A list is named by the argument that it fills, as what checks
 * the argument names it. Unknown keys are left out of the value. No body
 * counts as one without keys, so that the keys it needs are reported; where a list is required, the list itself is. What may be left out
 * is an object all the same, and never null.
 */
export function bindBody(body: unknown, type: GraphQLInputType, argument = WHOLE_BODY): Bound {
  const findings = new Findings();
  const isRequired = isNonNullType(type);
  // What checks the argument that the list fills says that it is required, under its name.
  if (body === undefined && isRequired && isListType(type.ofType)) return { value: body, ...findings };
  // GraphQL refuses what is no object, but takes null where none is needed.
  if (body === undefined || (!isRequired && !isObject(body))) {
    if (body !== undefined)
      findings.note("wrong", { field: WHOLE_BODY, rule: "type", message: "must be object" });
    return { value: bind({}, type, "", findings), ...findings };
  }
  const path = isListType(getNullableType(type)) ? argument : "";
  return { value: bind(body, type, path, findings), ...findings };
}

const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The wrong fields, no more than are reported of a request. */
class Findings {
  readonly unknown: FieldError[] = [];
  readonly wrong: FieldError[] = [];

  note(list: "unknown" | "wrong", error: FieldError): void {
    if (this[list].length < MOST_ERRORS) this[list].push(error);
  }
}

function bind(value: unknown, declared: GraphQLInputType, path: string, findings: Findings): unknown {
  const type = getNullableType(declared);
  if (isListType(type)) {
    if (Array.isArray(value)) {
      return value.map((item, index) => bind(item, type.ofType, `${path}[${index}]`, findings));
    }
    if (value != null)
      findings.note("wrong", {
        field: path,
        rule: "type",
        message: "must be array",
      });
    return value;
  }
  if (!isInputObjectType(type) || typeof value !== "object" || value === null) return value;
  // GraphQL would take a list for an object without fields; it refuses `false`, at the right place.
  if (Array.isArray(value)) return false;
  const { known, beside } = fieldNames(type);
  const bound: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (beside?.pattern.test(key) === true) {
      bound[beside.name] = { ...(bound[beside.name] as object | undefined), [key]: item as unknown };
      continue;
    }
    const name = known.get(key);
    const itemPath = path === "" ? (name ?? key) : `${path}.${name ?? key}`;
    if (name === undefined && type.extensions["closed"] === true)
      findings.note("wrong", { field: itemPath, rule: "forbidden", message: "is not allowed here" });
    else if (name === undefined)
      findings.note("unknown", { field: itemPath, rule: "unknown", message: "is not a known field" });
    else {
      const field = type.getFields()[name] as GraphQLInputField;
      const one = takesOne(field, item) ? itemType(field.type) : field.type;
      bound[name] = bind(item, one, itemPath, findings);
    }
  }
  return bound;
}

/** Returns whether a single object is meant as a list of one; GraphQL takes it for one. */
function takesOne({ extensions }: GraphQLInputField, item: unknown): boolean {
  const schema = extensions["jsonSchema"] as JsonSchema | undefined;
  return schema?.["takesOne"] === true && typeof item === "object" && item !== null && !Array.isArray(item);
}

function itemType(list: GraphQLInputType): GraphQLInputType {
  return (getNullableType(list) as GraphQLList<GraphQLInputType>).ofType;
}

function fieldNames(type: GraphQLInputObjectType): Names {
  let names = namesOf.get(type);
  if (names === undefined) {
    const beside = fieldBeside(type);
    const named = Object.keys(type.getFields()).filter((name) => name !== beside?.name);
    names = { known: new Map(named.map((name) => [toSnakeCase(name), name])), beside };
    namesOf.set(type, names);
  }
  return names;
}

/** Finds the field of an input type whose keys stand in its place in a body of REST. */
export function fieldBeside(type: GraphQLInputObjectType): Names["beside"] {
  for (const { name, extensions } of Object.values(type.getFields())) {
    const pattern = extensions[KEYS_BESIDE];
    if (typeof pattern === "string") return { name, pattern: new RegExp(pattern, "u") };
  }
  return null;
}
