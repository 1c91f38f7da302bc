import { asciiDomain } from "./domain-name.js";

export type TextKind = "line" | "block" | "verbatim" | "domain" | "currency";

const CONTROL_IN_LINE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;

const CONTROL_IN_BLOCK = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;

/**
 * Returns a text as it is stored: NFC-normalised and trimmed, unless its kind keeps every character
 * (contract §2.6). A domain is in lower case and ASCII besides; the letters a to z of a currency become capitals.
 */
export function normalizeText(text: string, kind: TextKind): string {
  if (kind === "verbatim") return text;
  const normalized = text.normalize("NFC").trim();
  if (kind === "domain") return asciiDomain(normalized);
  return kind === "currency"
    ? normalized.replaceAll(/[a-z]/gu, (letter) => letter.toUpperCase())
    : normalized;
}

/** Returns whether the text holds characters that its kind forbids: control characters, halves of surrogate pairs. */
export function hasForbiddenCharacters(text: string, kind: TextKind): boolean {
  if (!text.isWellFormed()) return true;
  if (kind === "verbatim") return text.includes("\u0000");
  return (kind === "block" ? CONTROL_IN_BLOCK : CONTROL_IN_LINE).test(text);
}

/** Returns whether a text has more characters than `most`, which are counted as in bounds of inputs: an emoji is one. */
export function isLongerThan(text: string, most: number): boolean {
  if (text.length <= most || text.length > 2 * most) return text.length > most;
  return [...text].length > most;
}
