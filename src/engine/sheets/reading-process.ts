import { fork, type ChildProcess } from "node:child_process";
import { SheetError } from "../../core/sheets/sheet.js";
import { tooLarge } from "./limits.js";
import type { Answer, SheetOrder, Report, SentReport } from "./protocol.js";
import type { ReadingTime } from "./reading-time.js";

/**
 * The program is always the one that the build made, since node loads no TypeScript in a process of its own: from `src`,
 * where tests run, it is found as well as from `dist`.
 */
const PROGRAM = new URL("../../../dist/engine/sheets/sheet-process.js", import.meta.url);
/** The heap has 128 MB: 104 for what is kept and 3 × 8 for what is new. Buffers and node itself are beside it. */
const HEAP = ["--max-old-space-size=104", "--max-semi-space-size=8"];
/** A process that tells nothing for so long, although nobody keeps it waiting, is ended. */
const PATIENCE_MS = 60_000;
/** What a process writes where errors are shown is kept so far, to tell why it ended. */
const MOST_LAST_WORDS = 4_096;
/** How a process ends that has no memory left: by itself, or by the system. */
const OUT_OF_MEMORY = /out of memory|allocation failed/iu;

/**
 * A process that does one order. All that it took goes back to the system with its end. It knows no variable of the
 * environment, so none of the secrets there, and ends with the process that started it.
 */
export class ReadingProcess {
  private readonly child: ChildProcess;
  private readonly exited: Promise<void>;
  private readonly reports: Report[] = [];
  private lastWords = "";
  private failure: Error | undefined;
  private wake: (() => void) | undefined;
  private usedMs = 0;
  private toldAt = performance.now();
  private readonly abort = (): void => this.fail(abortOf(this.signal));

  constructor(
    order: SheetOrder,
    private readonly time: ReadingTime,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.child = fork(PROGRAM, { execArgv: HEAP, env: {}, stdio: ["ignore", "ignore", "pipe", "ipc"] });
    this.child.stderr?.setEncoding("latin1").on("data", (text: string) => {
      this.lastWords = (this.lastWords + text).slice(-MOST_LAST_WORDS);
    });
    this.child.on("message", (report: SentReport) => this.hear(report));
    // An error that nobody listens for would end this process, also a second one.
    this.child.on("error", (error) => this.fail(error));
    this.exited = new Promise((resolve) => {
      if (this.child.pid === undefined) resolve();
      this.child.once("close", (_code, signal) => {
        this.fail(this.endedBy(signal));
        resolve();
      });
    });
    this.child.send(order);
    signal?.addEventListener("abort", this.abort, { once: true });
    if (signal?.aborted === true) this.abort();
  }

  answer(answer: Answer): void {
    if (this.child.connected) this.child.send(answer);
  }

  /**
   * Returns the next report; the process is only waited for so long.
   *
   * @throws SheetError also when the company has no time of reading left.
   */
  async next(): Promise<Report> {
    const timer = setTimeout(() => this.fail(new SheetError("takes too long to read")), PATIENCE_MS);
    this.toldAt = performance.now();
    try {
      for (;;) {
        if (this.signal?.aborted === true) throw abortOf(this.signal);
        const report = this.reports.shift();
        if (report?.kind === "failed") throw failureOf(report);
        if (report !== undefined) {
          await this.time.assertLeft();
          return report;
        }
        if (this.failure !== undefined) throw this.failure;
        await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the process, and waits until it has. */
  async end(): Promise<void> {
    this.signal?.removeEventListener("abort", this.abort);
    this.failure ??= new Error("the reading of a sheet was ended");
    this.child.kill("SIGKILL");
    await this.exited;
    await this.time.settle();
  }

  private hear({ usedMs, ...report }: SentReport): void {
    this.time.add(usedMs - this.usedMs);
    this.usedMs = usedMs;
    this.toldAt = performance.now();
    this.reports.push(report);
    this.wake?.();
  }

  private fail(error: Error): void {
    if (this.failure !== undefined) return;
    this.failure = error;
    // What it did since its last report is not told any more.
    this.time.add(performance.now() - this.toldAt);
    this.child.kill("SIGKILL");
    this.wake?.();
  }

  private endedBy(signal: NodeJS.Signals | null): Error {
    if (signal === "SIGKILL" || OUT_OF_MEMORY.test(this.lastWords)) return tooLarge();
    return new Error(`the process of a sheet ended too early: ${signal ?? ""} ${this.lastWords}`);
  }
}

function failureOf({ message, isSheet, detail }: Extract<Report, { kind: "failed" }>): Error {
  return isSheet ? new SheetError(message, { cause: detail }) : new Error(message);
}

function abortOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error("reading a sheet was given up");
}
