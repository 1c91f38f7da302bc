import { fork, type ChildProcess } from "node:child_process";

/** What a process of its own may take. */
export interface ProcessBounds {
  /** Its heap; buffers, and what libraries take outside of the heap, are beside it. */
  readonly heapMiB: number;
}

/**
 * Starts a program of this service in a process of its own, which is for work whose memory must go back to the system: it
 * does so with the end of the process. The process knows no variable of the environment, so none of the secrets there.
 * The program begins with `behave`.
 *
 * @param program is one that the build made, since node loads no TypeScript by itself.
 */
export function startProcess(program: URL, { heapMiB }: ProcessBounds): ChildProcess {
  return fork(program, {
    execArgv: [`--max-old-space-size=${heapMiB}`],
    env: {},
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
}
