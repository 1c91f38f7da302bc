import type { Relation, Row } from "../../core/relations/relations.js";
import type { RowBudget } from "../limits/row-budget.js";
import type { Loaders } from "./loaders.js";

interface LoadingRun {
  readonly loaders: Loaders;
  readonly budget: RowBudget;
}

const NO_ROWS: readonly Row[] = [];

/** Resolves a relation with the loaders of the run, and counts the objects that it makes. */
export function relationResolver(relation: Relation) {
  return relation.kind === "one" ? resolverOfOne(relation) : resolverOfMany(relation);
}

function resolverOfOne(relation: Relation & { kind: "one" }) {
  return (row: Row, _args: unknown, { loaders, budget }: LoadingRun): unknown => {
    const id = row[relation.via] as number | null;
    // A run over its limit is refused as a whole, so it does not matter what its fields answer.
    if (id === null || !budget.makes(1)) return null;
    return loaders.one(relation, row["companyId"] as number, id);
  };
}

function resolverOfMany(relation: Relation & { kind: "many" }) {
  const counted = (rows: readonly Row[], budget: RowBudget): readonly Row[] =>
    budget.makes(rows.length) ? rows : NO_ROWS;
  return (row: Row, _args: unknown, { loaders, budget }: LoadingRun): unknown => {
    const id = row[relation.via] as number | null;
    if (id === null) return null;
    const rows = loaders.many(relation, row["companyId"] as number, id);
    return rows instanceof Promise ? rows.then((found) => counted(found, budget)) : counted(rows, budget);
  };
}
