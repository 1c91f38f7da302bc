import { fieldsOf } from "./sylk-bounds.js";

const CELL = "C;";
const FORMAT = "F;";

/**
 * Takes the number formats of single cells out of an SYLK where another cell follows: the library gives a format to whatever cell
 * comes next, so that a price behind a blank cell with the format of a date would be a date.
 */
export function withoutStrayFormats(text: string): string {
  const lines = text.split("\n");
  let [row, column] = [1, 1];
  /** The records with formats of the cell at hand. */
  let formats: number[] = [];
  let formatted = "";
  const strip = (): void => {
    for (const place of formats) lines[place] = withoutFormat(lines[place] as string);
    formats = [];
  };
  for (const [place, line] of lines.entries()) {
    const isCell = line.startsWith(CELL);
    if (!isCell && !line.startsWith(FORMAT)) continue;
    const fields = fieldsOf(line);
    row = numberIn(fields, "Y") ?? row;
    column = numberIn(fields, "X") ?? column;
    const here = `${row},${column}`;
    if (here !== formatted) strip();
    if (isCell) formats = [];
    else if (hasField(fields, "P") && (hasField(fields, "X") || hasField(fields, "Y"))) {
      formats.push(place);
      formatted = here;
    }
  }
  strip();
  return lines.join("\n");
}

function hasField(fields: readonly string[], letter: string): boolean {
  return fields.some((field) => field.startsWith(letter));
}

function numberIn(fields: readonly string[], letter: string): number | undefined {
  const field = fields.findLast((one) => one.startsWith(letter));
  return field === undefined ? undefined : parseInt(field.slice(1), 10);
}

/** A record of a format has no texts, so each `;` in it parts fields. */
function withoutFormat(record: string): string {
  return record
    .split(";")
    .filter((field) => !field.startsWith("P"))
    .join(";");
}
