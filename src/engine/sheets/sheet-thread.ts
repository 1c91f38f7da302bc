/** The program of the thread that reads one sheet, or writes one copy, and ends. */
import { parentPort, workerData } from "node:worker_threads";
import { SheetError, type SheetRow } from "../../core/sheets/sheet.js";
import { damaged } from "./limits.js";
import { openSheet, type Source } from "./open-sheet.js";
import type { Answer, Note, Order, Report } from "./protocol.js";

const ROWS_AT_ONCE = 100;
/** Batches that are posted and not yet taken. */
const MOST_POSTED = 4;

const port = parentPort;
if (port === null) throw new Error("this program runs in a thread");
const report = (message: Report): void => port.postMessage(message);

const answers: Answer[] = [];
let wake: (() => void) | undefined;
port.on("message", (answer: Answer) => {
  answers.push(answer);
  wake?.();
});

async function nextAnswer(): Promise<Answer> {
  for (;;) {
    const answer = answers.shift();
    if (answer !== undefined) return answer;
    await new Promise<void>((resolve) => (wake = resolve));
  }
}

async function read(order: Order): Promise<void> {
  const { rows, progress } = await openSheet(order.source);
  let posted = 0;
  let batch: SheetRow[] = [];
  const post = async (): Promise<void> => {
    while (posted >= MOST_POSTED) {
      await nextAnswer();
      posted -= 1;
    }
    report({ kind: "rows", rows: batch, read: progress.read });
    posted += 1;
    batch = [];
  };
  for await (const some of rows) {
    for (const row of some) {
      batch.push(row);
      if (batch.length >= ROWS_AT_ONCE) await post();
    }
  }
  if (batch.length > 0) await post();
}

/** The writers are loaded by threads that write. */
async function annotate(source: Source, to: string): Promise<void> {
  const { annotateSheet } = await import("./annotate-sheet.js");
  await annotateSheet(source, notes(), to);
}

async function* notes(): AsyncGenerator<Note> {
  for (;;) {
    report({ kind: "wanted" });
    const answer = await nextAnswer();
    if (answer.kind !== "notes") continue;
    yield* answer.notes;
    if (answer.isLast) return;
  }
}

/** Whatever the libraries throw is the fault of the file; what the system refuses is not. */
function failure(error: unknown): Report {
  if (error instanceof SheetError) return { kind: "failed", message: error.message, isSheet: true };
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const isOfSystem = error instanceof Error && "syscall" in error;
  return isOfSystem
    ? { kind: "failed", message: error.message, isSheet: false }
    : { kind: "failed", message: damaged().message, isSheet: true, detail };
}

try {
  const order = workerData as Order;
  await (order.kind === "read" ? read(order) : annotate(order.source, order.to));
  report({ kind: "done" });
} catch (error) {
  report(failure(error));
}
port.close();
