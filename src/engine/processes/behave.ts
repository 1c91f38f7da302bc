import { setPriority } from "node:os";

/** The share of the processor that requests have comes before that of this process. */
const NICENESS = 10;

/** Makes this process one that serves another: it ends with that one, and gives way to it. */
export function behave(): void {
  process.on("disconnect", () => process.exit());
  // Signals to a group of processes are for the one that started this, which may still want its work done.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  setPriority(NICENESS);
}
