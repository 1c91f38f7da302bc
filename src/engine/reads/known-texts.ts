import { LRUCache } from "lru-cache";

/** What is known of at most so many statements, whose texts together have at most so many characters. */
export interface TextLimits {
  readonly texts: number;
  readonly characters: number;
}

/**
 * Returns a room for what is known of statements, by their texts. A number of texts alone would bound no memory: those
 * with long lists of values are long. A text that is longer than all may be together is not remembered.
 */
export function knownTexts<Known extends object | string | number>({
  texts,
  characters,
}: TextLimits): LRUCache<string, Known> {
  return new LRUCache<string, Known>({
    max: texts,
    maxSize: characters,
    sizeCalculation: (_known, text) => Math.max(1, text.length),
  });
}
