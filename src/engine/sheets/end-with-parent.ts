import { Worker } from "node:worker_threads";

const PROGRAM = `
const parent = process.ppid;
setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, 500);
`;

let thread: Worker | undefined;

/**
 * Ends this process within a second of the one that started it, also while a library keeps its event loop, which would
 * hear of that end only much later.
 */
export function endWithParent(): void {
  thread ??= new Worker(PROGRAM, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } });
  thread.unref();
}
