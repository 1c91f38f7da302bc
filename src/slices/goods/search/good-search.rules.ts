/** A search finds so many goods at most, the best ones. */
export const MOST_FOUND = 500;
/** Other forms of words, and words with typing errors, are looked for when a search finds fewer goods than these. */
export const FEW_FOUND = 25;

/**
 * How well goods fit: better ranks are lower. Each tier has room for favourites, then others, of these first whose name begins with a
 * word of the text, and then the shortest name.
 */
export const RANKS_OF_TIER = 2_000;
export const RANKS_OF_FAVORITES = 1_000;
export const RANKS_OF_BEGINNINGS = 200;

/** Where a good has what was looked for. */
export const SEARCH_MATCHES = ["code", "name", "side", "similar"] as const;
export type SearchMatch = (typeof SEARCH_MATCHES)[number];

interface TierFacts {
  /** What a good of the tier scores at least. */
  readonly score: number;
  /** How much more one scores at best. */
  readonly within: number;
  readonly matched: SearchMatch;
}

/**
 * The tiers, the best first: the whole name or code; behind it pairs of tiers, each first in the name, then anywhere: words,
 * singulars and plurals of them, beginnings, parts of words, words like them, both parts of a word that no good has, and one of them.
 */
const TIERS = {
  whole: { score: 0.9, within: 0.1, matched: "name" },
  wordsOfName: { score: 0.75, within: 0.1, matched: "name" },
  words: { score: 0.6, within: 0.1, matched: "side" },
  pluralsOfName: { score: 0.55, within: 0.05, matched: "name" },
  plurals: { score: 0.5, within: 0.05, matched: "side" },
  beginningsOfName: { score: 0.45, within: 0.05, matched: "name" },
  beginnings: { score: 0.4, within: 0.05, matched: "side" },
  partsOfName: { score: 0.35, within: 0.05, matched: "name" },
  parts: { score: 0.3, within: 0.05, matched: "side" },
  alikeInName: { score: 0.2, within: 0.05, matched: "similar" },
  alike: { score: 0.15, within: 0.05, matched: "similar" },
  bothPartsInName: { score: 0.12, within: 0.03, matched: "similar" },
  bothParts: { score: 0.09, within: 0.03, matched: "similar" },
  onePartInName: { score: 0.06, within: 0.03, matched: "similar" },
  onePart: { score: 0.03, within: 0.03, matched: "similar" },
} as const satisfies Readonly<Record<string, TierFacts>>;
const TIERS_IN_ORDER: readonly TierFacts[] = Object.values(TIERS);

/** Returns the place of a tier, from 0 for the best one. */
export function tierNumber(name: keyof typeof TIERS): number {
  return Object.keys(TIERS).indexOf(name);
}

/** Whether a tier has goods with the words in their names: the tier behind it has those that have them anywhere. */
export function isOfName(tier: number): boolean {
  return Object.keys(TIERS)[tier]?.endsWith("Name") === true;
}

/** A good that was found. */
export interface Hit {
  readonly id: number;
  readonly rank: number;
  /** Whether the text is its sku or one of its barcodes as a whole. */
  readonly isOfCode?: boolean;
}

/** Returns how well a good of this rank fits, to three decimals: at most 1, above 0. */
export function scoreOf({ rank }: Hit): number {
  const { score, within } = tierOf(rank) ?? { score: 0, within: 0 };
  const share = 1 - (rank % RANKS_OF_TIER) / RANKS_OF_TIER;
  return Math.round((score + share * within) * 1_000) / 1_000;
}

/** Returns where a good has what was looked for. */
export function matchedOf({ rank, isOfCode }: Hit): SearchMatch {
  return isOfCode === true ? "code" : (tierOf(rank)?.matched ?? "similar");
}

function tierOf(rank: number): TierFacts | undefined {
  return TIERS_IN_ORDER[Math.floor(rank / RANKS_OF_TIER)];
}

/** Puts what two searches found in one order; a good that both found has its better rank. */
export function merged(found: readonly Hit[], others: readonly Hit[]): Hit[] {
  const hits = new Map<number, Hit>();
  for (const hit of [...others, ...found]) {
    const known = hits.get(hit.id);
    if (known === undefined || hit.rank <= known.rank) hits.set(hit.id, hit);
  }
  return [...hits.values()].sort((one, other) => one.rank - other.rank || other.id - one.id);
}

/**
 * Returns what a text of a good has to match where words are sizes, such as 5x2,5: as words alone, 2 × 2,5 has all of its numbers.
 *
 * @returns regular expressions for folded texts, in which × is *.
 */
export function sizePatterns(words: readonly string[]): string[] {
  return words
    .flatMap(
      (word) => /^(?<sides>\d[\d.,]*(?:x\d[\d.,]*)+)(?:[a-z]{1,3}\d?)?$/u.exec(word)?.groups?.["sides"] ?? [],
    )
    .map((sides) => {
      const written = sides.split("x").map((side) => side.replace(/[.,]/gu, "").split("").join("[.,]?"));
      return `(^|[^0-9.,])${written.join(" *[x*] *")}([^0-9]|$)`;
    });
}

/** Writes sizes without spaces and with an x between their sides: "5 × 2,5" as "5x2,5". */
export function withPlainSizes(text: string): string {
  return text.replace(/(?<=\p{Nd})\s*[x×*]\s*(?=\p{Nd})/giu, "x");
}

/** Whether a word may be a compound that has a part which goods have: letters alone, of which each part has some. */
export function mayBeCompound(word: string): boolean {
  return /^[a-z]{7,40}$/u.test(word);
}

/** Whether a text has digits alone, whatever stands between them. */
export function isDigits(text: string): boolean {
  return /^[\s\p{P}]*\p{Nd}[\p{Nd}\s\p{P}]*$/u.test(text);
}
