/** A search finds so many goods at most, the best ones. */
export const MOST_FOUND = 500;
/** Words with typing errors are looked for when a search finds fewer goods than these. */
export const FEW_FOUND = 25;

/** How well goods fit: better ranks are lower. Each tier has room for favourites, then others, the shortest name first. */
export const RANKS_OF_TIER = 2_000;
export const RANKS_OF_FAVORITES = 1_000;

/** Where a good has what was looked for. */
export const SEARCH_MATCHES = ["code", "name", "side", "similar"] as const;
export type SearchMatch = (typeof SEARCH_MATCHES)[number];

/**
 * What a good of each tier scores at least, and where it has the words: its whole name, words of its name, words anywhere,
 * beginnings in its name, beginnings anywhere, and words like them.
 */
const TIERS: readonly { readonly score: number; readonly matched: SearchMatch }[] = [
  { score: 0.9, matched: "name" },
  { score: 0.75, matched: "name" },
  { score: 0.6, matched: "side" },
  { score: 0.5, matched: "name" },
  { score: 0.4, matched: "side" },
  { score: 0.1, matched: "similar" },
];
export const LIKE_TIER = TIERS.length - 1;
const HIGHEST_WITHIN = 0.1;

/** A good that was found. */
export interface Hit {
  readonly id: number;
  readonly rank: number;
  /** Whether the text is its sku or one of its barcodes as a whole. */
  readonly isOfCode?: boolean;
}

/** Returns how well a good of this rank fits, to three decimals: at most 1, at least 0.1. */
export function scoreOf({ rank }: Hit): number {
  const score = tierOf(rank)?.score ?? 0;
  const within = 1 - (rank % RANKS_OF_TIER) / RANKS_OF_TIER;
  return Math.round((score + within * HIGHEST_WITHIN) * 1_000) / 1_000;
}

/** Returns where a good has what was looked for. */
export function matchedOf({ rank, isOfCode }: Hit): SearchMatch {
  return isOfCode === true ? "code" : (tierOf(rank)?.matched ?? "similar");
}

function tierOf(rank: number): (typeof TIERS)[number] | undefined {
  return TIERS[Math.floor(rank / RANKS_OF_TIER)];
}

/** Whether a text has digits alone, whatever stands between them. */
export function isDigits(text: string): boolean {
  return /^[\s\p{P}]*\p{Nd}[\p{Nd}\s\p{P}]*$/u.test(text);
}
