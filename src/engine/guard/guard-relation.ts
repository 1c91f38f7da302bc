import { getNamedType } from "graphql";
import { areaOf, type Area } from "../../core/access/permissions.js";
import type { Relation } from "../../core/relations/relations.js";
import { delegateName, ownerField, type ModelName } from "../../core/scope/tenant-models.js";
import {
  accessTo,
  describeRelationAccess,
  TO_OWN_ROWS,
  type GuardedRelation,
  type RelationAccess,
} from "../loading/relation-access.js";
import { relationResolver } from "../loading/relation-resolver.js";
import type { FieldConfig } from "../schema/field-config.js";
import type { Operation } from "../schema/operation.js";
import { refusable } from "../schema/refusable-field.js";

/**
 * Settles who may follow a relation. One that may be refused can be null, so that its refusal leaves the row
 * standing.
 *
 * @param name is the relation's, such as `Good.branchGroup`.
 * @throws Error when neither the relation nor a query of its target says who may read the related rows, or when it
 *   leads to private rows from another row than that of their owner.
 */
export function guardRelation(
  name: string,
  field: FieldConfig,
  relation: Relation,
  operations: ReadonlyMap<string, Operation>,
): FieldConfig {
  const access = accessOf(name, getNamedType(field.type).name, relation, operations);
  const guarded: GuardedRelation = { ...relation, access };
  const followed = {
    ...field,
    resolve: relationResolver(guarded) as FieldConfig["resolve"],
    extensions: { ...field.extensions, relation: guarded },
  };
  if (access === null) return followed;
  const description = `${field.description ?? ""} ${describeRelationAccess(access)}`;
  return refusable({ ...followed, description });
}

function accessOf(
  name: string,
  target: string,
  relation: Relation,
  operations: ReadonlyMap<string, Operation>,
): RelationAccess | null {
  const owner = ownerField(relation.model);
  if (owner !== null) {
    if (relation.kind === "many" && relation.foreignKey === owner && relation.via === "id")
      return TO_OWN_ROWS;
    throw new Error(`${name} leads to private rows, but not from their owner`);
  }
  if (relation.openTo === "readers") return null;
  const area = relation.area ?? areaReadBy(operations.get(delegateName(target)));
  if (area === "open") return null;
  if (area === null) throw new Error(`${name} declares no area, and no query reads one ${target}`);
  return accessTo(area, relation);
}

/**
 * Returns the access of a relation to one row of the model that says nothing of its own; `undefined` when no query of its type says
 * who may read it.
 */
export function accessToOne(
  model: ModelName,
  operations: ReadonlyMap<string, Operation>,
): RelationAccess | null | undefined {
  const area = areaReadBy(operations.get(delegateName(model)));
  if (area === null) return undefined;
  return area === "open" ? null : accessTo(area, { kind: "one", model, via: "id" });
}

/** Returns the area whose readers may run the query; `open` when everyone may. */
function areaReadBy(query: Operation | undefined): Area | "open" | null {
  if (query?.access.kind === "open") return "open";
  if (query?.access.kind !== "permission") return null;
  const { permission } = query.access;
  const area = areaOf(permission);
  return area !== null && permission === `access_${area}` ? area : null;
}
