import { parse } from "node:querystring";
import type { FastifyInstance } from "fastify";
import qs, { type IParseOptions } from "qs";
import { DomainError } from "../../core/errors/domain-error.js";
import { FILTER_LIMITS } from "../../core/lists/compile-filter.js";

/** A query string may have so many parameters, and `page` besides, which links add (contract §8.2). */
const MOST_PARAMETERS = 200;
const MOST_WITH_PAGE = MOST_PARAMETERS + 1;
/** Deeper than a filter may be, so that one that is too deep is reported: `filter[or][0][not][price_e2][gte]`. */
const DEPTH = 4 * FILTER_LIMITS.depth;
const LIMITS = { depth: DEPTH, parameterLimit: MOST_WITH_PAGE, arrayLimit: MOST_WITH_PAGE };
const BRACKET = /\[|%5B/iu;
/** Begins a query, as the router reads a URL. */
export const QUERY_BEGIN = /[?#]/u;
const PAGE = /(?:^|&)page=/u;

/**
 * Parses a query string: `filter[price_e2][gte]=1` becomes nested objects. Names without brackets need no such
 * parser. What lies beyond the limit is left out, since `limitParameters` refuses the request before anybody looks.
 */
export function parseQuery(query: string): Record<string, unknown> {
  if (query === "") return {};
  return BRACKET.test(query)
    ? qs.parse(query, { ...LIMITS, plainObjects: true, decoder })
    : { ...parse(query, "&", "=", { maxKeys: MOST_WITH_PAGE }) };
}

/**
 * Refuses requests whose query string has too many parameters, as soon as it is known that the caller may ask
 * (contract §6.3).
 */
export function limitParameters(app: FastifyInstance): void {
  app.addHook("preParsing", ({ url }, _reply, _payload, done) => {
    const excess = excessIn(url);
    done(excess === null ? null : tooMany(excess));
  });
}

/** Returns how many parameters the query of a URL has, `page` left out, if that is too many; else `null`. */
function excessIn(url: string): number | null {
  const start = url.search(QUERY_BEGIN) + 1;
  if (start === 0) return null;
  // The parsers count what is empty too: `a=1&&b=2` has three.
  let parameters = 1;
  for (let at = url.indexOf("&", start); at !== -1; at = url.indexOf("&", at + 1)) parameters += 1;
  if (parameters > MOST_PARAMETERS && PAGE.test(url.slice(start))) parameters -= 1;
  return parameters > MOST_PARAMETERS ? parameters : null;
}

function tooMany(parameters: number): DomainError {
  const message = `has ${parameters} parameters, at most ${MOST_PARAMETERS} are allowed`;
  return new DomainError("BAD_REQUEST", `The query ${message}.`, {
    errors: [{ field: "query", rule: "max_values", message }],
  });
}

/**
 * Decodes names and values. The parser would drop the name `__proto__` and so leave a filter without its condition;
 * under the name `proto` it is refused as an unknown field. It would make one of all alternatives that have no place; a
 * blank keeps them from that, and is refused as a place.
 */
const decoder: IParseOptions["decoder"] = (text, decode, charset, type) => {
  const decoded = decode(text, decode, charset);
  return type === "key"
    ? decoded.replaceAll("[__proto__]", "[proto]").replaceAll("[or][]", "[or][ ]")
    : decoded;
};
