import type { FieldError } from "../../../core/errors/domain-error.js";

/** A company has at most so many groups of synonyms, each with so many texts of so many words. */
export const MOST_GROUPS = 500;
export const MOST_TEXTS = 20;
export const MOST_WORDS = 4;

/** A part of a text as it is looked for: a good has to have all words of one of these. */
export type Alternatives = readonly string[];

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
 * Splits a text where it has words with synonyms, the longest phrases first. Words without any stay together.
 *
 * @param words are folded, like the groups.
 * @returns `null` for a text without synonyms.
 */
export function withSynonyms(
  words: readonly string[],
  groups: readonly (readonly string[])[],
): Alternatives[] | null {
  if (groups.length === 0) return null;
  const parts: Alternatives[] = [];
  let plain: string[] = [];
  const endPlain = (): void => {
    if (plain.length > 0) parts.push([plain.join(" ")]);
    plain = [];
  };
  for (let start = 0; start < words.length;) {
    const found = phraseAt(words, start, groups);
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
  groups: readonly (readonly string[])[],
): { texts: Alternatives; length: number } | null {
  for (let length = Math.min(MOST_WORDS, words.length - start); length > 0; length--) {
    const phrase = words.slice(start, start + length).join(" ");
    const texts = groups.filter((group) => group.includes(phrase)).flat();
    if (texts.length > 0) return { texts: [...new Set([phrase, ...texts])], length };
  }
  return null;
}

/** The words of a text that stand in a phrase with synonyms. */
export function wordsWithSynonyms(
  words: readonly string[],
  groups: readonly (readonly string[])[],
): ReadonlySet<string> {
  const phrases = (withSynonyms(words, groups) ?? []).filter(({ length }) => length > 1);
  return new Set(phrases.flatMap(([phrase = ""]) => phrase.split(" ")));
}
