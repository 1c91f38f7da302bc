/**
 * This many characters of an answer, or bytes of a long row, cost as much as one object: about as many as the fields
 * have that cost as much.
 */
export const CHARACTERS_PER_COST = 160;

/** A number, a boolean or null counts as this many characters; so does what surrounds any other value. */
const CHARACTERS_OF_VALUE = 6;

/**
 * Returns about how many characters a value has as JSON. Counting stops beyond `most`: the result is then any
 * larger number.
 */
export function charactersIn(value: unknown, most: number): number {
  if (typeof value === "string") return value.length + CHARACTERS_OF_VALUE;
  if (typeof value !== "object" || value === null) return CHARACTERS_OF_VALUE;
  let characters = CHARACTERS_OF_VALUE;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && characters <= most; index += 1)
      characters += charactersIn(value[index], most - characters);
  } else {
    for (const key in value) {
      if (characters > most) break;
      characters += key.length + charactersIn((value as Record<string, unknown>)[key], most - characters);
    }
  }
  return characters;
}
