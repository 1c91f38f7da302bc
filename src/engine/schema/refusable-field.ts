import { isNonNullType, type GraphQLField, type GraphQLOutputType } from "graphql";

/** Key under which a field that may be refused keeps the type that it has when it is not. */
const TYPE_UNLESS_REFUSED = "typeUnlessRefused";

/** Lets a field be null when it is refused, so that what is answered beside it stands. */
export function makeRefusable(field: GraphQLField<unknown, unknown>): void {
  field.extensions = { ...field.extensions, [TYPE_UNLESS_REFUSED]: field.type };
  if (isNonNullType(field.type)) field.type = field.type.ofType;
}

/** Returns the type of a field in answers of REST, where a refused field refuses the whole request. */
export function typeUnlessRefused({ type, extensions }: GraphQLField<unknown, unknown>): GraphQLOutputType {
  return (extensions[TYPE_UNLESS_REFUSED] as GraphQLOutputType | undefined) ?? type;
}
