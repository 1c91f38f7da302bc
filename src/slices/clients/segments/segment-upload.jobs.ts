import { isLongerThan } from "../../../core/inputs/text.js";
import { FILE_WORK_DAYS } from "../../../core/jobs/followed-job.js";
import { defineSheetWork, WorkFailed } from "../../../core/jobs/sheet-work.js";
import { deletion, sweeping } from "../../../core/jobs/sweep.js";
import { isId } from "../../../core/integers.js";
import type { Db } from "../../../core/scope/company-scope.js";
import type { SheetRow } from "../../../core/sheets/sheet.js";
import type { LineError } from "../../../core/jobs/uploaded-list.sql.js";
import { addClients, lockUpload, segmentLists, type LockedUpload } from "./segment.sql.js";

declare module "../../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Adds the clients of a list to a segment. */
    addSegmentClients: { companyId: number; uploadId: number };
    /** Removes what is kept of lists of clients that ended long ago. */
    removeOldSegmentUploads: object;
  }
}

/** At most so many lines below the header. */
const MOST_LINES = 1_000_000;
const HEADERS = { client_id: "id", external_id: "externalId" } as const;
type Column = (typeof HEADERS)[keyof typeof HEADERS];

/** Adds the clients of a list to a segment. */
export const segmentUploads = defineSheetWork({
  task: "addSegmentClients",
  row: "uploadId",
  kind: "client-segment-upload",
  area: "clients",
  atOnce: 1,
  size: 5_000,
  begin: (inside) => segmentLists.begin(inside),
  find: (scope, id) => segmentLists.find(scope, id),
  open: (_upload, { companyId, id }) => {
    let column: Column = "id";
    return {
      header: (row) => {
        column = columnOf(row);
        return true;
      },
      read: (rows) => rows,
      write: async (db: Db, locked: LockedUpload, rows: readonly SheetRow[], reach) => {
        const last = rows.at(-1);
        if (last !== undefined && last.number > MOST_LINES + 1)
          throw new WorkFailed(`The list has more than ${MOST_LINES} lines.`);
        const { added, errors } = await addLines(
          db,
          { companyId, segmentId: locked.segmentId, column },
          rows,
        );
        await segmentLists.write(db, { companyId, id }, locked, {
          ...reach,
          total: rows.length,
          added,
          errors,
        });
      },
    };
  },
  lock: ({ db, ...upload }) => lockUpload(db, upload),
  end: ({ db, ...upload }, status, message) => segmentLists.end(db, upload, status, message),
});

/** @throws WorkFailed for a list without a header that it knows. */
function columnOf(row: SheetRow): Column {
  const name = textOf(row).toLowerCase();
  if (name !== "client_id" && name !== "external_id")
    throw new WorkFailed("The first column has neither the header client_id nor external_id.");
  return HEADERS[name];
}

async function addLines(
  db: Db,
  { companyId, segmentId, column }: { companyId: number; segmentId: number; column: Column },
  rows: readonly SheetRow[],
): Promise<{ added: number; errors: readonly LineError[] }> {
  const errors: LineError[] = [];
  const values = new Map<number, string>();
  for (const row of rows) {
    const text = textOf(row);
    const isWrong =
      column === "id" ? !isId(Number(text)) || !/^\d+$/u.test(text) : text === "" || isLongerThan(text, 64);
    if (isWrong) errors.push({ line: row.number, rule: "pattern", message: "is no id" });
    else values.set(row.number, column === "id" ? String(Number(text)) : text);
  }
  const named = [...new Set(values.values())];
  const found =
    column === "id"
      ? await db.client.findMany({
          where: { companyId, deletedAt: null, id: { in: named.map(Number) } },
          select: { id: true },
        })
      : await clientsByExternalIds(db, companyId, named);
  const known = new Set(
    found.map((client) => ("externalId" in client ? client.externalId : String(client.id))),
  );
  for (const [line, text] of values) {
    if (!known.has(text)) errors.push({ line, rule: "exists", message: "is the id of no client" });
  }
  const clientIds = found.map(({ id }) => id);
  const added =
    clientIds.length === 0
      ? 0
      : await addClients({ db, companyId }, segmentId, { clientIds, externalIds: [] });
  return { added, errors: errors.sort((one, other) => one.line - other.line) };
}

async function clientsByExternalIds(db: Db, companyId: number, externalIds: string[]) {
  const rows = await db.externalId.findMany({
    where: { companyId, tableName: "clients", externalId: { in: externalIds }, deletedId: 0 },
    select: { externalId: true, entityId: true },
  });
  return rows.map(({ entityId, externalId }) => ({ id: entityId, externalId }));
}

function textOf({ cells }: SheetRow): string {
  const cell = cells[0] ?? null;
  return typeof cell === "string" ? cell.trim() : "";
}

export const removeOldSegmentUploads = sweeping(
  deletion({
    model: "ClientSegmentUpload",
    where: `finished_at < now() - interval '${FILE_WORK_DAYS} days'`,
    orderBy: "finished_at",
    most: 100,
  }),
);
