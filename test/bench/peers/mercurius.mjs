/**
 * A peer that is written by hand: Mercurius, its compiler and `pg`, with the types and the statements of the workloads and nothing
 * else. It runs in a folder of its own, see `peers.ts`.
 */
import fastify from "fastify";
import mercurius from "mercurius";
import pg from "pg";

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 16 });
const read = async (name, text, values) => (await pool.query({ name, text, values })).rows;

const GOOD = `id, name, short_details AS "shortDetails", price_e2 AS "priceE2", sku, type, unit, max_quantity AS "maxQuantity",
  keywords, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS "createdAt"`;
const GOODS = `SELECT ${GOOD} FROM goods WHERE company_id = $1 AND deleted_at IS NULL`;

const schema = `
  type Query {
    goods(companyId: Int!, first: Int = 25, after: String): Goods!
    good(companyId: Int!, id: Int!): Good
  }
  type Goods { nodes: [Good!]! }
  type Good {
    id: Int! name: String! shortDetails: String priceE2: Float sku: String type: Int unit: String maxQuantity: Int
    keywords: [String!] createdAt: String properties: [GoodProperty!]!
  }
  type GoodProperty { id: Int! displayName: String property: Property }
  type Property { id: Int! name: String! propertyOptions: [PropertyOption!]! }
  type PropertyOption { id: Int! name: String! priceE2: Float }
`;

/** The rows of a company, each with its company: what is nested is found by it. */
const of = (companyId, rows) => rows.map((row) => Object.assign(row, { companyId }));
const numbers = (row) => Object.assign(row, { priceE2: Number(row.priceE2) });

const resolvers = {
  Query: {
    goods: async (_, { companyId, first, after }) => {
      const rows =
        after == null
          ? await read("goods", `${GOODS} ORDER BY id DESC LIMIT $2`, [companyId, first])
          : await read("after", `${GOODS} AND id < $3 ORDER BY id DESC LIMIT $2`, [
              companyId,
              first,
              Number(Buffer.from(after, "base64url").toString()),
            ]);
      return { nodes: of(companyId, rows.map(numbers)) };
    },
    good: async (_, { companyId, id }) =>
      of(companyId, (await read("good", `${GOODS} AND id = $2`, [companyId, id])).map(numbers))[0],
  },
};

/** Reads what belongs to many objects at once, by their ids. */
const loader = (name, text, idOf, keyOf, isList) => async (queries) => {
  const { companyId } = queries[0].obj;
  const ids = [...new Set(queries.map(({ obj }) => idOf(obj)))];
  const rows = of(companyId, await read(name, text, [companyId, ids]));
  const byKey = new Map();
  for (const row of rows) {
    const own = byKey.get(keyOf(row));
    if (own === undefined) byKey.set(keyOf(row), [row]);
    else own.push(row);
  }
  return queries.map(({ obj }) => {
    const own = byKey.get(idOf(obj)) ?? [];
    return isList ? own : (own[0] ?? null);
  });
};

const loaders = {
  Good: {
    properties: loader(
      "properties",
      `SELECT id, good_id AS "goodId", property_id AS "propertyId", display_name AS "displayName" FROM good_properties
        WHERE company_id = $1 AND good_id = ANY($2::int[]) ORDER BY in_order, id`,
      ({ id }) => id,
      ({ goodId }) => goodId,
      true,
    ),
  },
  GoodProperty: {
    property: loader(
      "property",
      "SELECT id, name FROM properties WHERE company_id = $1 AND id = ANY($2::int[])",
      ({ propertyId }) => propertyId,
      ({ id }) => id,
      false,
    ),
  },
  Property: {
    propertyOptions: loader(
      "options",
      `SELECT id, name, price_e2::float8 AS "priceE2", property_id AS "propertyId" FROM property_options
        WHERE company_id = $1 AND property_id = ANY($2::int[]) ORDER BY in_order, id`,
      ({ id }) => id,
      ({ propertyId }) => propertyId,
      true,
    ),
  },
};

const app = fastify();
await app.register(mercurius, { schema, resolvers, loaders, jit: 1 });
app.get("/readyz", () => ({ status: "ready" }));
await app.listen({ port: Number(port), host: "127.0.0.1" });
