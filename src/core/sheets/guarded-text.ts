/** A cell of an import that empties what it is of; a blank one leaves it as it is. */
export const EMPTIES = "\\N";

/**
 * What spreadsheets take for a formula, or for one that failed, and what an import takes for a cell that empties, behind any number of
 * apostrophes.
 */
const MISTAKEN =
  /^'*(?:[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]|(?:\\N|#(?:N\/A|NAME\?|NULL!|NUM!|DIV\/0!|REF!|VALUE!)|Err:\d{3})$)/u;

/** Writes a text into a cell of CSV: one that would be taken for one of these gets an apostrophe in front. */
export function guarded(text: string): string {
  return MISTAKEN.test(text) ? `'${text}` : text;
}

/** Takes the apostrophe off that `guarded` put in front, and no other one. */
export function unguarded(text: string): string {
  return text.startsWith("'") && MISTAKEN.test(text) ? text.slice(1) : text;
}
