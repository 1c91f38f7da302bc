import { rm } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { SheetError, type SheetRows, type Sheets, type SheetSource } from "../../core/sheets/sheet.js";
import { tooLarge } from "./limits.js";
import type { Answer, Note, Order, Report } from "./protocol.js";

/**
 * The program of the threads is always the one that the build made, since node loads no TypeScript in a thread: from
 * `src`, where tests run, it is found as well as from `dist`.
 */
const PROGRAM = new URL("../../../dist/engine/sheets/sheet-thread.js", import.meta.url);
const THREAD_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };
/** A thread that tells nothing for so long, although nobody keeps it waiting, is ended. */
const PATIENCE_MS = 60_000;
const NOTES_AT_ONCE = 500;

/** Reads and writes sheets, each in a thread of its own, so that no file keeps the event loop or its memory. */
export const sheets: Sheets = {
  async *read({ signal, ...source }: SheetSource): AsyncGenerator<SheetRows> {
    const thread = new SheetThread({ kind: "read", source }, signal);
    try {
      for (;;) {
        const report = await thread.next();
        if (report.kind === "done") return;
        if (report.kind !== "rows") continue;
        yield { rows: report.rows, read: report.read };
        thread.answer({ kind: "taken" });
      }
    } finally {
      await thread.end();
    }
  },

  async annotate({ signal, ...source }: SheetSource, notes: AsyncIterable<Note>, to: string): Promise<void> {
    const thread = new SheetThread({ kind: "annotate", source, to }, signal);
    const iterator = notes[Symbol.asyncIterator]();
    let isWritten = false;
    try {
      for (;;) {
        const report = await thread.next();
        if (report.kind === "wanted") thread.answer({ kind: "notes", ...(await someOf(iterator)) });
        if (report.kind !== "done") continue;
        isWritten = true;
        return;
      }
    } finally {
      await thread.end();
      await iterator.return?.();
      if (!isWritten) await rm(to, { force: true });
    }
  },
};

async function someOf(notes: AsyncIterator<Note>): Promise<{ notes: Note[]; isLast: boolean }> {
  const some: Note[] = [];
  while (some.length < NOTES_AT_ONCE) {
    const result = await notes.next();
    if (result.done === true) return { notes: some, isLast: true };
    some.push(result.value);
  }
  return { notes: some, isLast: false };
}

/** A thread that does one order. */
class SheetThread {
  private readonly worker: Worker;
  private readonly reports: Report[] = [];
  private failure: Error | undefined;
  private wake: (() => void) | undefined;
  private readonly abort = (): void => this.fail(abortOf(this.signal));

  constructor(
    order: Order,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.worker = new Worker(PROGRAM, { workerData: order, resourceLimits: THREAD_LIMITS });
    this.worker.on("message", (report: Report) => {
      this.reports.push(report);
      this.wake?.();
    });
    // An error that nobody listens for would end the process, also a second one.
    this.worker.on("error", (error) => this.fail(isOutOfMemory(error) ? tooLarge() : error));
    this.worker.once("exit", () => this.fail(new Error("the thread of a sheet ended too early")));
    signal?.addEventListener("abort", this.abort, { once: true });
    if (signal?.aborted === true) this.abort();
  }

  answer(answer: Answer): void {
    this.worker.postMessage(answer);
  }

  /** Returns the next report; the thread is only waited for so long. */
  async next(): Promise<Report> {
    const timer = setTimeout(() => this.fail(new SheetError("takes too long to read")), PATIENCE_MS);
    try {
      for (;;) {
        if (this.signal?.aborted === true) throw abortOf(this.signal);
        const report = this.reports.shift();
        if (report?.kind === "failed") throw failureOf(report);
        if (report !== undefined) return report;
        if (this.failure !== undefined) throw this.failure;
        await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async end(): Promise<void> {
    this.signal?.removeEventListener("abort", this.abort);
    await this.worker.terminate();
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.wake?.();
  }
}

function failureOf({ message, isSheet, detail }: Extract<Report, { kind: "failed" }>): Error {
  return isSheet ? new SheetError(message, { cause: detail }) : new Error(message);
}

function abortOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error("reading a sheet was given up");
}

function isOutOfMemory(error: Error): boolean {
  return "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
