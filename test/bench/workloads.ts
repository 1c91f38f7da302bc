/** One thing to measure: the same rows through the service and through hand-written SQL. */
export interface Workload {
  readonly name: string;
  /** Path of the gateway; the body is a GraphQL request unless it is a REST path. */
  request(dataset: Dataset): { readonly path: string; readonly body?: { query: string; variables: object } };
  /** What the bare server runs for it. */
  readonly baseline: BaselineName;
}

export interface Dataset {
  readonly companyId: number;
  readonly goodId: number;
  /** A place deep in the list of all goods. */
  readonly deepId: number;
}

export type BaselineName = keyof typeof BASELINE_SQL;

const OPTIONS = `(SELECT json_agg(json_build_object('id', o.id, 'name', o.name, 'priceE2', o.price_e2) ORDER BY o.in_order, o.id)
  FROM property_options o WHERE o.company_id = p.company_id AND o.property_id = p.id)`;
const PROPERTIES = `(SELECT json_agg(json_build_object('id', gp.id, 'displayName', gp.display_name,
  'property', json_build_object('id', p.id, 'name', p.name, 'propertyOptions', ${OPTIONS})) ORDER BY gp.in_order, gp.id)
  FROM good_properties gp JOIN properties p ON p.company_id = gp.company_id AND p.id = gp.property_id
  WHERE gp.company_id = g.company_id AND gp.good_id = g.id)`;
const FLAT = `'id', g.id, 'name', g.name, 'shortDetails', g.short_details, 'priceE2', g.price_e2, 'sku', g.sku, 'type', g.type,
  'unit', g.unit, 'maxQuantity', g.max_quantity, 'keywords', g.keywords, 'createdAt', to_char(g.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;

/** One prepared statement each, which builds the whole answer as JSON; the parameters are company and id. */
export const BASELINE_SQL = {
  nested: `SELECT json_build_object('data', json_build_object('goods', json_build_object('nodes', coalesce(json_agg(row), '[]'))))::text AS body
    FROM (SELECT json_build_object('id', g.id, 'name', g.name, 'priceE2', g.price_e2, 'properties', coalesce(${PROPERTIES}, '[]')) AS row
      FROM goods g WHERE g.company_id = $1 AND g.deleted_at IS NULL AND $2::int IS NOT NULL ORDER BY g.id DESC LIMIT 20) AS page`,
  one: `SELECT json_build_object('data', json_build_object('good', json_build_object(${FLAT})))::text AS body
    FROM goods g WHERE g.company_id = $1 AND g.id = $2 AND g.deleted_at IS NULL`,
  flat: `SELECT json_build_object('data', json_build_object('goods', json_build_object('nodes', coalesce(json_agg(row), '[]'))))::text AS body
    FROM (SELECT json_build_object(${FLAT}) AS row
      FROM goods g WHERE g.company_id = $1 AND g.deleted_at IS NULL AND $2::int IS NOT NULL ORDER BY g.id DESC LIMIT 100) AS page`,
  deep: `SELECT json_build_object('data', json_build_object('goods', json_build_object('nodes', coalesce(json_agg(row), '[]'))))::text AS body
    FROM (SELECT json_build_object(${FLAT}) AS row
      FROM goods g WHERE g.company_id = $1 AND g.deleted_at IS NULL AND g.id < $2 ORDER BY g.id DESC LIMIT 25) AS page`,
} as const;

const FIELDS = "id name shortDetails priceE2 sku type unit maxQuantity keywords createdAt";
const REST_FIELDS = "id,name,short_details,price_e2,sku,type,unit,max_quantity,keywords,created_at";

/** The opaque cursor behind the good with this id, in the list's own order. */
const cursorAt = (id: number): string => Buffer.from(JSON.stringify(["-id", id])).toString("base64url");

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
    request: graphql(
      `query Deep($c: Int!, $after: String) { goods(companyId: $c, first: 25, after: $after) { nodes { ${FIELDS} } } }`,
      ({ companyId, deepId }) => ({ c: companyId, after: cursorAt(deepId) }),
    ),
  },
  {
    name: "first-page",
    baseline: "deep",
    request: graphql(
      `query First($c: Int!) { goods(companyId: $c, first: 25) { nodes { ${FIELDS} } } }`,
      ({ companyId }) => ({
        c: companyId,
      }),
    ),
  },
  {
    name: "rest-nested",
    baseline: "nested",
    request: rest(() => "?cursor=&per_page=20&fields=id,name,price_e2&load=properties"),
  },
  { name: "rest-one", baseline: "one", request: rest(({ goodId }) => `/${goodId}?fields=${REST_FIELDS}`) },
  { name: "rest-flat", baseline: "flat", request: rest(() => `?cursor=&per_page=100&fields=${REST_FIELDS}`) },
  {
    name: "rest-deep",
    baseline: "deep",
    request: rest(({ deepId }) => `?cursor=${cursorAt(deepId)}&per_page=25&fields=${REST_FIELDS}`),
  },
];
