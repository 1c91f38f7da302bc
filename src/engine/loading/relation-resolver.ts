import type { Relation, Row } from "../../core/relations/relations.js";
import type { Loaders } from "./loaders.js";

/** Resolves a relation with the loaders of the run. */
export function relationResolver(relation: Relation) {
  return (row: Row, _args: unknown, { loaders }: { readonly loaders: Loaders }): unknown => {
    const id = row[relation.via] as number | null;
    if (id === null) return null;
    const companyId = row["companyId"] as number;
    return relation.kind === "one"
      ? loaders.one(relation, companyId, id)
      : loaders.many(relation, companyId, id);
  };
}
