import { getNamedType, isListType, type GraphQLField } from "graphql";
import { ID_ARGUMENT, type EntityReference } from "../../core/operations/operation-arguments.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { Prisma } from "../../generated/prisma/client.js";

/** The argument that names the moment when the row that is changed must have changed last. */
export const IF_UPDATED_AT = "ifUpdatedAt";

/** Adds the argument `ifUpdatedAt` to a mutation that changes one row and answers it. */
export function addIfUpdatedAt(field: GraphQLField<unknown, unknown>): void {
  if (changedRowOf(field) === null) return;
  const description =
    "Only if the row's `updatedAt` is still this one, in UTC as it is shown; otherwise PRECONDITION_FAILED, and nothing " +
    "is done.";
  field.args = [
    ...field.args,
    {
      name: IF_UPDATED_AT,
      description,
      type: DateTime,
      defaultValue: undefined,
      deprecationReason: undefined,
      extensions: {},
      astNode: undefined,
    },
  ];
}

/** Names the argument with the id of the row that a mutation changes and answers; `null` when there is none. */
export function changedRowOf({ type, extensions }: GraphQLField<unknown, unknown>): string | null {
  if (isListType(type)) return null;
  const { name } = getNamedType(type);
  const found = Object.entries(extensions).find(
    ([key, reference]) => key.startsWith(ID_ARGUMENT) && (reference as EntityReference).model === name,
  );
  if (found === undefined || !("updatedAt" in Prisma[`${name as Prisma.ModelName}ScalarFieldEnum`]))
    return null;
  return found[0].slice(ID_ARGUMENT.length);
}
