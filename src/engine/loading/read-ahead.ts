import type { PlannedRows } from "./read-plan.js";
import type { Loaders } from "./loaders.js";
import type { Relation, Row } from "../../core/relations/relations.js";

/**
 * Reads the relations that a document wants of these rows, and of the rows that they lead to, level by level with
 * one statement each. The fields then find all rows loaded and need no promise for each.
 */
export async function readAhead(loaders: Loaders, rows: readonly Row[], planned: PlannedRows): Promise<void> {
  if (rows.length === 0) return;
  await Promise.all(
    [...planned.relations].map(async ([relation, further]) => {
      const related = await Promise.all(
        [...parentsByCompany(rows, relation)].map(([companyId, ids]) =>
          relation.kind === "one"
            ? loaders.readOneAhead(relation, companyId, [...ids])
            : loaders.readManyAhead(relation, companyId, [...ids]),
        ),
      );
      await readAhead(loaders, related.flat(), further);
    }),
  );
}

function parentsByCompany(rows: readonly Row[], { via }: Relation): Map<number, Set<number>> {
  const parents = new Map<number, Set<number>>();
  for (const row of rows) {
    const id = row[via];
    const companyId = row["companyId"];
    if (typeof id !== "number" || typeof companyId !== "number") continue;
    const ids = parents.get(companyId);
    if (ids === undefined) parents.set(companyId, new Set([id]));
    else ids.add(id);
  }
  return parents;
}
