import {
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from "graphql";
import type { JsonSchema } from "../../core/inputs/json-schema.js";
import type { FieldError } from "../../core/errors/domain-error.js";
import { MOST_ERRORS } from "../../engine/validation/field-errors.js";
import { toSnakeCase } from "./naming.js";

/** GraphQL names the whole body so; the other wrong fields of the body are reported under this name too. */
const WHOLE_BODY = "input";

/** A bound body: its value, and the wrong fields that were found on the way. */
export interface Bound {
  readonly value: unknown;
  /** The keys that the input type does not know. */
  readonly unknown: readonly FieldError[];
  /** Single values in the place of lists, since GraphQL would take each for a list of one; and forbidden keys. */
  readonly wrong: readonly FieldError[];
}

const namesOf = new WeakMap<GraphQLInputObjectType, ReadonlyMap<string, string>>();

/** Gives the keys of a body the names that its GraphQL input type has. Unknown keys are left out of the value. */
export function bindBody(body: unknown, type: GraphQLInputType): Bound {
  const findings = new Findings();
  return { value: bind(body, type, "", findings), ...findings };
}

/** The wrong fields, no more than are told of a request. */
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
        field: path === "" ? WHOLE_BODY : path,
        rule: "type",
        message: "must be array",
      });
    return value;
  }
  if (!isInputObjectType(type) || typeof value !== "object" || value === null) return value;
  // GraphQL would take a list for an object without fields; it refuses `false`, at the right place.
  if (Array.isArray(value)) return false;
  const names = fieldNames(type);
  const bound: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const name = names.get(key);
    const itemPath = path === "" ? (name ?? key) : `${path}.${name ?? key}`;
    if (name === undefined && type.extensions["closed"] === true)
      findings.note("wrong", { field: itemPath, rule: "forbidden", message: "is not allowed here" });
    else if (name === undefined)
      findings.note("unknown", { field: itemPath, rule: "unknown", message: "is not a known field" });
    else {
      const field = type.getFields()[name] as GraphQLInputField;
      bound[name] = bind(takesOne(field, item) ? [item] : item, field.type, itemPath, findings);
    }
  }
  return bound;
}

/** Whether a single object is meant as a list of one, as it is in GraphQL. */
function takesOne({ extensions }: GraphQLInputField, item: unknown): boolean {
  const schema = extensions["jsonSchema"] as JsonSchema | undefined;
  return schema?.["takesOne"] === true && typeof item === "object" && item !== null && !Array.isArray(item);
}

function fieldNames(type: GraphQLInputObjectType): ReadonlyMap<string, string> {
  let names = namesOf.get(type);
  if (names === undefined) {
    names = new Map(Object.keys(type.getFields()).map((name) => [toSnakeCase(name), name]));
    namesOf.set(type, names);
  }
  return names;
}
