import { readdirSync, writeFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { Worker } from "node:worker_threads";

const WATCH = `
const parent = process.ppid;
setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, 500);
`;

/**
 * The niceness that this process has above the service's: on a machine without idle time it has about a tenth of what the
 * service has, so that an upload waits, but not for ever.
 */
const NICER = 10;

let watch: Worker | undefined;

/**
 * Makes this process one that does the orders of the one that started it, an `OwnProcess`: it gives way to that one, and
 * ends with it.
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
  preferForEnd();
  giveWay();
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

/** Lets the kernel end this process rather than the service on a machine that runs out of memory. */
function preferForEnd(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Other systems have no such file.
  }
}

/** The service comes first, also one that is nice itself. */
function giveWay(): void {
  const priority = Math.min(getPriority() + NICER, constants.priority.PRIORITY_LOW);
  for (const thread of threads()) setPriority(thread, priority);
}

/** Linux gives each thread a priority of its own, which those have too that it starts later. */
function threads(): number[] {
  try {
    return readdirSync("/proc/self/task").map(Number);
  } catch {
    return [process.pid];
  }
}
