import { Worker } from "node:worker_threads";

const WATCH = `
const parent = process.ppid;
setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, 500);
`;

let watch: Worker | undefined;

/**
 * Makes this process one that does the orders of the one that started it, an `OwnProcess`, and ends with it.
 *
 * @returns sends a report.
 */
export function serveParent<Work, Report extends object>(
  hear: (order: Work) => void,
): (report: Report) => void {
  // Signals to a whole group of processes are for the one that started this, which may still want its work done.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  // Whoever exits waits for its threads, which may have a picture to decode.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  process.on("message", hear);
  return (report) => void process.send?.(report);
}

/**
 * Ends this process within a second of the one that started it, also while a library keeps the event loop, which hears of
 * that end only afterwards. Call it before such work: it takes a thread.
 */
export function endWithParent(): void {
  watch ??= new Worker(WATCH, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } });
  watch.unref();
}
