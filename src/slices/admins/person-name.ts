/**
 * Pattern for names of persons in any script: at least one letter, and no sign that is used in mark-up, addresses or
 * formulas but never in names.
 */
export const PERSON_NAME = '^[^<>{}\\[\\]|\\\\^~@#$%*=+;:"?!/]*\\p{L}[^<>{}\\[\\]|\\\\^~@#$%*=+;:"?!/]*$';
