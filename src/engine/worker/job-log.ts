import { Logger } from "graphile-worker";
import type { JobContext } from "../../core/jobs/jobs.js";

/** What the library tells, in the process's log. Its everyday news, such as that a job is done, is for debugging. */
export function jobLogger(log: JobContext["log"]): Logger {
  return new Logger(() => (level, message, meta) => {
    const { error } = (meta ?? {}) as { error?: unknown };
    const details = { part: "jobs", ...(error instanceof Error && { err: error }) };
    if (level === "error") log.error(details, message);
    else if (level === "warning") log.warn(details, message);
    else log.debug(details, message);
  });
}
