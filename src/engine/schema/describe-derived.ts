import type { Access } from "../../core/access/access.js";
import { FORMER_NAME } from "../../core/inputs/input-fields.js";
import { describeFormerName } from "./former-names.js";
import { describeAccess } from "./describe-access.js";
import { isEnumType, isInputObjectType, isObjectType, type GraphQLSchema } from "graphql";

const ROOTS: Readonly<Record<string, string>> = {
  Query: "Everything that can be read. What belongs to a company takes its id as `companyId`.",
  Subscription:
    "What can be followed as it comes, by server-sent events: a request with `Accept: text/event-stream`, as the package " +
    "`graphql-sse` sends it.",
  Mutation: "Everything that can be changed. Each answers what it changed; a deletion what there was.",
};
const DIRECTIONS: Readonly<Record<string, string>> = {
  ASC: "The smallest, earliest or first by letters comes first; nulls come last.",
  DESC: "The greatest, latest or last by letters comes first; nulls come before them.",
};

/**
 * Adds the descriptions that no class declares: those of the root types, of the values that lists are ordered by, earlier names of
 * input types, and who may run each operation.
 */
export function describeDerived(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type)) type.description ??= ROOTS[type.name];
    const was = isInputObjectType(type) ? type.extensions[FORMER_NAME] : undefined;
    if (was !== undefined)
      type.description = `${type.description ?? ""} ${describeFormerName(was as string)}`;
    if (!isEnumType(type)) continue;
    for (const value of type.getValues()) {
      if (type.name === "OrderDirection") value.description ??= DIRECTIONS[value.name];
      else if (type.name.endsWith("OrderField"))
        value.description ??= describeOrder(schema, type.name, value.value as string);
    }
  }
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
    for (const field of Object.values(root?.getFields() ?? {})) {
      const access = field.extensions["access"] as Access | undefined;
      if (access !== undefined) field.description = `${field.description ?? ""} ${describeAccess(access)}`;
    }
  return schema;
}

/** Returns the description of the field that the value orders by. */
function describeOrder(schema: GraphQLSchema, name: string, field: string): string {
  const type = schema.getType(name.replace(/OrderField$/u, ""));
  const described = isObjectType(type) ? type.getFields()[field]?.description : undefined;
  return described ? `By \`${field}\`: ${described}` : `By \`${field}\`.`;
}
