/** A search finds so many goods at most, the best ones. */
export const MOST_FOUND = 500;
/** Words with typing errors are looked for when a search finds fewer goods than these. */
export const FEW_FOUND = 25;

/** How well goods fit: better ranks are lower. Each tier has room for favourites, then others, the shortest name first. */
export const RANKS_OF_TIER = 2_000;
export const RANKS_OF_FAVORITES = 1_000;

/** Of each tier, what a good scores that begins it and by how much more: whole, in its name, anywhere, beginning, like. */
const SCORES = [0.9, 0.75, 0.6, 0.4, 0.1] as const;
const HIGHEST_WITHIN = 0.1;

/** A good that was found. */
export interface Hit {
  readonly id: number;
  readonly rank: number;
}

/** Returns how well a good of this rank fits, to three decimals: at most 1, at least 0.1. */
export function scoreOf(rank: number): number {
  const score = SCORES[Math.floor(rank / RANKS_OF_TIER)] ?? 0;
  const within = 1 - (rank % RANKS_OF_TIER) / RANKS_OF_TIER;
  return Math.round((score + within * HIGHEST_WITHIN) * 1_000) / 1_000;
}

/** Whether a text has digits alone, whatever stands between them. */
export function isDigits(text: string): boolean {
  return /^[\s\p{P}]*\p{Nd}[\p{Nd}\s\p{P}]*$/u.test(text);
}
