/** The program of the process that reads one sheet, or writes one copy, and is then ended by whoever started it. */
import { SheetError, type Cell, type SheetRow } from "../../core/sheets/sheet.js";
import { serveParent } from "../processes/serve-parent.js";
import { damaged } from "./limits.js";
import { openSheet, type Source } from "./open-sheet.js";
import type { Answer, Note, Report, SentReport, SheetOrder } from "./protocol.js";

/** A batch of rows is posted when it has so many of them, or so many characters. */
const ROWS_AT_ONCE = 200;
const CHARACTERS_AT_ONCE = 256 * 1024;
/** Batches that are posted and not yet received. */
const MOST_POSTED = 4;

const answers: (SheetOrder | Answer)[] = [];
let wake: (() => void) | undefined;
const send = serveParent<SheetOrder | Answer, SentReport>((answer) => {
  answers.push(answer);
  wake?.();
});

async function nextAnswer(): Promise<SheetOrder | Answer> {
  for (;;) {
    const answer = answers.shift();
    if (answer !== undefined) return answer;
    await new Promise<void>((resolve) => (wake = resolve));
  }
}

function report(message: Report): void {
  const { user, system } = process.cpuUsage();
  send({ ...message, usedMs: (user + system) / 1_000 });
}

async function read(source: Source): Promise<void> {
  const { rows, progress } = await openSheet(source);
  let posted = 0;
  let batch: SheetRow[] = [];
  let characters = 0;
  const post = async (): Promise<void> => {
    while (posted >= MOST_POSTED) {
      await nextAnswer();
      posted -= 1;
    }
    report({ kind: "rows", rows: JSON.stringify(batch), read: progress.read });
    posted += 1;
    batch = [];
    characters = 0;
  };
  for await (const some of rows) {
    for (const row of some) {
      batch.push(row);
      characters += charactersOf(row.cells);
      if (batch.length >= ROWS_AT_ONCE || characters >= CHARACTERS_AT_ONCE) await post();
    }
  }
  if (batch.length > 0) await post();
}

function charactersOf(cells: readonly Cell[]): number {
  let characters = 0;
  for (const cell of cells) if (typeof cell === "string") characters += cell.length;
  return characters;
}

/** The writers are loaded by processes that write. */
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
  const order = (await nextAnswer()) as SheetOrder;
  await (order.kind === "read" ? read(order.source) : annotate(order.source, order.to));
  report({ kind: "done" });
} catch (error) {
  report(failure(error));
}
