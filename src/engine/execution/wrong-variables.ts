import {
  coerceInputValue,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  typeFromAST,
  type FieldNode,
  type GraphQLInputType,
  type GraphQLSchema,
  type ValueNode,
  type VariableDefinitionNode,
} from "graphql";
import type { FieldError } from "../../core/errors/domain-error.js";
import { withoutStacks } from "../../core/errors/without-stacks.js";
import { MOST_ERRORS } from "../validation/field-errors.js";
import type { Variables } from "../schema/root-operations.js";

type Path = readonly (string | number)[];

/** What ends the look at a variable of which enough is wrong. */
const ENOUGH = new Error("enough is wrong");

/** Names the variables that do not fit their types, and the places within them, at most 50. */
export function wrongVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Variables,
): FieldError[] {
  const wrong = definitions.flatMap(({ variable, type: node, defaultValue }) => {
    const name = variable.name.value;
    const value = variables[name];
    const type = typeFromAST(schema, node as never) as unknown as GraphQLInputType;
    if (value === undefined) {
      const isMissing = isNonNullType(type) && defaultValue === undefined;
      return isMissing ? [{ field: name, rule: "required", message: "is required" }] : [];
    }
    const errors: FieldError[] = [];
    const note = (path: Path, part: unknown, { message }: Error): void => {
      if (errors.length === MOST_ERRORS) throw ENOUGH;
      errors.push({ field: fieldOf(name, path), ...ruleOf(typeAt(type, path), part, message) });
    };
    try {
      withoutStacks(() => coerceInputValue(value, type, note));
    } catch (error) {
      if (error !== ENOUGH) throw error;
    }
    return errors;
  });
  return wrong.slice(0, MOST_ERRORS);
}

/**
 * Names the words of no closed set by the arguments of a root field in which they stand, as the guard names these. All else
 * that is wrong with variables the check of the arguments finds itself.
 */
export function wrongWords(wrong: readonly FieldError[], { arguments: args = [] }: FieldNode): FieldError[] {
  return args
    .flatMap(({ name, value }) => placesOf(value, name.value))
    .flatMap(([variable, place]) =>
      wrong.flatMap(({ field, ...rest }) => {
        const [named = ""] = /^\w+/u.exec(field) ?? [];
        if (named !== variable || rest.rule !== "enum") return [];
        return { field: (place + field.slice(named.length)).replace(/^input(?:\.|(?=\[))/u, ""), ...rest };
      }),
    );
}

/** Returns the variables in a value, each with its place. */
function placesOf(value: ValueNode, place: string): [string, string][] {
  if (value.kind === Kind.VARIABLE) return [[value.name.value, place]];
  if (value.kind === Kind.LIST)
    return value.values.flatMap((item, index) => placesOf(item, `${place}[${index}]`));
  if (value.kind !== Kind.OBJECT) return [];
  return value.fields.flatMap((field) => placesOf(field.value, `${place}.${field.name.value}`));
}

/** A word that the closed set does not have is reported as such, anything else as a value of the wrong type. */
function ruleOf(
  type: GraphQLInputType,
  value: unknown,
  message: string,
): Pick<FieldError, "rule" | "message"> {
  if (!isEnumType(type) || typeof value !== "string") return { rule: "type", message };
  const names = type.getValues().map(({ name }) => name);
  return { rule: "enum", message: `must be one of ${names.join(", ")}` };
}

/** Returns the type, without the lists around it, of what stands in a place. */
function typeAt(type: GraphQLInputType, path: Path): GraphQLInputType {
  let at: GraphQLInputType = type;
  for (const key of path) {
    if (typeof key === "number") {
      const list: GraphQLInputType = getNullableType(at);
      at = isListType(list) ? list.ofType : at;
    } else {
      const whole = getNamedType(at);
      at = (isInputObjectType(whole) ? whole.getFields()[key]?.type : undefined) ?? at;
    }
  }
  return getNamedType(at);
}

function fieldOf(name: string, path: Path): string {
  return name + path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("");
}
