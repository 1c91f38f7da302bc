import { RowsOf } from "../../core/lists/rows-of.js";

export type Where = Readonly<Record<string, unknown>>;

/** A condition on a field. */
export interface Condition {
  readonly field: string;
  readonly operator: string;
  readonly operand: unknown;
}

/** A text that an index of texts finds in the middle of another one: it has three letters or digits in a row. */
export const INDEXED_PART = /[\p{L}\p{N}]{3}/u;

/** The conditions on parts of texts, and what an index needs of a text to find it: a word of three letters, or its start. */
const PARTS: Readonly<Record<string, RegExp | null>> = {
  sameText: /[\p{L}\p{N}]/u,
  foldedEquals: /[\p{L}\p{N}]/u,
  foldedContains: INDEXED_PART,
  foldedStartsWith: /[\p{L}\p{N}]/u,
  foldedOverlaps: null,
};

export function isPart(operator: string): boolean {
  return operator in PARTS;
}

/** Whether an index of filters finds the rows of a condition. */
export function isIndexedPart({ operator, operand }: Condition): boolean {
  const needed = PARTS[operator];
  return needed === null || needed?.test(String(operand)) === true;
}

/** Returns the conditions that must all hold. Several alternatives stand as one condition. */
export function* conditionsIn(where: unknown): Generator<Condition> {
  for (const [field, condition] of Object.entries((where ?? {}) as Where)) {
    if (condition === undefined) continue;
    if (field === "AND" || (field === "OR" && Array.isArray(condition) && condition.length === 1))
      for (const part of [condition].flat()) yield* conditionsIn(part);
    else if (isObject(condition) && field !== "OR" && field !== "NOT")
      for (const [operator, operand] of Object.entries(condition)) yield { field, operator, operand };
    else yield { field, operator: "equals", operand: condition };
  }
}

/**
 * Returns the company whose rows a statement walks through one by one, since it asks for parts of texts that no index
 * finds: short ones, and what a text must not have. It is `null` for any other statement.
 */
export function companyWalkedFor(where: unknown): number | null {
  if (!hasPart(where)) return null;
  const { companyId } = where as Where;
  return typeof companyId !== "number" || isFoundByIndex(where) ? null : companyId;
}

/** Whether an index of texts finds one of the conditions that must all hold, or all of some alternatives. */
function isFoundByIndex(where: unknown): boolean {
  return [...conditionsIn(where)].some((condition) =>
    condition.field === "OR" && Array.isArray(condition.operand)
      ? condition.operand.every(isFoundByIndex)
      : isIndexedPart(condition),
  );
}

function hasPart(where: unknown): boolean {
  if (!isObject(where) || where instanceof RowsOf) return false;
  return Object.entries(where).some(([key, value]) => isPart(key) || hasPart(value));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}
