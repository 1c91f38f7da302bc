import { SheetError } from "../../core/sheets/sheet.js";
import { OwnProcess, type Ending } from "../processes/own-process.js";
import { tooLarge } from "./limits.js";
import type { Answer, SheetOrder, Report, SentReport } from "./protocol.js";
import type { ReadingTime } from "./reading-time.js";

/** A process that reports nothing for so long, although nobody keeps it waiting, is ended. */
const PATIENCE_MS = 60_000;

/** A process that does one order, and counts the time that it takes. */
export class ReadingProcess {
  private readonly process = new OwnProcess<SheetOrder | Answer, SentReport>("sheets/sheet-process.js", {
    heard: (report) => this.hear(report),
    lost: (ending) => this.fail(lossOf(ending)),
  });
  private readonly reports: Report[] = [];
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
    this.process.send(order);
    signal?.addEventListener("abort", this.abort, { once: true });
    if (signal?.aborted === true) this.abort();
  }

  answer(answer: Answer): void {
    this.process.send(answer);
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
    await this.process.end();
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
    // What it did since its last report is not reported any more.
    this.time.add(performance.now() - this.toldAt);
    void this.process.end();
    this.wake?.();
  }
}

function lossOf({ why, detail }: Ending): Error {
  return why === "noMemory" ? tooLarge() : new Error(`the process of a sheet ended too early: ${detail}`);
}

function failureOf({ message, isSheet, detail }: Extract<Report, { kind: "failed" }>): Error {
  return isSheet ? new SheetError(message, { cause: detail }) : new Error(message);
}

function abortOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error("reading a sheet was given up");
}
