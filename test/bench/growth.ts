import { getNamedType, isEnumType, isInputObjectType, type GraphQLSchema } from "graphql";
import { createSchema } from "../../src/schema.js";
import { growCompanies, type GrownCompany, type GrownList } from "./growth-dataset.js";
import { headersOf, median } from "./load.js";
import type { Server } from "./processes.js";
import type { Measured } from "./noted-figures.js";

export const GROWTH = "growth";
const SMALL = 1_000;
const LARGE = 1_000_000;
const CONNECTIONS = 4;
const REQUESTS = 100;
/** PostgreSQL keeps the plan of a prepared statement after it has run five times, on each connection. */
const WARM_UP_LOADS = 3;
/** A page that is not answered counts as one that takes for ever. */
const UNANSWERED = 0.001;

/** A list that grows: the arguments that it takes besides those of every list, and the fields of a row. */
interface GrowingList {
  readonly query: GrownList;
  readonly type: string;
  readonly ofCoupon?: true;
}

const LISTS: readonly GrowingList[] = [
  { query: "goods", type: "Good" },
  { query: "properties", type: "Property" },
  { query: "orders", type: "Order" },
  { query: "couponCodes", type: "CouponCode", ofCoupon: true },
  { query: "couponUsedTickets", type: "CouponRedemption", ofCoupon: true },
];

type Row = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** A page of a list: what it asks for besides the company. */
interface Page {
  readonly name: string;
  readonly arguments: (company: GrownCompany, rows: Samples) => Record<string, unknown>;
}

/** A row in the middle of a list, and the cursor before it. */
interface Samples {
  readonly row: Row;
  readonly cursor: string;
}

/**
 * Prints the requests a second on lists of 1,000,000 rows relative to lists of 1,000: the first page, a deep cursor, each
 * filter and each order, and the totals of REST's pages relative to pages by cursor.
 */
export async function measureGrowth(
  {
    url: databaseUrl,
    gateway,
    issueToken,
    rounds,
  }: { url: string; gateway: Server; issueToken: () => Promise<string>; rounds: number },
  wanted: string,
): Promise<Measured[]> {
  const { schema } = createSchema();
  const lists = LISTS.map((list) => ({ list, pages: wantedPages(list, schema, wanted) })).filter(
    ({ pages }) => pages.length > 0,
  );
  const queries = lists.map(({ list }) => list.query);
  const sizes = [SMALL, LARGE];
  const [small, large] = (await growCompanies(databaseUrl, sizes, queries)) as [GrownCompany, GrownCompany];
  const figures: { page: string; small: number; large: number; ratio: number }[] = [];
  // Making the rows takes longer than a token is valid, and so may the measurements of all lists.
  let client = new Client(gateway.url, await issueToken(), schema);
  for (const { list, pages } of lists) {
    client = new Client(gateway.url, await issueToken(), schema);
    const samples = new Map<GrownCompany, Samples>();
    for (const company of [small, large]) samples.set(company, await client.samples(list, company));
    for (const { name, page } of pages) {
      const body = (company: GrownCompany) =>
        client.body(list, company, page.arguments(company, samples.get(company) as Samples));
      figures.push({ page: name, ...(await compareSizes(client, body(small), body(large), rounds)) });
    }
  }
  console.table(figures.sort((one, other) => one.ratio - other.ratio));
  if (wanted !== "") return [];
  const [slowest] = figures;
  return [
    { name: GROWTH, ratio: slowest?.ratio ?? null },
    { name: "page-with-total", ratio: await compareTotals(client, large) },
  ];
}

async function compareSizes(client: Client, small: string, large: string, rounds: number) {
  for (let load = 0; load < WARM_UP_LOADS; load += 1) {
    await client.load(small);
    await client.load(large);
  }
  const measured: { small: number; large: number }[] = [];
  for (let round = 0; round < rounds; round += 1)
    measured.push({ small: await client.load(small), large: await client.load(large) });
  if (measured.some((round) => round.small === UNANSWERED))
    throw new Error(`a small list answers errors: ${small}`);
  const ratio = median(measured.map((round) => round.large / round.small));
  return {
    small: Math.round(median(measured.map((round) => round.small))),
    large: Math.round(median(measured.map((round) => round.large))),
    ratio: Number(ratio.toFixed(2)),
  };
}

/** Returns the pages of a list whose name has the wanted part. */
function wantedPages(list: GrowingList, schema: GraphQLSchema, wanted: string) {
  return pagesOf(list, schema)
    .map((page) => ({ name: `${list.query} ${page.name}`, page }))
    .filter(({ name }) => name.includes(wanted));
}

function pagesOf(list: GrowingList, schema: GraphQLSchema): Page[] {
  const filter = schema.getType(`${list.type}FilterInput`);
  const order = schema.getType(`${list.type}OrderField`);
  if (!isInputObjectType(filter) || !isEnumType(order)) throw new Error(`${list.type} is no list`);
  const filters = Object.values(filter.getFields()).flatMap(({ name, type }) =>
    conditionsOn(getNamedType(type).name).map(([operator, operand]): Page => ({
      name: `filter ${name} ${operator}`,
      arguments: (_, { row }) => ({ filter: { [name]: { [operator]: operand(row[name]) } } }),
    })),
  );
  const orders = order
    .getValues()
    .map(({ name }): Page => ({ name: `order ${name}`, arguments: () => ({ orderBy: [{ field: name }] }) }));
  return [
    { name: "first page", arguments: () => ({}) },
    { name: "deep cursor", arguments: (_, { cursor }) => ({ after: cursor }) },
    ...filters,
    ...orders.filter(({ name }) => name !== "order DELETED_AT"),
  ];
}

type Operand = (value: Row[string] | undefined) => unknown;
const same: Operand = (value) => value;

function conditionsOn(comparison: string): [string, Operand][] {
  const part: Operand = (value) => String(value ?? "none").slice(1, 6);
  const start: Operand = (value) => String(value ?? "none").slice(0, 5);
  const isNull: [string, Operand] = ["isNull", () => false];
  switch (comparison) {
    case "StringFilterInput":
      return [["eq", (value) => value ?? "none"], ["contains", part], ["startsWith", start], isNull];
    case "WordFilterInput":
      return [["eq", (value) => value ?? "none"]];
    case "CodeFilterInput":
      return [
        ["eq", same],
        ["startsWith", start],
      ];
    case "StringListFilterInput":
      return [["in", same]];
    case "BooleanFilterInput":
      return [["eq", () => true]];
    case "IntFilterInput":
    case "SafeIntFilterInput":
    case "FloatFilterInput":
      return [["eq", (value) => value ?? 1], ["gte", (value) => value ?? 1], isNull];
    case "DateTimeFilterInput":
      return [["eq", (value) => value ?? "2026-01-01"], ["gte", (value) => value ?? "2026-01-01"], isNull];
    default:
      return comparison.endsWith("FilterInput") && comparison !== "" && !isList(comparison)
        ? [["eq", same]]
        : [];
  }
}

/** Whether the input is the filter of a list, as `or` and `not` take it. */
function isList(comparison: string): boolean {
  return LISTS.some(({ type }) => comparison === `${type}FilterInput`);
}

/** Compares REST's plain page, which has a total, with the same page by cursor. */
async function compareTotals(client: Client, { companyId }: GrownCompany): Promise<number> {
  const page = `/api/companies/${companyId}/goods?per_page=25&fields=id`;
  const sides = { counted: page, byCursor: `${page}&cursor=` };
  for (const path of Object.values(sides)) await client.send({ path, method: "GET" });
  const ratios: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const counted = await client.send({ path: sides.counted, method: "GET" });
    ratios.push(counted / (await client.send({ path: sides.byCursor, method: "GET" })));
  }
  console.log(`a page with its total is ${median(ratios).toFixed(2)} of the page by cursor`);
  return median(ratios);
}

class Client {
  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly schema: GraphQLSchema,
  ) {}

  body(list: GrowingList, { companyId, couponId }: GrownCompany, variables: Record<string, unknown>): string {
    const ofCoupon = list.ofCoupon === true;
    const query = `query ($companyId: Int!, ${ofCoupon ? "$couponId: Int!, " : ""}$filter: ${list.type}FilterInput,
      $orderBy: [${list.type}OrderByInput!], $after: String) {
      ${list.query}(companyId: $companyId, ${ofCoupon ? "couponId: $couponId, " : ""}filter: $filter, orderBy: $orderBy,
        after: $after, first: 25) { nodes { id } }
    }`;
    return JSON.stringify({ query, variables: { companyId, ...(ofCoupon && { couponId }), ...variables } });
  }

  /** Reads the row in the middle of a list with all fields that it can be filtered by. */
  async samples(list: GrowingList, company: GrownCompany): Promise<Samples> {
    const filter = this.schema.getType(`${list.type}FilterInput`);
    const row = this.schema.getType(list.type);
    if (!isInputObjectType(filter) || row === undefined || !("getFields" in row)) throw new Error(list.type);
    const fields = Object.keys(filter.getFields()).filter((name) => name in row.getFields());
    const { companyId, couponId, rows } = company;
    const parents = list.ofCoupon === true ? `, couponId: ${couponId}` : "";
    const query = `{ ${list.query}(companyId: ${companyId}${parents}, first: 1, offset: ${rows / 2}) {
      nodes { ${fields.join(" ")} } pageInfo { endCursor } } }`;
    const response = await fetch(`${this.url}/graphql`, {
      method: "POST",
      headers: headersOf(this.token),
      body: JSON.stringify({ query }),
    });
    const { data, errors } = (await response.json()) as {
      data: Record<string, { nodes: Row[]; pageInfo: { endCursor: string } }> | null;
      errors?: unknown;
    };
    const page = data?.[list.query];
    if (page?.nodes[0] === undefined) throw new Error(`${list.query}: ${JSON.stringify(errors)}`);
    return { row: page.nodes[0], cursor: page.pageInfo.endCursor };
  }

  /** @returns requests a second. */
  load(body: string): Promise<number> {
    return this.send({ path: "/graphql", method: "POST", body });
  }

  async send(request: { path: string; method: "GET" | "POST"; body?: string }): Promise<number> {
    const headers = headersOf(this.token);
    const { path, ...init } = request;
    let left = REQUESTS;
    const start = performance.now();
    const asked = await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        let failed = 0;
        while ((left -= 1) >= 0) {
          const response = await fetch(this.url + path, { ...init, headers });
          const text = await response.text();
          if (!response.ok || text.includes('"errors"')) failed += 1;
        }
        return failed;
      }),
    );
    if (asked.some((failed) => failed > 0)) return UNANSWERED;
    return (REQUESTS * 1_000) / (performance.now() - start);
  }
}
