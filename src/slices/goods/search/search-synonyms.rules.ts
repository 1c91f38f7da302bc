import type { FieldError } from "../../../core/errors/domain-error.js";

/** A company has at most so many groups of synonyms, each with so many texts of so many words. */
export const MOST_GROUPS = 500;
export const MOST_TEXTS = 20;
export const MOST_WORDS = 4;

/** A part of a text as it is looked for: a good has to have all words of one of these. */
export type Alternatives = readonly string[];

/** What is known of synonyms of a text, without case and accents. */
export interface Synonyms {
  readonly groups: readonly SynonymGroup[];
  /** What stands between the spaces of the text as goods are found by it: `t-shirt` is `t shirt`. */
  readonly phraseOf: ReadonlyMap<string, string>;
}

export interface SynonymGroup {
  readonly texts: readonly string[];
  /** The texts as goods are found by them. */
  readonly phrases: readonly string[];
}

/** A group as it is kept: without spaces around texts, one between words, and each text once. */
export function tidied(group: readonly string[]): string[] {
  return [...new Set(group.map((text) => text.normalize("NFC").trim().replace(/\s+/gu, " ")))];
}

/** Finds texts that no search could have, and groups of one text. */
export function groupErrors(groups: readonly (readonly string[])[]): FieldError[] {
  return groups.flatMap((group, place): FieldError[] => {
    const field = `groups[${place}]`;
    const wrong = group.flatMap((text, index) => textErrors(text, `${field}[${index}]`));
    if (group.length >= 2 || wrong.length > 0) return wrong;
    return [
      { field, rule: "min_items", message: "has one text alone, at least 2 different ones are needed" },
    ];
  });
}

function textErrors(text: string, field: string): FieldError[] {
  if (text.includes("\0"))
    return [{ field, rule: "format", message: "has a character that no text can have" }];
  if (!/[\p{L}\p{N}]/u.test(text)) return [{ field, rule: "format", message: "has no letter and no digit" }];
  const words = text.split(" ").length;
  if (words <= MOST_WORDS) return [];
  return [{ field, rule: "max_words", message: `has ${words} words, at most ${MOST_WORDS} are allowed` }];
}

/**
 * Splits a text where it has words with synonyms, the longest phrases first. Words without any stay together. Punctuation parts words:
 * those of a text between spaces may be a phrase, and so may those of several.
 *
 * @returns `null` for a text without synonyms.
 */
export function withSynonyms(words: readonly string[], synonyms: Synonyms): Alternatives[] | null {
  if (synonyms.groups.length === 0) return null;
  const parts: Alternatives[] = [];
  let plain: string[] = [];
  const endPlain = (): void => {
    if (plain.length > 0) parts.push([plain.join(" ")]);
    plain = [];
  };
  for (let start = 0; start < words.length;) {
    const found = phraseAt(words, start, synonyms);
    if (found === null) plain.push(words[start++] as string);
    else {
      endPlain();
      parts.push(found.texts);
      start += found.length;
    }
  }
  endPlain();
  return parts.some(({ length }) => length > 1) ? parts : null;
}

function phraseAt(
  words: readonly string[],
  start: number,
  { groups, phraseOf }: Synonyms,
): { texts: Alternatives; length: number } | null {
  for (let length = words.length - start; length > 0; length--) {
    const typed = words.slice(start, start + length);
    const phrase = typed
      .map((word) => phraseOf.get(word) ?? "")
      .filter((word) => word !== "")
      .join(" ");
    const texts = groups.filter(({ phrases }) => phrases.includes(phrase)).flatMap((group) => group.texts);
    if (texts.length > 0) return { texts: [...new Set([typed.join(" "), ...texts])], length };
  }
  return null;
}

/** The words of a text that stand in a phrase with synonyms. */
export function wordsWithSynonyms(words: readonly string[], synonyms: Synonyms): ReadonlySet<string> {
  const phrases = (withSynonyms(words, synonyms) ?? []).filter(({ length }) => length > 1);
  return new Set(phrases.flatMap(([phrase = ""]) => phrase.split(" ")));
}
