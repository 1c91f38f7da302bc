import type { Args } from "./with-company.js";

export type Delegate = Record<string, unknown>;

type Query = (args: Args) => unknown;

/**
 * Wraps the delegate of a model.
 *
 * @param limit returns the arguments with which a query runs; what it throws, the query rejects with.
 */
export function limitedDelegate(
  delegate: Delegate,
  limit: (operation: string, args: Args) => Args,
): Delegate {
  return new Proxy(delegate, {
    get: (target, operation: string) => {
      const value = target[operation];
      if (typeof value !== "function") return value;
      return (args: Args = {}) => {
        let limited: Args;
        try {
          limited = limit(operation, args);
        } catch (error) {
          // An extended client rejects as well, instead of throwing.
          return Promise.reject(error instanceof Error ? error : new Error(String(error)));
        }
        return (value as Query).call(target, limited);
      };
    },
  });
}
