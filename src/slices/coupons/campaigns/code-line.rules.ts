import type { LineError } from "../../../core/jobs/uploaded-list.sql.js";
import type { Cell, SheetRow } from "../../../core/sheets/sheet.js";

/** A line of a list that is a code, in capitals. */
export interface CodeLine {
  readonly line: number;
  readonly code: string;
}

const MIN = 5;
const MAX = 20;
/** A gift card is money to whoever guesses its code. */
const MIN_OF_GIFT_CARD = 12;
/** No code has so few characters. */
const HEADER = /^codes?$/iu;

/** Reads some lines of a list: codes, and what is wrong with the others. Of equal codes the first one counts. */
export function readLines(
  rows: readonly SheetRow[],
  type: string,
): { readonly codes: readonly CodeLine[]; readonly errors: readonly LineError[] } {
  const codes = new Map<string, number>();
  const errors: LineError[] = [];
  for (const { number: line, cells } of rows) {
    const text = textOf(cells[0] ?? null);
    const wrong = whatIsWrong(text, type);
    const code = text.toUpperCase();
    const first = codes.get(code);
    if (wrong !== null) errors.push({ line, ...wrong });
    else if (first !== undefined)
      errors.push({ line, rule: "unique", message: `is the code of line ${first}` });
    else codes.set(code, line);
  }
  return { codes: Array.from(codes, ([code, line]) => ({ line, code })), errors };
}

/** Returns whether a line, the first one that is not blank, is the header above the codes. */
export function isHeader({ cells }: SheetRow): boolean {
  return HEADER.test(textOf(cells[0] ?? null));
}

function textOf(cell: Cell): string {
  return typeof cell === "string" ? cell.trim() : "";
}

function whatIsWrong(text: string, type: string): Pick<LineError, "rule" | "message"> | null {
  const min = type === "gift_card" ? MIN_OF_GIFT_CARD : MIN;
  if (!/^[0-9A-Za-z]*$/u.test(text))
    return { rule: "pattern", message: "must have digits and ASCII letters alone" };
  if (text.length < min) return { rule: "min", message: `must have at least ${min} characters` };
  return text.length > MAX ? { rule: "max", message: `must have at most ${MAX} characters` } : null;
}
