import pg from "pg";
import type { Prisma } from "../../src/generated/prisma/client.js";
import { conditionSql } from "../../src/engine/reads/condition-sql.js";
import type { CompanyScope } from "../../src/core/scope/company-scope.js";
import { FEW_FOUND, merged } from "../../src/slices/goods/search/good-search.rules.js";
import { findGoods, findNearGoods } from "../../src/slices/goods/search/good-search.sql.js";
import { createCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { planNodes, type PlanNode } from "../support/plan-nodes.js";
import { COMMON_WORD, ProductGoods } from "../support/product-goods.js";

const GOODS = 3_000;

let gateway: Gateway;
let client: pg.Client;
let companyId: number;
let products: ProductGoods;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  client = new pg.Client({ connectionString: gateway.ownerUrl });
  await client.connect();
  companyId = (await createCompany(gateway)).id;
  const other = await createCompany(gateway);
  products = new ProductGoods(7);
  await products.insert(client, companyId, GOODS);
  await products.insert(client, other.id, GOODS);
  // A table of this size is soon read as a whole; a hundred times the goods are not.
  await client.query("BEGIN");
  // Workers are told what holds in a transaction alone.
  await client.query("SET LOCAL enable_seqscan = off");
});
afterAll(async () => {
  await client.end();
  await gateway.close();
});

/** A scope that explains each statement before it runs it, and notes how the tables of the search are read. */
function explaining(reads: Set<string>): CompanyScope {
  const note = ({ "Relation Name": table, "Index Name": index, "Node Type": type }: PlanNode): void => {
    if (table === "goods" && type !== "Bitmap Heap Scan") reads.add(`${type} by ${index}`);
    if (type === "Bitmap Index Scan") reads.add(`${type} by ${index}`);
  };
  return {
    companyId,
    company: { searchLanguages: null },
    rows: async ({ text, values }: Prisma.Sql) => {
      const bound = values;
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, bound);
      planNodes(rows).forEach(note);
      return (await client.query(text, bound)).rows;
    },
  } as unknown as CompanyScope;
}

async function readsOf(q: string): Promise<{ found: number; reads: string[] }> {
  const reads = new Set<string>();
  const scope = explaining(reads);
  const among = conditionSql("Good", { companyId, deletedAt: null });
  const sought = { q, words: q.toLowerCase().split(" "), parts: null, unknown: [], among, clientId: null };
  const hits = await findGoods(scope, sought);
  const all = hits.length < FEW_FOUND ? merged(hits, (await findNearGoods(scope, sought, hits)).hits) : hits;
  return { found: all.length, reads: [...reads].sort() };
}

it("answers every search of a shop through indexes", async () => {
  const queries = products.queries();
  const plain = /^(?:Bitmap Index|Index|Index Only) Scan(?: Backward)? by \w+$/u;
  const others: string[] = [];
  let found = 0;
  for (const q of queries) {
    const answer = await readsOf(q);
    found += answer.found > 0 ? 1 : 0;
    others.push(...answer.reads.filter((read) => !plain.test(read)).map((read) => `${q}: ${read}`));
  }

  expect(queries).toHaveLength(200);
  expect(others).toEqual([]);
  expect(found).toBeGreaterThan(130);
});

it("reads rare words by the index of words, and the ends of the company's key", async () => {
  const { reads, found } = await readsOf("quux");

  expect([reads, found]).toEqual([
    ["Bitmap Index Scan by goods_filters_idx", "Index Only Scan by goods_pkey"],
    0,
  ]);
});

it("ends a common word where the room ends", async () => {
  expect((await readsOf(COMMON_WORD)).found).toBeGreaterThanOrEqual(500);
});
