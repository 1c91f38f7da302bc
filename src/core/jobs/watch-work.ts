import { setTimeout as sleep } from "node:timers/promises";
import type { JobContext } from "./jobs.js";

/** Whoever does long work looks this often whether it was canceled. */
const LOOK_MS = 500;

/** Watches work that runs, so that whoever reads its file stops at once when it was canceled. */
export interface WorkWatch {
  /** Is aborted when the work does not run any more, or the process is about to stop. */
  readonly signal: AbortSignal;
  /** Says whether it was found not to run any more. */
  hasEnded(): boolean;
  stop(): Promise<void>;
}

/** @param runs reads from the row whether the work still runs. */
export function watchWork(
  runs: () => Promise<boolean>,
  { signal: stopping, log }: Pick<JobContext, "signal" | "log">,
): WorkWatch {
  const ended = new AbortController();
  const stopped = new AbortController();
  const look = async (): Promise<void> => {
    for (;;) {
      await sleep(LOOK_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      // Not to know is no reason to stop: each batch looks again.
      const isRunning = await runs().catch((error: unknown) => {
        log.debug({ err: error }, "long work could not be looked at");
        return true;
      });
      if (!isRunning) return ended.abort();
    }
  };
  const looking = look();
  return {
    signal: AbortSignal.any([stopping, ended.signal]),
    hasEnded: () => ended.signal.aborted,
    stop: () => {
      stopped.abort();
      return looking;
    },
  };
}
