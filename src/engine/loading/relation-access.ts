import type { Area } from "../../core/access/permissions.js";
import type { Relation } from "../../core/relations/relations.js";
import { MODEL_FACTS } from "../../generated/models.js";

/**
 * Who may follow a relation: the platform and admins who may see or edit the area, and whom else it names. Without an
 * area it leads to rows that are private to whom it names.
 */
export interface RelationAccess {
  readonly area: Area | null;
  /** Says whether clients of the company need no permission. */
  readonly orAnyClient: boolean;
  /** The kind of principal that may follow the relation to its own row. */
  readonly orItself: "admin" | "client" | null;
}

/** A relation of the schema. `access` is `null` when whoever may read the row may follow the relation. */
export type GuardedRelation = Relation & { readonly access: RelationAccess | null };

/** Returns the access of a relation to rows of this area. */
export function accessTo(area: Area, { kind, model, openTo, ...relation }: Relation): RelationAccess {
  const namesRow = kind === "one" && !("key" in relation);
  const principal = openTo === "itself" ? "client" : namesRow ? MODEL_FACTS[model].principal : null;
  return {
    area,
    orAnyClient: openTo === "clients",
    orItself: principal,
  };
}

/** The access of a client's relation to rows that are private to it. */
export const TO_OWN_ROWS: RelationAccess = { area: null, orAnyClient: false, orItself: "client" };

/** Says what following the relation needs, for its description. */
export function describeRelationAccess({ area, orAnyClient, orItself }: RelationAccess): string {
  if (area === null) return `For the ${orItself} itself alone.`;
  const needs = `Needs \`access_${area}\` or \`can_edit_${area}\``;
  if (orAnyClient) return `${needs}; clients need none.`;
  return orItself === null ? `${needs}.` : `${needs}; the ${orItself} itself needs none.`;
}
