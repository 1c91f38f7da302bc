import { setImmediate as nextRound } from "node:timers/promises";
import { getNamedType, isNonNullType } from "graphql";
import type { Request } from "../../engine/request/request.js";
import type { RestHandler } from "./rest-handler.js";
import type { RestRoute } from "./rest-route.js";

/** The first run of an operation is interpreted and the second one compiled. */
const RUNS = 2;
/** The process is ready after this time, whatever has been run until then. */
const MOST_MS = 5_000;

/** Whom the process runs its documents for before it is ready. */
interface WarmingCaller {
  readonly request: Request;
  /** A company whose rows are read. */
  readonly companyId: number;
}

/**
 * Runs the documents of the routes that read before anybody waits for them: their operations are compiled, their statements
 * prepared, and the code that they pass is fast. A process that has just started answers its first callers like all others.
 */
export class WarmUp {
  private readonly handlers: RestHandler[] = [];

  add(handler: RestHandler): void {
    if (handler.route.isRead) this.handlers.push(handler);
  }

  /** @returns how many operations were run. */
  async run({ request, companyId }: WarmingCaller): Promise<number> {
    const end = performance.now() + MOST_MS;
    let operations = 0;
    for (const handler of this.handlers) {
      const variables = usualVariables(handler.route, companyId);
      if (variables === null) continue;
      for (const mode of handler.usualModes) {
        operations += 1;
        for (let run = 0; run < RUNS; run += 1) {
          if (performance.now() > end) return operations;
          // A row that is not there is refused, which is as good a run as any.
          await handler.usualOperation(mode).run(request, variables);
          await nextRound();
        }
      }
    }
    return operations;
  }
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
