import { DomainError, type FieldError, validationFailed } from "../../core/errors/domain-error.js";

/** A JSON value of a caller, such as a body, may have at most this (contract §8.2). */
export const VALUE_LIMITS = { depth: 32, items: 1_000, values: 20_000 } as const;

/** A limit that a value exceeds, and the place in the value where that was seen, from the inside out. */
interface Excess {
  readonly rule: "depth" | "max_items" | "max_values";
  readonly place: string[];
}

/**
 * Checks the size of a JSON value before anything else looks at it, so that a caller cannot keep the process busy with
 * what is refused anyway.
 *
 * @param name stands for the whole value in the field of the error.
 * @throws DomainError VALIDATION_FAILED (rule `max_items`) for an array that is too long; BAD_REQUEST (rules `depth`,
 *   `max_values`).
 */
export function assertWithinValueBounds(value: unknown, name: string): void {
  const excess = new Measure().excessOf(value, VALUE_LIMITS.depth);
  if (excess === null) return;
  const field = excess.place.reverse().join("").replace(/^\./u, "") || name;
  if (excess.rule === "max_items")
    throw validationFailed([
      { field, rule: excess.rule, message: `must have at most ${VALUE_LIMITS.items} items` },
    ]);
  const message =
    excess.rule === "depth"
      ? `is nested deeper than ${VALUE_LIMITS.depth} levels`
      : `has more than ${VALUE_LIMITS.values} values`;
  const errors: FieldError[] = [{ field: name, rule: excess.rule, message }];
  throw new DomainError("BAD_REQUEST", `The ${name} ${message}.`, { errors });
}

class Measure {
  private values = 0;

  /** Returns the first limit that the value exceeds, `null` when it exceeds none. */
  excessOf(value: unknown, depth: number): Excess | null {
    this.values += 1;
    if (this.values > VALUE_LIMITS.values) return { rule: "max_values", place: [] };
    if (typeof value !== "object" || value === null) return null;
    if (depth === 0) return { rule: "depth", place: [] };
    return Array.isArray(value) ? this.inArray(value, depth - 1) : this.inObject(value, depth - 1);
  }

  private inArray(items: readonly unknown[], depth: number): Excess | null {
    if (items.length > VALUE_LIMITS.items) return { rule: "max_items", place: [] };
    for (let index = 0; index < items.length; index += 1) {
      const excess = this.excessOf(items[index], depth);
      if (excess !== null) return within(excess, `[${index}]`);
    }
    return null;
  }

  private inObject(value: object, depth: number): Excess | null {
    // A list of entries would take longer than all the rest.
    for (const key in value) {
      const excess = this.excessOf((value as Readonly<Record<string, unknown>>)[key], depth);
      if (excess !== null) return within(excess, `.${key}`);
    }
    return null;
  }
}

function within(excess: Excess, step: string): Excess {
  excess.place.push(step);
  return excess;
}
