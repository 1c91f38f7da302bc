import { damaged, MOST_COLUMNS, MOST_ROWS, tooManyColumns, tooManyRows } from "./limits.js";

/** Formats may be given for any column that Excel has. */
const MOST_FORMATTED_COLUMNS = 16_384;
const LINE_END = 0x0a;
const CELL = "C;";
const FORMAT = "F;";
/** What stands for a `;` within a field. */
const SEMICOLONS = /;;|\x1bN;/gu;

/**
 * Looks at the places that an SYLK names, before a reader makes room for all that lies before them.
 *
 * @throws SheetError for one that is beyond the limits.
 */
export function assertSylkBounds(bytes: Buffer): void {
  let row = 1;
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(LINE_END, start);
    const end = found < 0 ? bytes.length : found;
    for (const line of bytes.toString("latin1", start, end).split("\r")) {
      const record = line.trim();
      if (record.startsWith(CELL)) row = assertCell(fieldsOf(record), row);
      else if (record.startsWith(FORMAT)) row = assertFormat(fieldsOf(record), row);
    }
    start = end + 1;
  }
}

/** The fields of a record after its kind. */
export function fieldsOf(record: string): readonly string[] {
  return record.replace(SEMICOLONS, "").split(";").slice(1);
}

/** @returns the row that the record leads to. */
function assertCell(fields: readonly string[], before: number): number {
  const row = rowIn(fields, "Y") ?? before;
  for (const field of fields)
    if (field.startsWith("X") && numberIn(field) > MOST_COLUMNS) throw tooManyColumns(row);
  return row;
}

function assertFormat(fields: readonly string[], before: number): number {
  for (const field of fields) {
    const isColumn = field.startsWith("X") || field.startsWith("C");
    const last = field.startsWith("W") ? Number(field.split(" ")[1]) : isColumn ? numberIn(field) : 0;
    if (last > MOST_FORMATTED_COLUMNS) throw damaged();
  }
  rowIn(fields, "R");
  return rowIn(fields, "Y") ?? before;
}

function rowIn(fields: readonly string[], letter: string): number | undefined {
  const rows = fields.filter((field) => field.startsWith(letter)).map(numberIn);
  if (rows.some((row) => row > MOST_ROWS)) throw tooManyRows();
  return rows.at(-1);
}

function numberIn(field: string): number {
  return parseInt(field.slice(1), 10);
}
