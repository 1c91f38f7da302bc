import { parse } from "node:querystring";
import qs from "qs";

const MOST_PARAMETERS = 200;
const LIMITS = { depth: 3, parameterLimit: MOST_PARAMETERS, arrayLimit: MOST_PARAMETERS };
const BRACKET = /\[|%5B/iu;

/**
 * Parses a query string: `filter[price_e2][gte]=1` becomes nested objects. Names without brackets need no such
 * parser.
 */
export function parseQuery(query: string): Record<string, unknown> {
  if (query === "") return {};
  // The parser would drop this name and so leave a filter without its condition; under the name `proto` it is
  // refused as an unknown field.
  const text = query.replace(/(?<=\[|%5B)__proto__(?=\]|%5D)/giu, "proto");
  return BRACKET.test(text)
    ? qs.parse(text, { ...LIMITS, plainObjects: true })
    : { ...parse(text, "&", "=", { maxKeys: MOST_PARAMETERS }) };
}
