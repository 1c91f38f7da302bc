import { parse } from "node:querystring";
import qs from "qs";

const MOST_PARAMETERS = 200;
const LIMITS = { depth: 3, parameterLimit: MOST_PARAMETERS, arrayLimit: MOST_PARAMETERS };
const BRACKET = /\[|%5B/iu;

/** `filter[price_e2][gte]=1` becomes nested objects; what has no brackets needs no parser for them. */
export function parseQuery(text: string): Record<string, unknown> {
  if (text === "") return {};
  return BRACKET.test(text)
    ? qs.parse(text, { ...LIMITS, plainObjects: true })
    : { ...parse(text, "&", "=", { maxKeys: MOST_PARAMETERS }) };
}
