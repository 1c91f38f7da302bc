import { setTimeout as sleep } from "node:timers/promises";
import type { Loop, LoopContext } from "../../core/jobs/loop.js";
import { isUnavailable } from "../errors/unavailable.js";

/**
 * Runs loops until the context's signal is aborted.
 *
 * @returns a function that waits until nothing of them goes on.
 */
export function runLoops(loops: readonly Loop[], context: LoopContext): () => Promise<void> {
  const { signal, log } = context;
  const running = loops.map(async ({ name, everyMs, begin }) => {
    const run = begin(context);
    while (!signal.aborted) {
      await run.look().catch((error: unknown) => {
        if (!(signal.aborted && isUnavailable(error)))
          log.warn({ err: error, loop: name }, "a look for work failed");
      });
      await sleep(everyMs, undefined, { ref: false, signal }).catch(() => undefined);
    }
    await run.settled();
  });
  return async () => {
    await Promise.all(running);
  };
}
