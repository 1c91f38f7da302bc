/** What spreadsheets take for a formula, or for one that failed, behind any number of apostrophes. */
const FORMULA =
  /^'*(?:[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]|(?:#(?:N\/A|NAME\?|NULL!|NUM!|DIV\/0!|REF!|VALUE!)|Err:\d{3})$)/u;

/** Writes a text into a cell of CSV: one that a spreadsheet would take for one of these gets an apostrophe in front. */
export function guarded(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Takes the apostrophe off that `guarded` put in front, and no other one. */
export function unguarded(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}
