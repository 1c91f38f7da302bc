import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The processes that a process has started and that live. */
export function childrenOf(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8").trim().split(" ").filter(Boolean).map(Number);
}

/** Waits until a process has ended, whether or not its parent knows. */
export async function untilGone(pid: number): Promise<void> {
  while (existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z "))
    await sleep(20);
}
