import fc from "fast-check";
import type { InjectOptions } from "fastify";
import type { FinishedSchema } from "../../../src/engine/schema/finish-schema.js";
import { fuzzRequests } from "../../support/fuzz.js";
import type { Asked } from "../calm/attacker.js";

/** A request, and the place of its caller. */
export interface Request {
  readonly caller: number;
  readonly asked: Asked;
}

const DOCUMENT_BYTES = 30_000;
const ALIASES = 40;
/** Of each hundred requests so many are of these kinds; the others are those of the fuzzer. */
const DOCUMENTS = 10;
const FILTERS = 10;
const REFUSED = 10;
const HUNDREDS = 10;

/** A thousand requests, no two of them alike, neither within a round nor in different ones. */
export function roundOf(
  schema: FinishedSchema,
  { round, companyId, callers }: { round: number; companyId: number; callers: number },
): Request[] {
  const own = DOCUMENTS + FILTERS + REFUSED;
  const unlike = Array.from({ length: HUNDREDS }, (_, hundred) => {
    const name = `r${round}_${hundred}`;
    return [
      ...numbered(DOCUMENTS, (n) => document(companyId, `${name}_${n}`)),
      ...numbered(FILTERS, (n) => filter(companyId, `${name}_${n}`, n)),
      ...numbered(REFUSED, (n) => refused(companyId, `${name}_${n}`, n)),
    ];
  }).flat();
  const fuzzed = fc.sample(fuzzRequests(schema, { callers, companyId }), {
    numRuns: HUNDREDS * (100 - own),
    seed: round,
  });
  return [
    ...unlike.map((asked, index) => ({ caller: index % callers, asked })),
    ...fuzzed.map(({ caller, inject }) => ({ caller, asked: askedOf(inject) })),
  ];
}

/** So many times a request comes that fills the caches: twice lets its document stay, and compiles it. */
const TIMES = 3;
const FILLING = 500;

/**
 * Requests that come again at once, so that their documents are compiled and kept: most of those of the rounds come once,
 * and would fill the room of documents only after hours.
 */
export function fillingOf(
  schema: FinishedSchema,
  { round, companyId, callers }: { round: number; companyId: number; callers: number },
): Request[] {
  const fuzzed = fc.sample(fuzzRequests(schema, { callers, companyId }), { numRuns: FILLING, seed: -round });
  return fuzzed.flatMap(({ caller, inject }) =>
    Array.from({ length: TIMES }, () => ({ caller, asked: askedOf(inject) })),
  );
}

function numbered<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

const graphql = (query: string, variables: object = {}): Asked => ({
  method: "POST",
  path: "/graphql",
  body: { query, variables },
});

/** A document of 30 KB whose fields have names that no other one has. */
function document(companyId: number, name: string): Asked {
  const fields = numbered(ALIASES, (n) => `${name}_${n}: name`).join(" ");
  const query = `query Q${name} { goods(companyId: ${companyId}, first: 1) { nodes { id ${fields} } } }`;
  return graphql(`${query} #${"x".repeat(DOCUMENT_BYTES - query.length)}`);
}

/** A filter that no other request has: as a variable, within the document, or over REST. */
function filter(companyId: number, name: string, index: number): Asked {
  const list = "nodes { id name }";
  if (index % 3 === 0)
    return graphql(
      `query ($filter: GoodFilterInput) { goods(companyId: ${companyId}, filter: $filter) { ${list} } }`,
      { filter: { or: [{ name: { contains: name } }, { not: { sku: { eq: name } } }] } },
    );
  if (index % 3 === 1)
    return graphql(
      `{ coupons(companyId: ${companyId}, filter: { name: { words: "${name}" } }) { totalCount ${list} } }`,
    );
  const words = `filter[or][0][name][starts_with]=${name}&filter[or][1][price_e2][gte]=${index}&sort=-name`;
  return { path: `/api/companies/${companyId}/goods?${words}&cursor=` };
}

/** A request that is refused, in words that no other one has. */
function refused(companyId: number, name: string, index: number): Asked {
  const path = `/api/companies/${companyId}/goods`;
  const kinds: readonly Asked[] = [
    graphql(`{ goods(companyId: ${companyId}) { nodes { ${name} } } }`),
    graphql(`{ goods(companyId: ${companyId}) { nodes { id } } ${name}`),
    graphql(`mutation { createGood(companyId: ${companyId}, input: { name: "${name.repeat(30)}" }) { id } }`),
    { method: "POST", path, body: { [name]: 1, price_e2: name } },
    { method: "POST", path, body: `{"name": "${name}` },
    { path: `${path}?filter[${name}]=1&sort=${name}&load=${name}&fields=${name}` },
    { path: `${path}?cursor=${Buffer.from(name).toString("base64url")}` },
    { path: `/api/${name}/${name}` },
    { path, headers: { authorization: `Bearer ${name}.${name}.${name}` } },
    { method: "PATCH", path: `${path}/1`, body: { name }, headers: { "if-match": `W/"${name}"` } },
  ];
  return kinds[index % kinds.length] as Asked;
}

function askedOf({ method, url, headers, payload }: InjectOptions): Asked {
  return {
    method: String(method ?? "GET"),
    path: url as string,
    ...(headers !== undefined && { headers: headers as Record<string, string> }),
    ...(payload !== undefined && { body: payload }),
  };
}
