import type { BaselineName } from "./baseline-sql.js";

/** A workload reads the same rows through the service and through hand-written SQL. */
export interface Workload {
  readonly name: string;
  /** Returns a request to a gateway. It has a body when it is a GraphQL request, none for a REST path. */
  request(dataset: GatewayDataset): {
    readonly path: string;
    readonly body?: { query: string; variables: object };
  };
  /** The statement that the bare server runs, and its parameter besides the company. */
  readonly baseline: BaselineName;
  readonly parameter: "goodId" | "deepId" | "aboveAll";
  /** Whether each request asks for other rows than those beside it: what many ask for at once is read once. */
  readonly isApart?: true;
}

export interface Dataset {
  readonly companyId: number;
  readonly goodId: number;
  /** A number above the id of every good. */
  readonly aboveAll: number;
  /** The id of a good deep in the list of all goods. */
  readonly deepId: number;
  /** The offset of that good in the list. */
  readonly depth: number;
}

export interface GatewayDataset extends Dataset {
  /** The gateway's cursor of the good deep in the list: another version may write it in another way. */
  readonly deepCursor: string;
}

const FIELDS = "id name shortDetails priceE2 sku type unit maxQuantity keywords createdAt";
const REST_FIELDS = "id,name,short_details,price_e2,sku,type,unit,max_quantity,keywords,created_at";

const graphql = (query: string, variables: (dataset: GatewayDataset) => object): Workload["request"] => {
  return (dataset) => ({ path: "/graphql", body: { query, variables: variables(dataset) } });
};

const rest = (query: (dataset: GatewayDataset) => string): Workload["request"] => {
  return (dataset) => ({ path: `/api/companies/${dataset.companyId}/goods${query(dataset)}` });
};

const NESTED =
  "nodes { id name priceE2 properties { id displayName property { id name propertyOptions { id name priceE2 } } } }";

/** The workloads in which all ask for the same. */
const TOGETHER: readonly Workload[] = [
  {
    name: "nested",
    baseline: "nested",
    parameter: "goodId",
    request: graphql(
      `query Nested($c: Int!) { goods(companyId: $c, first: 20) { ${NESTED} } }`,
      ({ companyId }) => ({ c: companyId }),
    ),
  },
  {
    name: "one",
    baseline: "one",
    parameter: "goodId",
    request: graphql(
      `query One($c: Int!, $id: Int!) { good(companyId: $c, id: $id) { ${FIELDS} } }`,
      ({ companyId, goodId }) => ({
        c: companyId,
        id: goodId,
      }),
    ),
  },
  {
    name: "flat",
    baseline: "flat",
    parameter: "goodId",
    request: graphql(
      `query Flat($c: Int!) { goods(companyId: $c, first: 100) { nodes { ${FIELDS} } } }`,
      ({ companyId }) => ({
        c: companyId,
      }),
    ),
  },
  {
    name: "deep",
    baseline: "deep",
    parameter: "deepId",
    request: graphql(
      `query Deep($c: Int!, $after: String) { goods(companyId: $c, first: 25, after: $after) { nodes { ${FIELDS} } } }`,
      ({ companyId, deepCursor }) => ({ c: companyId, after: deepCursor }),
    ),
  },
  {
    name: "first-page",
    baseline: "deep",
    parameter: "aboveAll",
    request: graphql(
      `query First($c: Int!) { goods(companyId: $c, first: 25) { nodes { ${FIELDS} } } }`,
      ({ companyId }) => ({
        c: companyId,
      }),
    ),
  },
  {
    name: "rest-nested",
    baseline: "resources",
    parameter: "goodId",
    request: rest(() => "?cursor=&per_page=20&fields=id,name,price_e2&load=properties"),
  },
  {
    name: "rest-one",
    baseline: "one",
    parameter: "goodId",
    request: rest(({ goodId }) => `/${goodId}?fields=${REST_FIELDS}`),
  },
  {
    name: "rest-flat",
    baseline: "flat",
    parameter: "goodId",
    request: rest(() => `?cursor=&per_page=100&fields=${REST_FIELDS}`),
  },
  {
    name: "rest-deep",
    baseline: "deep",
    parameter: "deepId",
    request: rest(({ deepCursor }) => `?cursor=${deepCursor}&per_page=25&fields=${REST_FIELDS}`),
  },
];

const [ONE, DEEP] = ["one", "deep"].map((wanted) => TOGETHER.find(({ name }) => name === wanted)) as [
  Workload,
  Workload,
];

export const WORKLOADS: readonly Workload[] = [
  ...TOGETHER,
  {
    name: "apart-nested",
    baseline: "nestedDeep",
    parameter: "deepId",
    isApart: true,
    request: graphql(
      `query Nested($c: Int!, $after: String) { goods(companyId: $c, first: 20, after: $after) { ${NESTED} } }`,
      ({ companyId, deepCursor }) => ({ c: companyId, after: deepCursor }),
    ),
  },
  { ...ONE, name: "apart-one", isApart: true },
  { ...DEEP, name: "apart-deep", isApart: true },
];
