import { GraphQLNonNull, isNonNullType, type GraphQLField, type GraphQLOutputType } from "graphql";
import type { FieldConfig } from "./field-config.js";

/** Key under which a field that may be refused keeps whether it is never null when it is not. */
const NEVER_NULL_UNLESS_REFUSED = "neverNullUnlessRefused";

/** A field that is null when it is refused, so that what is answered beside it stands. */
export function refusable(field: FieldConfig): FieldConfig {
  const { type, extensions } = field;
  if (!isNonNullType(type)) return field;
  return {
    ...field,
    type: type.ofType,
    extensions: { ...extensions, [NEVER_NULL_UNLESS_REFUSED]: true },
  };
}

/** Returns the type of a field in answers of REST, where a refused field refuses the whole request. */
export function typeUnlessRefused({ type, extensions }: GraphQLField<unknown, unknown>): GraphQLOutputType {
  return extensions[NEVER_NULL_UNLESS_REFUSED] === true && !isNonNullType(type)
    ? new GraphQLNonNull(type)
    : type;
}
