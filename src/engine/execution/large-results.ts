import type { ExecutionResult } from "graphql";

const large = new WeakSet<ExecutionResult>();

/** Notes that a result is so large that writing it takes the event loop long. */
export function noteLarge(result: ExecutionResult): void {
  large.add(result);
}

export function isLargeResult(result: ExecutionResult): boolean {
  return large.has(result);
}
