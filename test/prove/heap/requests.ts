import fc from "fast-check";
import type { InjectOptions } from "fastify";
import type { FinishedSchema } from "../../../src/engine/guard/finish-schema.js";
import { fuzzRequests, type FuzzRequest } from "../../support/fuzz.js";
import type { Asked } from "../calm/attacker.js";
import { differentDocuments, type DocumentOf } from "./documents.js";

/** A request, and the place of its caller. */
export interface Request {
  readonly caller: number;
  readonly asked: Asked;
}

/** Each round has so many documents that come twice: the second time compiles a document, and lets it stay. */
export const DOCUMENTS = 1_000;
const TIMES = 2;
/** The number of requests of other kinds, which come once. */
const LONG = 10;
const FILTERS = 40;
const REFUSED = 40;
const FUZZED = 110;
const DOCUMENT_BYTES = 30_000;
const ALIASES = 40;

/** The requests of each round: a thousand documents, each twice, and two hundred requests of other kinds. */
export class Rounds {
  private readonly documentOf: DocumentOf;

  constructor(
    private readonly schema: FinishedSchema,
    private readonly place: { readonly companyId: number; readonly callers: number },
  ) {
    this.documentOf = differentDocuments(schema, place.companyId);
  }

  documents(round: number): Request[] {
    const { callers } = this.place;
    return numbered(DOCUMENTS, (n) => ({
      caller: n % callers,
      asked: this.documentOf(round * DOCUMENTS + n),
    })).flatMap((request) => numbered(TIMES, () => request));
  }

  others(round: number): Request[] {
    const { callers, companyId } = this.place;
    const name = `r${round}`;
    const own = [
      ...numbered(LONG, (n) => document(companyId, `${name}_${n}`)),
      ...numbered(FILTERS, (n) => filter(companyId, `${name}_${n}`, n)),
      ...numbered(REFUSED, (n) => refused(companyId, `${name}_${n}`, n)),
    ];
    const fuzzed = fc.sample(
      fuzzRequests(this.schema, this.place).filter((request) => this.reads(request)),
      { numRuns: FUZZED, seed: round },
    );
    return [
      ...own.map((asked, index) => ({ caller: index % callers, asked })),
      ...fuzzed.map(({ caller, inject }) => ({ caller, asked: askedOf(inject) })),
    ];
  }

  /** Changes of the fuzzer would end the callers' rights, delete the company, or fill the database. */
  private reads({ name }: FuzzRequest): boolean {
    return name.startsWith("GET ") || this.schema.operations.get(name)?.kind === "query";
  }
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
