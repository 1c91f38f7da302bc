import { fork, type ChildProcess } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { constants, getPriority, setPriority } from "node:os";

/** The folder of the build, which is found from `src`, where tests run, as well as from `dist`. */
const ENGINE = new URL("../../../dist/engine/", import.meta.url);
/** The heap has 128 MB: 104 for what is kept and 3 × 8 for what is new. Buffers and node itself are beside it. */
const HEAP = ["--max-old-space-size=104", "--max-semi-space-size=8"];
/**
 * The niceness that a process has above the service's: on a machine without idle time it has about a tenth of what the service
 * has, so that an upload waits, but not for ever.
 */
const NICER = 10;
/** What a process writes where errors are shown is kept so far, to explain why it ended. */
const MOST_LAST_WORDS = 4_096;
/** How a process ends that has no memory left: by itself, or by the system. */
const OUT_OF_MEMORY = /out of memory|allocation failed|failed to allocate/iu;

/** How a process ended that nobody ended. */
export interface Ending {
  readonly why: "neverStarted" | "noMemory" | "gaveUp";
  /** What the system and the process itself said of it. */
  readonly detail: string;
}

/** Who started a process. */
export interface Starter<Report> {
  heard(report: Report): void;
  /** The process ended by itself; nothing more is heard. */
  lost(ending: Ending): void;
}

/**
 * A program of this service in a process of its own, for work whose memory must go back to the system: it does so with the
 * end of the process. The process knows no variable of the environment, so none of the secrets there. It keeps this one
 * alive until it is let go, and ends with it.
 */
export class OwnProcess<Work extends object, Report> {
  private readonly child: ChildProcess;
  private readonly exited: Promise<void>;
  private lastWords = "";
  private hasEnded = false;

  /**
   * @param program is a file of the engine that calls `serveParent`. It is always the one that the build made, since node
   *   loads no TypeScript by itself.
   */
  constructor(
    program: `${string}.js`,
    private readonly starter: Starter<Report>,
  ) {
    this.child = fork(new URL(program, ENGINE), {
      execArgv: HEAP,
      env: {},
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      // Bytes are sent as they are.
      serialization: "advanced",
    });
    if (this.child.pid !== undefined) {
      preferForEnd(this.child.pid);
      giveWay(this.child.pid);
    }
    this.child.stderr?.setEncoding("latin1").on("data", (text: string) => {
      this.lastWords = (this.lastWords + text).slice(-MOST_LAST_WORDS);
    });
    this.child.on("message", (report) => {
      if (!this.hasEnded) this.starter.heard(report as Report);
    });
    this.exited = new Promise((resolve) => {
      this.child.on("error", ({ message }) => {
        // What cannot be sent to a process is followed by its end.
        if (this.child.pid !== undefined) return;
        this.lose({ why: "neverStarted", detail: message });
        resolve();
      });
      this.child.once("close", (code, signal) => {
        this.lose(this.endingOf(signal ?? `code ${code}`));
        resolve();
      });
    });
  }

  send(order: Work): void {
    if (this.child.connected) this.child.send(order);
  }

  /** Keeps this process alive, as it does from the start. */
  keep(): void {
    for (const handle of this.handles()) handle?.ref();
  }

  /** Keeps this process alive no longer. */
  letGo(): void {
    for (const handle of this.handles()) handle?.unref();
  }

  /** Ends the process, and waits until it has. */
  async end(): Promise<void> {
    this.hasEnded = true;
    this.child.kill("SIGKILL");
    await this.exited;
  }

  private lose(ending: Ending): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.starter.lost(ending);
  }

  private endingOf(reason: string): Ending {
    const lacksMemory = reason === "SIGKILL" || OUT_OF_MEMORY.test(this.lastWords);
    return { why: lacksMemory ? "noMemory" : "gaveUp", detail: `${reason} ${this.lastWords}`.trim() };
  }

  private handles(): ({ ref(): void; unref(): void } | null | undefined)[] {
    const { child } = this;
    // The pipe is a socket, whatever its type says.
    return [child, child.channel, child.stderr as Socket | null];
  }
}

/** Lets the kernel end a process rather than the service on a machine that runs out of memory. */
function preferForEnd(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
  } catch {
    // Other systems have no such file.
  }
}

/**
 * Lets a process come after the service, also after one that is nice itself. It has just begun: loading its program takes it a
 * tenth of a second. Threads that it has started already keep the priority that they have until they are told; later ones have
 * that of the thread that starts them.
 */
function giveWay(pid: number): void {
  const niceness = Math.min(getPriority() + NICER, constants.priority.PRIORITY_LOW);
  try {
    setPriority(pid, niceness);
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), niceness);
  } catch {
    // It has ended already, which is told elsewhere, or the system lists no threads.
  }
}
