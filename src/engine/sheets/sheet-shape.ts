import type { SheetRow } from "../../core/sheets/sheet.js";

/** How a format writes the one sheet of a copy, row by row. */
export interface SheetShape {
  readonly head: string;
  row(row: SheetRow): string;
  readonly tail: string;
}

/** Writes rows as text, batch by batch. */
export async function* shaped(
  shape: SheetShape,
  rows: AsyncIterable<readonly SheetRow[]>,
): AsyncGenerator<string> {
  yield shape.head;
  for await (const some of rows) {
    let text = "";
    for (const row of some) text += shape.row(row);
    if (text !== "") yield text;
  }
  yield shape.tail;
}
