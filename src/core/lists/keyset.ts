import type { Where } from "./compile-filter.js";
import type { OrderTerm } from "./list-definition.js";

/**
 * The condition for rows that come after a place in an order. Nulls come last ascending and first descending, as
 * PostgreSQL has them. A bound on the first term is added, so that an index on it can seek.
 */
export function afterPlace(
  order: readonly OrderTerm[],
  values: readonly unknown[],
  isNullable: (field: string) => boolean,
): Where {
  const alternatives = order.flatMap((term, index) => {
    const beyond = beyondValue(term, values[index], isNullable(term.field));
    if (beyond === null) return [];
    const equal = order.slice(0, index).map(({ field }, position) => ({ [field]: values[position] }));
    return [{ AND: [...equal, beyond] }];
  });
  const seek = leadingBound(order[0] as OrderTerm, values[0], isNullable((order[0] as OrderTerm).field));
  return { AND: [...(seek === null ? [] : [seek]), { OR: alternatives }] };
}

/** The order backwards. */
export function reversed(order: readonly OrderTerm[]): OrderTerm[] {
  return order.map(({ field, direction }) => ({ field, direction: direction === "asc" ? "desc" : "asc" }));
}

function beyondValue({ field, direction }: OrderTerm, value: unknown, nullable: boolean): Where | null {
  if (direction === "asc") {
    if (value === null) return null;
    return nullable ? { OR: [{ [field]: { gt: value } }, { [field]: null }] } : { [field]: { gt: value } };
  }
  return value === null ? { [field]: { not: null } } : { [field]: { lt: value } };
}

function leadingBound({ field, direction }: OrderTerm, value: unknown, nullable: boolean): Where | null {
  if (value === null || (nullable && direction === "asc")) return null;
  return { [field]: direction === "asc" ? { gte: value } : { lte: value } };
}
