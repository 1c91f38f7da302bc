/** Moments of two calls to the same effect are not further apart. */
const APART_MS = 60_000;
const MOMENT = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}(?::?\d{2})?)?$/u;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/**
 * Returns `other` with what each call makes anew (moments of now, random values) as it is in `one`. So both are equal when
 * nothing else differs.
 */
export function sameAs(one: unknown, other: unknown, key = ""): unknown {
  if (typeof one === "string" && typeof other === "string") return isAlike(one, other, key) ? one : other;
  if (Array.isArray(one) && Array.isArray(other))
    return other.map((item, n) => sameAs((one as unknown[])[n], item, key));
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return other;
  if (Array.isArray(one) || Array.isArray(other)) return other;
  const known = one as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(other).map(([name, item]) => [name, sameAs(known[name], item, name)]),
  );
}

function isAlike(one: string, other: string, _key: string): boolean {
  if (one === other) return true;
  if (MOMENT.test(one) && MOMENT.test(other)) return Math.abs(timeOf(one) - timeOf(other)) < APART_MS;
  return UUID.test(one) && UUID.test(other);
}

function timeOf(text: string): number {
  const iso = text.replace(" ", "T");
  return Date.parse(/(?:Z|[+-]\d{2}(?::?\d{2})?)$/u.test(iso) ? iso : `${iso}Z`);
}
