import type { TextPattern } from "../../core/inputs/input-fields.js";

/**
 * Pattern for names of persons in any script: at least one letter, and no sign that is used in mark-up, addresses or
 * formulas but never in names.
 */
export const PERSON_NAME: TextPattern = {
  source: '^[^<>{}\\[\\]|\\\\^~@#$%*=+;:"?!/]*\\p{L}[^<>{}\\[\\]|\\\\^~@#$%*=+;:"?!/]*$',
  words: "the name of a person",
};
