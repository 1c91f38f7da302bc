import type { PlannedRows } from "./read-plan.js";
import type { GuardedRelation } from "./relation-access.js";
import type { RelationRun } from "./relation-resolver.js";
import type { Relation, Row } from "../../core/relations/relations.js";

/**
 * Reads the relations that a document wants of these rows, and of the rows that they lead to, level by level with
 * one statement each. The fields then find all rows loaded and need no promise for each. Rows that the caller may
 * not read are left out: their fields are refused.
 */
export async function readAhead(run: RelationRun, rows: readonly Row[], planned: PlannedRows): Promise<void> {
  if (rows.length === 0) return;
  await Promise.all(
    [...planned.relations].map(async ([relation, further]) => {
      const related = await Promise.all(
        [...parentsByCompany(rows, relation)].map(async ([companyId, parents]) => {
          const ids = await permitted(run, relation, companyId, [...parents]);
          if (ids.length === 0) return [];
          return relation.kind === "one"
            ? run.loaders.readOneAhead(relation, companyId, ids)
            : run.loaders.readManyAhead(relation, companyId, ids);
        }),
      );
      // Nearly always the rows are those of one company, and `flat` takes longer than reading them.
      await readAhead(run, related.length === 1 ? (related[0] as Row[]) : related.flat(), further);
    }),
  );
}

/** Returns those of the ids behind which the caller may read rows. */
async function permitted(
  { admissions }: RelationRun,
  { access }: GuardedRelation,
  companyId: number,
  ids: readonly number[],
): Promise<readonly number[]> {
  if (access === null) return ids;
  const followed: number[] = [];
  for (const id of ids) {
    const may = admissions.mayFollow(access, companyId, id);
    if (typeof may === "boolean" ? may : await may) followed.push(id);
  }
  return followed;
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
