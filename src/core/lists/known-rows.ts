/** What a page shows of how many rows its whole list has. */
export interface KnownRows {
  readonly least: number;
  readonly most: number;
}

/**
 * Returns between which numbers the rows of a list are, as one of its pages shows.
 *
 * @param shown is the number of rows on the page.
 * @param hasMore says whether a row was found behind the page, in the direction in which it was read.
 */
export function knownRows(
  { cursor, skip }: { readonly cursor: string | null; readonly skip: number },
  shown: number,
  hasMore: boolean,
): KnownRows {
  const rows = skip + shown;
  if (hasMore) return { least: rows + 1, most: Infinity };
  // How many rows lie before a cursor is not known.
  if (cursor !== null) return { least: rows, most: Infinity };
  return shown === 0 ? { least: 0, most: skip } : { least: rows, most: rows };
}

/** Returns how many rows the whole list has, which is not counted where the page shows them all. */
export async function countWithin({ least, most }: KnownRows, count: () => Promise<number>): Promise<number> {
  return least === most ? least : count();
}

/** Returns an estimate that does not contradict what a page shows; none is made where the page shows it all. */
export function estimatedWithin(known: KnownRows, estimate: () => Promise<number>): Promise<number> {
  const { least, most } = known;
  return countWithin(known, async () => Math.min(Math.max(await estimate(), least), most));
}
