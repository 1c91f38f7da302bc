import {
  getNamedType,
  GraphQLInt,
  isListType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
} from "graphql";
import { CHANGED_ROW, type ChangedRow } from "../../core/operations/changed-row.js";
import { ID_ARGUMENT, type EntityReference } from "../../core/operations/operation-arguments.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { hasField, isModel } from "../../core/scope/tenant-models.js";

/** The argument that names the moment when the row that is changed must have changed last. */
export const IF_UPDATED_AT = "ifUpdatedAt";
/** The argument that names the version that the row must have. */
export const IF_VERSION = "ifVersion";

/** The arguments `ifUpdatedAt` and `ifVersion` of a mutation that changes one row; none for any other. */
export function rowConditionsOf(field: GraphQLField<unknown, unknown>): readonly GraphQLArgument[] {
  const changed = changedRowOf(field);
  if (changed === null) return [];
  const isAnswered = getNamedType(field.type).name === changed.model;
  const whose = isAnswered ? "the row's" : `the ${changed.model}'s`;
  return [
    condition(
      IF_UPDATED_AT,
      DateTime,
      `Only if ${whose} \`updatedAt\` is still this one, in UTC as it is shown, and the only change of its second; ` +
        "otherwise PRECONDITION_FAILED, and nothing is done.",
    ),
    condition(
      IF_VERSION,
      GraphQLInt,
      `Only if ${whose} \`version\` is still this one; otherwise PRECONDITION_FAILED, and nothing is done.`,
    ),
  ];
}

function condition(name: string, type: GraphQLInputType, description: string): GraphQLArgument {
  return {
    name,
    description,
    type,
    defaultValue: undefined,
    deprecationReason: undefined,
    extensions: {},
    astNode: undefined,
  };
}

/** Returns the row that a mutation changes: the one that it declares, else the one that it answers and names by its id. */
export function changedRowOf({ type, args, extensions }: GraphQLField<unknown, unknown>): ChangedRow | null {
  const declared = extensions[CHANGED_ROW] as ChangedRow | undefined;
  if (declared !== undefined) return declared;
  if (isListType(type)) return null;
  const { name } = getNamedType(type);
  if (!isModel(name) || !hasField(name, "updatedAt")) return null;
  const named = Object.entries(extensions).find(
    ([key, reference]) => key.startsWith(ID_ARGUMENT) && (reference as EntityReference).model === name,
  );
  const argument = named === undefined ? null : named[0].slice(ID_ARGUMENT.length);
  const isCompany = name === "Company" && args.some((candidate) => candidate.name === "companyId");
  const id = argument ?? (isCompany ? "companyId" : null);
  return id === null ? null : { model: name, idOf: (given) => given[id] as number };
}
