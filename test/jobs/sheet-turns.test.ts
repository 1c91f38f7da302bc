import { setTimeout as sleep } from "node:timers/promises";
import type { JobContext } from "../../src/core/jobs/jobs.js";
import { defineSheetWork, type SheetCursor } from "../../src/core/jobs/sheet-work.js";
import type { StoredSheet } from "../../src/core/sheets/with-sheet.js";
import type { WorkRow } from "../../src/core/jobs/work.js";

const ROWS = 300;

/** Files of companies, one at once, whose rows are noted as they are written; with a context without a database. */
function filesInTurns(turnMs: number) {
  const nextRow = new Map<number, number>();
  const written: string[] = [];
  const ended: number[] = [];
  const added: number[] = [];
  const db = {
    $queryRaw: (_text: unknown, _task: unknown, payload: unknown) => {
      if (typeof payload === "string") added.push((JSON.parse(payload) as WorkRow).companyId);
      return Promise.resolve([{ id: 1n }]);
    },
    $executeRaw: () => Promise.resolve(1),
  };
  const context = {
    database: { writer: db },
    transaction: (_companyId: number, work: (inside: unknown) => unknown) => work(db),
    signal: new AbortController().signal,
    log: { info: () => undefined },
    files: { copySheet: () => Promise.resolve(true) },
    sheets: {
      async *read() {
        for (let number = 1; number <= ROWS; number += 1) {
          await sleep(1);
          yield { rows: [{ number, cells: [] }], read: number / ROWS };
        }
      },
    },
  } as unknown as JobContext;
  const cursor = ({ companyId }: WorkRow): SheetCursor => ({
    status: "running",
    nextRow: nextRow.get(companyId) ?? 2,
  });
  const work = defineSheetWork<"importGoods", StoredSheet & SheetCursor, SheetCursor, number>({
    task: "importGoods",
    row: "importJobId",
    kind: "import",
    area: "goods",
    atOnce: 1,
    size: 2,
    turnMs,
    begin: ({ companyId, id }) =>
      Promise.resolve({ companyId, fileKey: "a.csv", format: "csv", ...cursor({ companyId, id }) }),
    find: () => Promise.resolve({ status: "running", done: 0, fileRead: 0 }),
    open: (_row, { companyId }) => ({
      header: () => true,
      read: (rows) => rows.map(({ number }) => number),
      write: (_db, _locked, items, reach) => {
        written.push(...items.map((number) => `${companyId}:${number}`));
        nextRow.set(companyId, reach.nextRow);
        return Promise.resolve();
      },
    }),
    lock: (inside) => Promise.resolve(cursor(inside)),
    end: ({ companyId }) => Promise.resolve(void ended.push(companyId)),
  });
  const run = (companyId: number) => work.task({ companyId, importJobId: 1 }, context);
  return { run, written, ended, added };
}

const allRowsOf = (companyId: number): string[] =>
  Array.from({ length: ROWS - 1 }, (_, row) => `${companyId}:${row + 2}`);

it("gives its place to a file that waits, and goes on after it with the rows that are left", async () => {
  const { run, written, ended, added } = filesInTurns(0);
  const first = run(1);
  await sleep(15);

  await run(2);
  await first;
  expect([ended, added]).toEqual([[], [2, 1]]);
  expect(written.length).toBeLessThan(ROWS - 1);
  // The one that has had its turn asks first.
  await run(1);
  expect(written.filter((row) => row.startsWith("2:"))).toEqual([]);
  await run(2);
  expect(written.filter((row) => row.startsWith("2:"))).not.toEqual([]);
  while (ended.length < 2) await Promise.all([run(1), run(2)]);

  expect(ended.sort()).toEqual([1, 2]);
  expect([...written].sort()).toEqual([...allRowsOf(1), ...allRowsOf(2)].sort());
});

it("keeps its place until its turn is over, whoever waits", async () => {
  const { run, written, ended } = filesInTurns(60_000);
  const first = run(1);
  await sleep(15);

  await run(2);
  await first;

  expect(ended).toEqual([1]);
  expect(written).toEqual(allRowsOf(1));
});
