import {
  coerceInputValue,
  isNonNullType,
  typeFromAST,
  type GraphQLInputType,
  type GraphQLSchema,
  type VariableDefinitionNode,
} from "graphql";
import type { FieldError } from "../../core/errors/domain-error.js";
import { MOST_ERRORS } from "../validation/field-errors.js";
import type { Variables } from "./run-operation.js";

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
    coerceInputValue(value, type, (path, _value, { message }) => {
      if (errors.length < MOST_ERRORS) errors.push({ field: fieldOf(name, path), rule: "type", message });
    });
    return errors;
  });
  return wrong.slice(0, MOST_ERRORS);
}

function fieldOf(name: string, path: readonly (string | number)[]): string {
  return name + path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("");
}
