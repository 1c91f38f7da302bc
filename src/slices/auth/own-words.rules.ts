import { invalidField } from "../../core/errors/domain-error.js";

/** Whose password it is. */
export interface PasswordOwner {
  readonly name: string;
  readonly email: string;
  readonly company: { readonly name: string; readonly domain: string };
}

/** What a password's description says of own words. */
export const OWN_WORDS_NOTE =
  "One of the 100,000 most common ones is refused with rule `common`; with rule `own_words` one that holds words of " +
  "the admin's name or e-mail, or of the company's name or domain, and fewer than four letters besides.";

const MIN_OTHER_LETTERS = 4;
/** Shorter words stand in passwords by chance. */
const MIN_WORD = 3;

/**
 * Refuses a password that is little more than the name, the e-mail or the company of its owner.
 *
 * @throws DomainError VALIDATION_FAILED on `field` with rule `own_words`.
 */
export function assertNotOwnWords(password: string, field: string, owner: PasswordOwner): void {
  if (isOfOwnWords(password, owner))
    throw invalidField(field, "own_words", "is little more than the own name, e-mail or company");
}

/** Returns whether a password holds own words, and fewer than four letters besides. Accents and case make no difference. */
export function isOfOwnWords(password: string, { name, email, company }: PasswordOwner): boolean {
  const plain = foldedLetters(password);
  let rest = plain;
  for (const word of ownWords([name, email, company.name, company.domain])) rest = rest.replaceAll(word, " ");
  return rest !== plain && rest.replaceAll(" ", "").length < MIN_OTHER_LETTERS;
}

/** Each text as one word and all words in it, the longest first. */
function ownWords(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{M}]+/u)].map(foldedLetters));
  return [...new Set(words)]
    .filter((word) => word.length >= MIN_WORD)
    .toSorted((one, other) => other.length - one.length);
}

function foldedLetters(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, "");
}
