/**
 * Runs what makes errors that say what is wrong with a request. They are no faults of the program, so they get no stacks: node
 * looks each line of one up in the source maps, which takes longer than many a refusal.
 */
export function withoutStacks<Result>(run: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
