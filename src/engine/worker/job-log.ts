import { Logger } from "graphile-worker";
import type { JobContext } from "../../core/jobs/jobs.js";

/**
 * Passes the library's messages to the log of the process. Everyday ones, such as that a job is done, go to level
 * debug.
 */
export function jobLogger(log: JobContext["log"]): Logger {
  return new Logger(() => (level, message, meta) => {
    const { error } = (meta ?? {}) as { error?: unknown };
    const details = { part: "jobs", ...(error instanceof Error && { err: error }) };
    if (level === "error") log.error(details, message);
    else if (level === "warning") log.warn(details, message);
    else log.debug(details, message);
  });
}
