import type { Area } from "../../core/access/permissions.js";
import type { Relation } from "../../core/relations/relations.js";
import type { ModelName } from "../../core/scope/tenant-models.js";

/** Who may follow a relation besides the platform: admins who may see or edit the area, and whom else it names. */
export interface RelationAccess {
  readonly area: Area;
  /** Whether clients of the company need no permission. */
  readonly orAnyClient: boolean;
  /** The kind of principal that may follow the relation to its own row. */
  readonly orItself: "admin" | "client" | null;
}

/** A relation of the schema. `access` is `null` when whoever may read the row may follow the relation. */
export type GuardedRelation = Relation & { readonly access: RelationAccess | null };

const PRINCIPAL_OF: Partial<Record<ModelName, "admin" | "client">> = { Admin: "admin", Client: "client" };

/** Returns the access of a relation to rows of this area. */
export function accessTo(area: Area, { kind, model, openTo, ...relation }: Relation): RelationAccess {
  const namesRow = kind === "one" && !("key" in relation);
  return {
    area,
    orAnyClient: openTo === "clients",
    orItself: namesRow ? (PRINCIPAL_OF[model] ?? null) : null,
  };
}

/** Says what following the relation needs, for its description. */
export function describeRelationAccess({ area, orAnyClient, orItself }: RelationAccess): string {
  const needs = `Needs \`access_${area}\` or \`can_edit_${area}\``;
  if (orAnyClient) return `${needs}; clients need none.`;
  return orItself === null ? `${needs}.` : `${needs}; the ${orItself} itself needs none.`;
}
