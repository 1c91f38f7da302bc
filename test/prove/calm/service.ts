import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { productionOptions } from "../../bench/processes.js";

const PROBE = new URL("./heap-probe.mjs", import.meta.url).pathname;
/** Of the log, this many characters are kept. */
const MOST_WORDS = 2_000;
/** A line of the log with level error or fatal. */
const ERROR = /"level":(?:[56]0|"error"|"fatal")/u;

/** How a process is. */
export interface State {
  /** The heap after a full collection. */
  readonly heapBytes: number;
  /** The longest time in which it could do nothing else. */
  readonly blockedMs: number;
}

/** The service as it runs in production, with the same limit of its heap, and a way to ask for the heap's size. */
export class WatchedService {
  /** The errors that it has logged. */
  readonly errors: string[] = [];
  private lastWords = "";
  private unfinished = "";

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.lastWords = (this.lastWords + text).slice(-MOST_WORDS);
      const lines = (this.unfinished + text).split("\n");
      this.unfinished = lines.pop() ?? "";
      this.errors.push(...lines.filter((line) => ERROR.test(line)));
    });
  }

  /** @param flags of Node.js, besides those of production. */
  static async start(
    port: number,
    environment: Record<string, string>,
    flags: readonly string[] = [],
  ): Promise<WatchedService> {
    const child = spawn(process.execPath, ["--expose-gc", ...flags, "--import", PROBE, "dist/main.js"], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      env: { ...process.env, ...environment, PORT: String(port), NODE_OPTIONS: productionOptions() },
    });
    const service = new WatchedService(child, `http://127.0.0.1:${port}`);
    for (let attempt = 0; attempt < 600 && service.lives; attempt += 1) {
      const answers = await fetch(`${service.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (answers) return service;
      await wait(50);
    }
    child.kill("SIGKILL");
    throw new Error("the service does not answer");
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get lives(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Says how the process ended, and what it logged last; `null` while it lives. */
  get end(): string | null {
    const { exitCode, signalCode } = this.child;
    return this.lives ? null : `${signalCode ?? `exit ${exitCode}`}: ${this.lastWords}`;
  }

  /**
   * Asks the process how it is since it was last asked; `null` when it has ended.
   *
   * @param isThorough collects garbage for seconds, until nothing goes any more.
   */
  async state({ isThorough = false } = {}): Promise<State | null> {
    if (!this.lives) return null;
    this.child.send({ isThorough });
    // A process that dies meanwhile closes the channel.
    const told = new AbortController();
    const { signal } = told;
    const [state] = (await Promise.race([
      once(this.child, "message", { signal }),
      once(this.child, "exit", { signal }).then(() => [null]),
    ])) as [{ heapUsed: number; blocked: number } | null];
    told.abort();
    if (state === null) return null;
    return { heapBytes: state.heapUsed, blockedMs: Math.round(state.blocked) };
  }

  async stop(): Promise<void> {
    if (!this.lives) return;
    const ended = once(this.child, "exit");
    this.child.kill("SIGTERM");
    await ended;
  }
}
