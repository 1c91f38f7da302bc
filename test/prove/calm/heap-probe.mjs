/**
 * Preloaded into the service. When it is asked, it prints how long the event loop was blocked at most since the last
 * time, and the size of the heap after a full collection.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { queryObjects } from "node:v8";

const EVERY_MS = 5;
const NANOSECONDS = 1e6;
class Nothing {}
const delay = monitorEventLoopDelay({ resolution: EVERY_MS });
delay.enable();

process.on("message", ({ isThorough }) => {
  const blocked = delay.max / NANOSECONDS;
  // V8 collects again and again until nothing goes any more, code that has grown old included, before it looks for objects.
  if (isThorough) queryObjects(Nothing);
  else globalThis.gc();
  const { heapUsed } = process.memoryUsage();
  // The collection itself blocks as well, and is not counted.
  setTimeout(() => {
    delay.reset();
    process.send({ heapUsed, blocked });
  }, 4 * EVERY_MS);
});
// The service ends as it would without the channel.
process.channel.unref();
