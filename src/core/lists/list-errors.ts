import type { FieldError } from "../errors/domain-error.js";
import { CURSOR_ERROR, isCursorOf } from "./cursor.js";
import { filterErrors } from "./filter-errors.js";
import type { CheckedList, ListField } from "./list-definition.js";
import { MAX_PAGE_SIZE } from "./list-page.js";

type Arguments = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, ListField | undefined>>;

/** Longer texts are reported as too long. */
const LONGEST_CURSOR = 4_000;

/**
 * Finds all list arguments that their types allow and the list does not (contract §5.2), before any row is read. What
 * only the rows show, whether a cursor belongs to this filter and order, is found when the page is read.
 *
 * @param args may hold values that are not of their types: they are reported elsewhere, and are passed over here.
 */
export function listErrors(list: CheckedList, args: Arguments): FieldError[] {
  const { fields, orders = {}, isPaged } = list;
  return [
    ...(isPaged === undefined || isPaged(args) ? pageErrors(list, args) : []),
    ...orderErrors(fields, orders, args),
    ...filterErrors(args["filter"], fields),
  ];
}

function pageErrors({ cursors }: CheckedList, args: Arguments): FieldError[] {
  const given = (name: string): boolean => args[name] != null;
  const mixed = mixedArguments(given);
  const errors = mixed.map(([field, other]) => wrong(field, "mismatch", `does not go with ${other}`));
  for (const size of ["first", "last"]) {
    const rule = beyond(args[size], 1, MAX_PAGE_SIZE);
    if (rule !== null) errors.push(wrong(size, rule, `must be between 1 and ${MAX_PAGE_SIZE}`));
  }
  const rule = beyond(args["offset"], 0, Infinity);
  if (rule !== null) errors.push(wrong("offset", rule, "must be at least 0"));
  for (const place of ["after", "before"]) {
    const cursor = args[place];
    if (typeof cursor !== "string" || cursor.length > LONGEST_CURSOR) continue;
    if (cursors === undefined || isCursorOf(cursors, cursor) || mixed.some(([field]) => field === place))
      continue;
    errors.push({ field: place, ...CURSOR_ERROR });
  }
  return errors;
}

/** Returns the arguments that do not go with others, each with the first of those. */
function mixedArguments(given: (name: string) => boolean): [string, string][] {
  const against = (field: string, others: readonly string[]): [string, string][] => {
    const other = given(field) ? others.find(given) : undefined;
    return other === undefined ? [] : [[field, other]];
  };
  const forward = ["first", "after"];
  return [
    ...against("last", forward),
    ...against("before", forward),
    ...against("offset", ["after", "last", "before"]),
  ];
}

function orderErrors(
  fields: Fields,
  orders: Readonly<Record<string, string>>,
  { orderBy, withDeleted }: Arguments,
): FieldError[] {
  const terms = [orderBy ?? []].flat().map((term) => {
    const { field } = (term ?? {}) as { field?: unknown };
    return typeof field === "string" ? (orders[field] ?? field) : "";
  });
  const errors: FieldError[] = [];
  const alone = terms.length > 1 ? terms.map((term) => fields[term]?.ordersAlone) : [];
  for (const name of new Set(alone))
    if (name !== undefined) errors.push(wrong("orderBy", "max_items", `has no other field beside ${name}`));
  // Rows that are not deleted have no order by when they were deleted.
  if (withDeleted !== true && terms.includes("deletedAt")) {
    const message = "orders deleted rows by when they were deleted; ask for them by withDeleted";
    errors.push(wrong("orderBy", "required", message));
  }
  return errors;
}

/** Returns the rule that a number breaks; what is no number is reported elsewhere. */
function beyond(value: unknown, min: number, max: number): "min" | "max" | null {
  if (typeof value !== "number") return null;
  if (value < min) return "min";
  return value > max ? "max" : null;
}

function wrong(field: string, rule: string, message: string): FieldError {
  return { field, rule, message };
}
