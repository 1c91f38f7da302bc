const onePlace = (): number => 1;

/**
 * The options of an `LRUCache` that keeps so many entries and takes memory as they come. By `max` it would set all of it aside at
 * once: 30 ms and 2 MB for 100,000 entries.
 */
export function roomFor(entries: number): {
  readonly maxSize: number;
  readonly sizeCalculation: () => number;
} {
  return { maxSize: entries, sizeCalculation: onePlace };
}

/**
 * The options of an `LRUCache` whose entries are old after so many milliseconds. It reads the clock for each look: by default it
 * would keep each reading for a millisecond, which takes a timer.
 */
export function freshFor(milliseconds: number): { readonly ttl: number; readonly ttlResolution: 0 } {
  return { ttl: milliseconds, ttlResolution: 0 };
}
