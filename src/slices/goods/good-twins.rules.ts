import type { FieldError } from "../../core/errors/domain-error.js";
import { snakeCaseOf } from "../../core/names.js";

/** Values by their fields; an amount may be there twice, in hundredths and with decimals. */
export type Amounts = Readonly<Record<string, unknown>>;

/**
 * Returns values of which each has what was changed of both columns that it has: the one that differs from the stored value.
 * Columns that agree are no twins here.
 *
 * @param stored has the values of the good; `null` when it is new.
 * @returns the values, and what is wrong where both were changed, and differ.
 */
export function settleTwins<T extends object>(
  first: T,
  second: Amounts,
  stored: Amounts | null,
): { readonly values: T; readonly errors: readonly FieldError[] } {
  const values = { ...first } as Record<string, unknown>;
  const errors: FieldError[] = [];
  for (const [field, value] of Object.entries(second)) {
    const before = stored?.[field] == null ? null : Number(stored[field]);
    if (values[field] === value || before === value) continue;
    if (before !== null && values[field] === before) values[field] = value;
    else errors.push({ field, rule: "mismatch", message: contradiction(field) });
  }
  return { values: values as T, errors };
}

function contradiction(field: string): string {
  const name = snakeCaseOf(field);
  return `contradicts ${name.replace(/_e2$/u, "")}: at most one of both may be changed`;
}
