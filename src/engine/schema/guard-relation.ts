import {
  getNamedType,
  isNonNullType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from "graphql";
import { AREAS, type Area } from "../../core/access/permissions.js";
import type { Relation } from "../../core/relations/relations.js";
import { delegateName } from "../../core/scope/tenant-models.js";
import {
  accessTo,
  describeRelationAccess,
  type GuardedRelation,
  type RelationAccess,
} from "../loading/relation-access.js";
import type { Operation } from "./operation.js";

/** Key under which a relation that may be refused keeps the type that it has when it is not. */
const TYPE_UNLESS_REFUSED = "typeUnlessRefused";

/**
 * Settles who may follow a relation. One that may be refused can be null, so that its refusal leaves the row
 * standing.
 *
 * @throws Error when neither the relation nor a query of its target says who may read the related rows.
 */
export function guardRelation(
  parent: GraphQLObjectType | GraphQLInterfaceType,
  field: GraphQLField<unknown, unknown>,
  relation: Relation,
  operations: ReadonlyMap<string, Operation>,
): GuardedRelation {
  const access = accessOf(
    `${parent.name}.${field.name}`,
    getNamedType(field.type).name,
    relation,
    operations,
  );
  const guarded: GuardedRelation = { ...relation, access };
  field.extensions = { ...field.extensions, relation: guarded };
  if (access === null) return guarded;
  field.extensions = { ...field.extensions, [TYPE_UNLESS_REFUSED]: field.type };
  if (isNonNullType(field.type)) field.type = field.type.ofType;
  field.description = `${field.description ?? ""} ${describeRelationAccess(access)}`;
  return guarded;
}

/** Returns the type of a field in answers of REST, where a refused relation refuses the whole request. */
export function typeUnlessRefused({ type, extensions }: GraphQLField<unknown, unknown>): GraphQLOutputType {
  return (extensions[TYPE_UNLESS_REFUSED] as GraphQLOutputType | undefined) ?? type;
}

function accessOf(
  name: string,
  target: string,
  relation: Relation,
  operations: ReadonlyMap<string, Operation>,
): RelationAccess | null {
  if (relation.openTo === "readers") return null;
  const area = relation.area ?? areaOf(operations.get(delegateName(target)));
  if (area === "open") return null;
  if (area === undefined) throw new Error(`${name} declares no area, and no query reads one ${target}`);
  return accessTo(area, relation);
}

/** Returns the area whose readers may run the query; `open` when everyone may. */
function areaOf(query: Operation | undefined): Area | "open" | undefined {
  if (query?.access.kind === "open") return "open";
  if (query?.access.kind !== "permission") return undefined;
  const { permission } = query.access;
  return AREAS.find((area) => permission === `access_${area}`);
}
