import { randomUUID } from "node:crypto";
import { DomainError, unavailable } from "../../core/errors/domain-error.js";
import { CostError } from "../limits/cost-limit.js";
import { COST_PER_REQUEST } from "../limits/rate-limiter.js";
import { loopTime } from "../limits/loop-time.js";
import { createRequest, type RequestFacts } from "../request/request.js";
import type { Variables } from "../schema/root-operations.js";
import type { Documents, PreparedOperation } from "./documents.js";

/** Returns why a text is no query of these variables that can be run later; `null` when it is one. */
export function objectionToQuery(
  documents: Documents,
  text: string,
  variables: readonly string[],
): string | null {
  const prepared = documents.ofText(text);
  if (prepared.excesses.length > 0) return "exceeds the limits of a document";
  if (prepared.document === null) {
    const fault = documents.faultOf(text)?.replace(/\.$/u, "");
    return `is no GraphQL that fits the schema${fault === undefined ? "" : `: ${fault}`}`;
  }
  const operation = prepared.operation(null);
  if (operation?.kind !== "query") return "must be one query";
  const names = (operation.definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
  const unknown = names.find((name) => !variables.includes(name));
  if (unknown !== undefined)
    return `has the variable $${unknown}; there are only $${variables.join(" and $")}`;
  try {
    operation.assertAffordable(Object.fromEntries(variables.map((name) => [name, 1])), null);
    return null;
  } catch (error) {
    if (!(error instanceof CostError)) throw error;
    return error.message;
  }
}

/** A query, and who asks. */
interface AskedQuery {
  readonly text: string;
  readonly variables: Variables;
  /** How long it may wait for its turn, in milliseconds. */
  readonly patienceMs: number;
  readonly asker: Pick<RequestFacts, "caller" | "account" | "turn" | "runtime" | "keyedTurns">;
}

/** Runs a query that nobody waits for as if its caller had sent it. @throws DomainError when all of it is refused. */
export async function runQuery(
  documents: Documents,
  { text, variables, patienceMs, asker }: AskedQuery,
): Promise<object | null> {
  const operation = documents.ofText(text).operation(null);
  if (operation?.kind !== "query")
    throw new DomainError("BAD_REQUEST", "The query does not fit the schema any more.");
  // A request that is sent counts as one, and by its cost as more.
  await asker.account.charge(COST_PER_REQUEST + operation.assertAffordable(variables, asker.turn).requested);
  const { turn } = asker;
  if (!(await turn.take(patienceMs))) throw unavailable("The service has much to do.");
  try {
    return await run(operation, variables, asker);
  } finally {
    loopTime.count();
    turn.end();
  }
}

async function run(
  operation: PreparedOperation,
  variables: Variables,
  asker: AskedQuery["asker"],
): Promise<object | null> {
  const request = createRequest({
    ...asker,
    id: randomUUID(),
    address: "jobs",
    device: null,
    idempotencyKey: undefined,
    trace: null,
  });
  const result = await operation.run(request, variables);
  if ("data" in result) return result.data ?? null;
  throw result.errors?.[0]?.originalError ?? new DomainError("BAD_REQUEST", "The query cannot be run.");
}
