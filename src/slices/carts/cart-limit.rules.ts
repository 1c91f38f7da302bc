import type { FieldError } from "../../core/errors/domain-error.js";
import { beginOf, type Period } from "../../core/time/zones.js";
import type { CartGood } from "./cart-good.js";

const HOUR_MS = 3_600_000;
const PERIODS: Readonly<Record<string, Period>> = { per_day: "day", per_week: "week", per_month: "month" };
/** A window of more hours than this reaches back before every row. */
const MOST_HOURS = 24 * 366 * 100;

/**
 * The moment from which a limit counts; `null` for one that counts the cart alone. Days, weeks (from Monday) and months
 * begin by the company's own time.
 *
 * @param limitType per_order, per_day, per_week, per_month, per_hours:N; null means per_order.
 */
export function limitSince(limitType: string | null, at: Date, zone: string): Date | null {
  if (limitType === null || limitType === "per_order") return null;
  if (limitType.startsWith("per_hours:")) {
    const hours = Math.min(Number(limitType.slice("per_hours:".length)), MOST_HOURS);
    return new Date(at.getTime() - hours * HOUR_MS);
  }
  const period = PERIODS[limitType];
  if (period === undefined) throw new Error(`not a limit type: ${limitType}`);
  return beginOf(period, zone, at);
}

/** The wrong field when a quantity and those that count besides pass the good's `max_quantity`. */
export function limitErrors(
  { maxQuantity, limitType }: CartGood,
  quantity: number,
  others: bigint,
): FieldError[] {
  if (maxQuantity === null || BigInt(quantity) + others <= BigInt(maxQuantity)) return [];
  const counted = others === 0n ? "" : `, of which ${others} are taken already`;
  const message = `must be at most ${maxQuantity} ${limitType ?? "per_order"}${counted}`;
  return [{ field: "quantity", rule: "limit", message }];
}
