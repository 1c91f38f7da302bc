/** Characters that XML cannot have. */

const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/gu;
const NEEDS_CARE = /[&<>"\r\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/u;

/** Writes a text into XML or HTML; what XML cannot have is left out. */
export function escaped(text: string): string {
  if (!NEEDS_CARE.test(text)) return text;
  return text
    .toWellFormed()
    .replace(FORBIDDEN, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\r", "&#13;");
}

/**
 * Returns whether a cell can be a number in a copy and is read from there as it was: without leading or last zeros, and
 * short enough to be shown in full.
 */
export function isNumber(text: string): boolean {
  return text.length <= MOST_SHOWN && PLAIN_NUMBER.test(text) && text !== "-0";
}

const MOST_SHOWN = 11;
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/u;
