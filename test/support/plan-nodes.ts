/** A step of a plan that PostgreSQL explains. */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Plan Rows": number;
}

/** The step by which a coordinator has workers run the rest. */
const OF_COORDINATOR = "Citus Adaptive";

/**
 * Returns the steps of what `EXPLAIN (FORMAT JSON)` answers, each before those below it. In a distributed database they are those of a
 * worker, and tables and indexes have the names that they have on the coordinator.
 */
export function planNodes(explained: unknown): PlanNode[] {
  if (typeof explained !== "object" || explained === null) return [];
  const below = Object.values(explained).flatMap(planNodes);
  if (!("Node Type" in explained)) return below;
  if ("Custom Plan Provider" in explained && explained["Custom Plan Provider"] === OF_COORDINATOR)
    return below.map(withoutPart);
  return [explained as PlanNode, ...below];
}

/** Takes the number of the part of the table from the names. */
function withoutPart(node: PlanNode): PlanNode {
  const names = (["Relation Name", "Index Name"] as const).flatMap((kind) =>
    node[kind] === undefined ? [] : [[kind, node[kind].replace(/_\d{6,}$/u, "")]],
  );
  return { ...node, ...(Object.fromEntries(names) as Partial<PlanNode>) };
}
