import { defaultFieldResolver, type GraphQLArgument } from "graphql";
import type { Run } from "../request/run.js";
import type { FieldConfig } from "../schema/field-config.js";
import { checkedArguments } from "../schema/operation.js";
import { refusable } from "../schema/refusable-field.js";
import type { InputSchemas } from "../validation/input-schemas.js";
import type { InputValidator } from "../validation/validator.js";
import type { OwnedRow } from "./readers-only.js";
import { refusal } from "./wrong-fields.js";

/**
 * Puts the check of its arguments in front of a field of a row that takes some: the same as that of an operation. Wrong ones
 * make the field null and leave the row standing.
 */
export function guardArguments(
  field: FieldConfig,
  schemas: InputSchemas,
  validator: InputValidator,
): FieldConfig {
  const args = Object.entries(field.args ?? {}).map(([name, argument]) => ({ ...argument, name }));
  if (args.length === 0) return field;
  const declared = { args: args as GraphQLArgument[], extensions: field.extensions ?? {} };
  const { check, listArguments } = checkedArguments(declared, schemas, validator);
  const resolve = field.resolve ?? defaultFieldResolver;
  return refusable({
    ...field,
    resolve: (row, given, context, info) => {
      const { companyId, id } = row as OwnedRow;
      const run = context as Run;
      const { timeZoneOffset } = run.companyScope(companyId ?? id).company;
      const { errors } = check(given, { at: run.at, timeZoneOffset });
      if (errors.length > 0) throw refusal(errors, { kind: "query", listArguments }, true);
      return resolve(row, given, context, info);
    },
  });
}
