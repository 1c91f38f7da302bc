import type { FastifyReply, FastifyRequest } from "fastify";

/** How the total of a list is found, in PostgREST's words. */
export type Counting = "exact" | "estimated" | "none";

/** The preferences of a request (RFC 7240): values by names, both in lower case. */
export type Preferences = ReadonlyMap<string, string>;

const NONE: Preferences = new Map();

/** What stands between commas or between semicolons. A quoted text may hold both. */
const LIST_ITEM = /(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^",])+/gsu;
const BEFORE_PARAMETERS = /^(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^";])*/su;

/** Reads the header `Prefer`. Of a name that comes twice the first one counts; parameters are left out. */
export function readPreferences({ headers }: FastifyRequest): Preferences {
  const { prefer } = headers;
  if (prefer === undefined) return NONE;
  const preferences = new Map<string, string>();
  for (const [item] of String(prefer).matchAll(LIST_ITEM)) {
    const [preference = ""] = BEFORE_PARAMETERS.exec(item) ?? [];
    const [name = "", ...value] = preference.split("=").map((part) => part.trim().toLowerCase());
    if (name !== "" && !preferences.has(name)) preferences.set(name, unquoted(value.join("=")));
  }
  return preferences;
}

/** Returns whether the caller would rather have a refusal than have something ignored: `Prefer: handling=strict`. */
export function isStrict(request: FastifyRequest): boolean {
  return readPreferences(request).get("handling") === "strict";
}

/** Returns how the caller wants totals to be found: `Prefer: count=none`, `count=estimated`; `null` when it names none. */
export function countPreference(request: FastifyRequest): Counting | null {
  const count = readPreferences(request).get("count");
  return count === "none" || count === "estimated" || count === "exact" ? count : null;
}

/** Says in `Preference-Applied` that a preference, such as `handling=strict`, was complied with. */
export function tellApplied(reply: FastifyReply, preference: string): void {
  const others = reply.getHeader("preference-applied");
  reply.header("preference-applied", others === undefined ? preference : `${String(others)}, ${preference}`);
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.replace(/^"|"$/gu, "").replace(/\\(.)/gsu, "$1") : value;
}
