import { setImmediate as nextRound } from "node:timers/promises";
import { getNamedType, isNonNullType } from "graphql";
import type { Warming } from "../http/warm-up.js";
import type { RestHandler } from "./rest-handler.js";
import type { RestRoute } from "./rest-route.js";

/** The first run of an operation is interpreted and the second one compiled. */
const RUNS = 2;

/** Runs the documents of the routes that read. @returns how many of their operations were run. */
export async function warmRoutes(
  handlers: readonly RestHandler[],
  { request, companyId, isOver }: Warming,
): Promise<number> {
  let operations = 0;
  for (const handler of handlers) {
    const variables = handler.route.isRead ? usualVariables(handler.route, companyId) : null;
    if (variables === null) continue;
    for (const operation of handler.usualOperations()) {
      operations += 1;
      for (let run = 0; run < RUNS; run += 1) {
        if (isOver()) return operations;
        // A row that is not there is refused, which is as good a run as any.
        await operation.run(request, variables);
        await nextRound();
      }
    }
  }
  return operations;
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
