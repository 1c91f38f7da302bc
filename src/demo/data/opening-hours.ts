import type { OpeningHours } from "../../slices/shops/branch.model.js";

type Span = readonly [from: string, to: string];

/** Opening hours of Monday to Friday, of Saturday and of Sunday; a day without spans is closed. */
export function week(
  weekdays: readonly Span[],
  saturday: readonly Span[],
  sunday: readonly Span[],
): OpeningHours {
  const days = [sunday, weekdays, weekdays, weekdays, weekdays, weekdays, saturday];
  const open = days.map((spans, day) => [String(day), spans.map(([from, to]) => ({ from, to }))] as const);
  return Object.fromEntries(open.filter(([, spans]) => spans.length > 0));
}
