import { parse } from "node:querystring";
import { FILTER_LIMITS } from "../../core/lists/compile-filter.js";
import qs, { type IParseOptions } from "qs";

const MOST_PARAMETERS = 200;
/** Deeper than a filter may be, so that one that is too deep is told: `filter[or][0][not][price_e2][gte]`. */
const DEPTH = 4 * FILTER_LIMITS.depth;
const LIMITS = { depth: DEPTH, parameterLimit: MOST_PARAMETERS, arrayLimit: MOST_PARAMETERS };
const BRACKET = /\[|%5B/iu;

/**
 * Parses a query string: `filter[price_e2][gte]=1` becomes nested objects. Names without brackets need no such
 * parser.
 */
export function parseQuery(query: string): Record<string, unknown> {
  if (query === "") return {};
  return BRACKET.test(query)
    ? qs.parse(query, { ...LIMITS, plainObjects: true, decoder })
    : { ...parse(query, "&", "=", { maxKeys: MOST_PARAMETERS }) };
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
