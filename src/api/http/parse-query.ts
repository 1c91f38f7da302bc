import { parse } from "node:querystring";
import qs from "qs";

const MOST_PARAMETERS = 200;
const LIMITS = { depth: 3, parameterLimit: MOST_PARAMETERS, arrayLimit: MOST_PARAMETERS };
const BRACKET = /\[|%5B/iu;

/** `filter[price_e2][gte]=1` becomes nested objects; what has no brackets needs no parser for them. */
export function parseQuery(query: string): Record<string, unknown> {
  if (query === "") return {};
  // Left out by the parser, which would leave a filter without its condition; so it is a name that nobody knows.
  const text = query.replace(/(?<=\[|%5B)__proto__(?=\]|%5D)/giu, "proto");
  return BRACKET.test(text)
    ? qs.parse(text, { ...LIMITS, plainObjects: true })
    : { ...parse(text, "&", "=", { maxKeys: MOST_PARAMETERS }) };
}
