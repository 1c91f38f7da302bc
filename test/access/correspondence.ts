import { isDeepStrictEqual } from "node:util";
import { decodeJwt, decodeProtectedHeader } from "jose";

/** Moments of two calls to the same effect are not further apart. */
const APART_MS = 60_000;
const MOMENT = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}(?::?\d{2})?)?$/u;
/** The parts of texts that are random: ids, names of files, hashes, tokens, sealed secrets; and whole coupon codes. */
const RANDOM =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}|[\w-]{43,}|^[A-HJKMNP-Z2-9]{8,12}$/gu;

/** A signed token: its header, its claims and its signature. */
const TOKEN = /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+$/u;

/**
 * Knows which values of two worlds stand for each other: moments that are near, and random values, of which each has one
 * partner in the other world for good.
 */
export class Correspondence {
  private readonly partners = new Map<string, string>();
  private readonly taken = new Set<string>();

  /** Returns a value of the other world with each part that corresponds to `one` as it is in `one`. */
  inTermsOf(one: unknown, other: unknown): unknown {
    if (typeof one === "string" && typeof other === "string") return this.areAlike(one, other) ? one : other;
    if (Array.isArray(one) && Array.isArray(other))
      return other.map((item, n) => this.inTermsOf((one as unknown[])[n], item));
    if (!isObject(one) || !isObject(other)) return other;
    return Object.fromEntries(
      Object.entries(other).map(([name, item]) => [name, this.inTermsOf(one[name], item)]),
    );
  }

  private areAlike(one: string, other: string): boolean {
    if (one === other) return true;
    const [told, others] = [toldBy(one), toldBy(other)];
    if (told !== null && others !== null) return isDeepStrictEqual(this.inTermsOf(told, others), told);
    if (MOMENT.test(one) && MOMENT.test(other)) return Math.abs(timeOf(one) - timeOf(other)) < APART_MS;
    if (one.replace(RANDOM, "#") !== other.replace(RANDOM, "#")) return false;
    const parts = other.match(RANDOM) ?? [];
    return (one.match(RANDOM) ?? []).every((part, n) => this.pair(part, parts[n] as string));
  }

  private pair(one: string, other: string): boolean {
    const partner = this.partners.get(one);
    if (partner !== undefined) return partner === other;
    if (this.taken.has(other)) return false;
    this.partners.set(one, other);
    this.taken.add(other);
    return true;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns what a signed token tells, with its times as moments: two that were made in the same second tell the same, and may have
 * partners of two seconds. It is `null` for what is no token.
 */
function toldBy(text: string): object | null {
  if (!TOKEN.test(text)) return null;
  const { iat, exp, ...claims } = decodeJwt(text);
  const times = [iat, exp].map((seconds) => seconds && new Date(seconds * 1_000).toISOString());
  return { header: decodeProtectedHeader(text), claims, times };
}

/** A moment without an offset is in UTC. */
function timeOf(text: string): number {
  const iso = text.replace(" ", "T");
  return Date.parse(/(?:Z|[+-]\d{2}(?::?\d{2})?)$/u.test(iso) ? iso : `${iso}Z`);
}
