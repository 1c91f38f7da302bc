import type { ExecutionResult } from "graphql";

/**
 * Returns the data of a result.
 *
 * @throws GraphQLError the first error of the result, when it has any.
 */
export function dataOf({ data, errors }: ExecutionResult): Record<string, unknown> {
  if (errors?.[0] !== undefined) throw errors[0];
  return data as Record<string, unknown>;
}
