/**
 * Names of persons, in any script: a letter at least, and none of the signs that no name is written with but
 * mark-up, addresses and formulas are.
 */
export const PERSON_NAME = '^[^<>{}\\[\\]|\\\\^~@#$%*=+;:"?!/]*\\p{L}[^<>{}\\[\\]|\\\\^~@#$%*=+;:"?!/]*$';
