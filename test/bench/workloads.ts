import type { BaselineName } from "./baseline-sql.js";

/** One thing to measure: the same rows through the service and through hand-written SQL. */
export interface Workload {
  readonly name: string;
  /** Path of the gateway; the body is a GraphQL request unless it is a REST path. */
  request(dataset: Dataset): { readonly path: string; readonly body?: { query: string; variables: object } };
  /** What the bare server runs for it, and its parameter besides the company. */
  readonly baseline: BaselineName;
  readonly parameter: "goodId" | "deepId" | "aboveAll";
}

export interface Dataset {
  readonly companyId: number;
  readonly goodId: number;
  /** Greater than the id of any good. */
  readonly aboveAll: number;
  /** A place deep in the list of all goods. */
  readonly deepId: number;
}

const FIELDS = "id name shortDetails priceE2 sku type unit maxQuantity keywords createdAt";
const REST_FIELDS = "id,name,short_details,price_e2,sku,type,unit,max_quantity,keywords,created_at";

/** The opaque cursor behind the good with this id, in the list's own order. */
const cursorAt = (id: number): string => Buffer.from(JSON.stringify(["Good,-id", id])).toString("base64url");

const graphql = (query: string, variables: (dataset: Dataset) => object): Workload["request"] => {
  return (dataset) => ({ path: "/graphql", body: { query, variables: variables(dataset) } });
};

const rest = (query: (dataset: Dataset) => string): Workload["request"] => {
  return (dataset) => ({ path: `/api/companies/${dataset.companyId}/goods${query(dataset)}` });
};

export const WORKLOADS: readonly Workload[] = [
  {
    name: "nested",
    baseline: "nested",
    parameter: "goodId",
    request: graphql(
      `
        query Nested($c: Int!) {
          goods(companyId: $c, first: 20) {
            nodes {
              id
              name
              priceE2
              properties {
                id
                displayName
                property {
                  id
                  name
                  propertyOptions {
                    id
                    name
                    priceE2
                  }
                }
              }
            }
          }
        }
      `,
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
      ({ companyId, deepId }) => ({ c: companyId, after: cursorAt(deepId) }),
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
    request: rest(({ deepId }) => `?cursor=${cursorAt(deepId)}&per_page=25&fields=${REST_FIELDS}`),
  },
];
