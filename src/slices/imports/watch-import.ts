import { setTimeout as sleep } from "node:timers/promises";
import type { JobContext } from "../../core/jobs/jobs.js";
import type { ImportGoodsJob } from "./import-job.sql.js";

/** Whoever does an import looks this often whether it was canceled. */
const LOOK_MS = 500;

/** Watches an import that runs, so that whoever reads its sheet stops at once when it was canceled. */
export interface ImportWatch {
  /** Is aborted when the import does not run any more, or the process is about to stop. */
  readonly signal: AbortSignal;
  /** Whether it was found not to run any more. */
  readonly hasEnded: boolean;
  stop(): Promise<void>;
}

export function watchImport(
  { companyId, importJobId: id }: ImportGoodsJob,
  { database: { writer }, signal: stopping, log }: JobContext,
): ImportWatch {
  const ended = new AbortController();
  const stopped = new AbortController();
  const isThere = async (): Promise<boolean> =>
    (await writer.importJob.findFirst({ where: { companyId, id, status: "running" } })) !== null;
  const look = async (): Promise<void> => {
    for (;;) {
      await sleep(LOOK_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      // Not to know is no reason to stop: each batch looks again.
      const isRunning = await isThere().catch((error: unknown) => {
        log.debug({ companyId, importJobId: id, err: error }, "an import could not be looked at");
        return true;
      });
      if (!isRunning) return ended.abort();
    }
  };
  const looking = look();
  return {
    signal: AbortSignal.any([stopping, ended.signal]),
    get hasEnded() {
      return ended.signal.aborted;
    },
    stop: () => {
      stopped.abort();
      return looking;
    },
  };
}
