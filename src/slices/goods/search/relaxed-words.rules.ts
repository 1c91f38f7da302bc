/** A word of a text. */
export interface TypedWord {
  /** Without case and accents. */
  readonly word: string;
  readonly written: string;
  /** Whether a language of the company has it as a stop word, such as "the". */
  readonly isStop: boolean;
}

/** What is known of a word of a text. */
export interface WordFacts extends TypedWord {
  /** Whether goods have it, maybe as a beginning. */
  readonly isKnown: boolean;
  /** Whether goods have words like it, where none has the word. */
  readonly isLike: boolean;
}

/**
 * Returns which words are kept, one set after the other, where nothing has all of them: without stop words, then without
 * words of which goods have none, nor any like them, at last without all words that no good has.
 *
 * @param needed are words that are always kept.
 */
export function relaxations(
  facts: readonly WordFacts[],
  needed: ReadonlySet<string> = new Set(),
): WordFacts[][] {
  const keeps = [
    ({ isStop }: WordFacts) => !isStop,
    ({ isStop, isKnown, isLike }: WordFacts) => !isStop && (isKnown || isLike),
    ({ isStop, isKnown }: WordFacts) => !isStop && isKnown,
  ];
  const sets = keeps.map((keep) => facts.filter((fact) => needed.has(fact.word) || keep(fact)));
  return sets.filter(({ length }, place) => length > 0 && length < (sets[place - 1]?.length ?? facts.length));
}
