import type { FieldError } from "../../core/errors/domain-error.js";

/** Values by their fields; an amount may be there twice, in hundredths and with decimals. */
export type Amounts = Readonly<Record<string, unknown>>;

/** What second columns of amounts say, by their fields. */
export type SecondAmounts = Readonly<Record<string, SecondAmount>>;

export interface SecondAmount {
  readonly value: unknown;
  /** The names of its own column, and of the one before. */
  readonly column: string;
  readonly first: string;
}

/**
 * Returns values of which each has what was changed of both columns that it has: the one that differs from the stored value.
 * Columns that agree are no twins here.
 *
 * @param stored has the values of the good; `null` when it is new.
 * @returns the values, and what is wrong in the first column where both were changed, and differ.
 */
export function settleTwins<T extends object>(
  first: T,
  second: SecondAmounts,
  stored: Amounts | null,
): { readonly values: T; readonly errors: readonly FieldError[] } {
  const values = { ...first } as Record<string, unknown>;
  const errors: FieldError[] = [];
  for (const [field, { value, column, first: name }] of Object.entries(second)) {
    const before = stored?.[field] == null ? null : Number(stored[field]);
    if (values[field] === value || before === value) continue;
    if (before !== null && values[field] === before) values[field] = value;
    else {
      const message = `contradicts ${column}: at most one of both may be changed`;
      errors.push({ field: name, rule: "mismatch", message });
    }
  }
  return { values: values as T, errors };
}
