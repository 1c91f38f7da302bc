import { setImmediate as nextRound } from "node:timers/promises";
import { getNamedType, isNonNullType } from "graphql";
import { UNLIMITED } from "../../engine/limits/account.js";
import { FairTurns, Turn } from "../../engine/limits/fair-turns.js";
import { createRequest, type Request } from "../../engine/request/request.js";
import type { RestHandler } from "./rest-handler.js";
import type { RestRoute } from "./rest-route.js";

/** The first run of an operation is interpreted and the second one compiled. */
const RUNS = 2;
/** The process is ready after this time, whatever has been run until then. */
const MOST_MS = 5_000;

/**
 * Runs the documents of the routes that read before anybody waits for them: their operations are compiled, their statements
 * prepared, and the code that they pass is fast. A process that has just started answers its first callers like all others.
 */
export class WarmUp {
  private readonly first: ((request: Request) => Promise<void>)[] = [];
  private readonly handlers: RestHandler[] = [];

  /** Adds what is run before the documents of the routes, such as the first requests of another face. */
  addFirst(run: (request: Request) => Promise<void>): void {
    this.first.push(run);
  }

  add(handler: RestHandler): void {
    if (handler.route.isRead) this.handlers.push(handler);
  }

  /**
   * Runs them for a company.
   *
   * @returns how many operations of routes were run.
   */
  async run(process: Pick<Request, "runtime" | "keyedTurns">, companyId: number): Promise<number> {
    const request = warmingRequest(process);
    const end = performance.now() + MOST_MS;
    let operations = 0;
    for (const run of this.first) await run(request);
    for (const handler of this.handlers) {
      const variables = usualVariables(handler.route, companyId);
      if (variables === null) continue;
      for (const operation of handler.usualOperations()) {
        operations += 1;
        for (let run = 0; run < RUNS; run += 1) {
          if (performance.now() > end) return operations;
          // A row that is not there is refused, which is as good a run as any.
          await operation.run(request, variables);
          await nextRound();
        }
      }
    }
    return operations;
  }
}

/** Returns a request of the process itself, for which nobody waits and nobody pays. */
function warmingRequest(process: Pick<Request, "runtime" | "keyedTurns">): Request {
  const turns = new FairTurns({ most: 1, mostOfOne: 1 });
  return createRequest({
    id: "warm-up",
    address: "",
    device: null,
    caller: { kind: "platform" },
    idempotencyKey: undefined,
    ...process,
    turn: new Turn(turns, turns.owner("warm-up")),
    account: UNLIMITED,
    trace: null,
  });
}

/** Returns what the route's operation has to be given; `null` where no value is known. */
function usualVariables(route: RestRoute, companyId: number): Record<string, unknown> | null {
  const { example } = route.rest;
  const variables: Record<string, unknown> = {};
  for (const [name, type] of route.variables) {
    if (name === "first") variables[name] = 1;
    if (!isNonNullType(type)) continue;
    if ("companyId" in route.argumentsOf({ [name]: companyId })) variables[name] = companyId;
    else if (name in example) variables[name] = example[name];
    else if (getNamedType(type).name === "Int") variables[name] = 1;
    else return null;
  }
  return variables;
}
