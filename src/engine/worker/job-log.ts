import { Logger } from "graphile-worker";
import { isUnavailable } from "../errors/unavailable.js";
import type { JobContext } from "../../core/jobs/jobs.js";

/**
 * Passes the library's messages to the log of the process. Everyday ones, such as that a job is done, go to level
 * debug, and so do lost connections after the worker stops: the database may stop at the same time. A database that cannot be
 * reached or has no time is a warning: the job is tried again.
 */
export function jobLogger(log: JobContext["log"], isStopping: () => boolean): Logger {
  return new Logger(() => (level, message, meta) => {
    const { fatalError, error = fatalError } = (meta ?? {}) as { error?: unknown; fatalError?: unknown };
    const details = { part: "jobs", ...(error instanceof Error && { err: error }) };
    const isOfDatabase = isUnavailable(error);
    // The library quotes the error as it stands, with the values of statements.
    const said = error instanceof Error ? (message.split(" with error ", 1)[0] as string) : message;
    if (isStopping() && isOfDatabase) log.debug(details, said);
    else if (level === "error" && !isOfDatabase) log.error(details, said);
    else if (level === "error" || level === "warning") log.warn(details, said);
    else log.debug(details, said);
  });
}
