import { compileRead, type ReadQuery } from "../../src/engine/reads/compile-read.js";
import { MODEL_TABLES, type Table } from "../../src/engine/reads/model-tables.js";
import { compileKnownRead } from "../../src/engine/reads/reads-of-one.js";

const [GOOD, CART] = ["Good", "Cart"].map((model) => MODEL_TABLES.get(model)) as [Table, Table];
const SELECT = Object.freeze({ id: true, companyId: true });
const OF_ONE = { companyId: 1, id: 2, deletedAt: null };
const one = (where: object, further: object = {}): ReadQuery => ({
  take: 1,
  where,
  select: SELECT,
  ...further,
});

const QUERIES: readonly (readonly [what: string, table: Table, query: ReadQuery])[] = [
  ["the same with other values", GOOD, one({ companyId: 3, id: 4, deletedAt: null })],
  [
    "the same with the largest integers",
    GOOD,
    one({ companyId: 2_147_483_647, id: -2_147_483_648, deletedAt: null }),
  ],
  ["one condition fewer", GOOD, one({ companyId: 3, id: 4 })],
  ["one condition more", GOOD, one({ ...OF_ONE, type: 5 })],
  ["the conditions in another order", GOOD, one({ id: 4, companyId: 3, deletedAt: null })],
  ["a value in the place of null", GOOD, one({ companyId: 3, id: 4, deletedAt: new Date(0) })],
  ["null in the place of a value", GOOD, one({ companyId: 3, id: null, deletedAt: null })],
  ["an operator", GOOD, one({ companyId: 3, id: { gt: 4 }, deletedAt: null })],
  ["a condition that is not given", GOOD, one({ companyId: 3, id: 4, deletedAt: undefined })],
  ["a number that is no integer", GOOD, one({ companyId: 3, id: 4.5, deletedAt: null })],
  ["a number beyond integers", GOOD, one({ companyId: 3, id: 2_147_483_648, deletedAt: null })],
  ["a text", GOOD, one({ companyId: 3, id: "4", deletedAt: null })],
  ["an order", GOOD, one(OF_ONE, { orderBy: { id: "desc" } })],
  ["rows passed over", GOOD, one(OF_ONE, { skip: 1 })],
  ["a clause of Prisma's own", GOOD, one(OF_ONE, { cursor: { id: 1 } })],
  ["two rows", GOOD, one(OF_ONE, { take: 2 })],
  ["all columns", GOOD, one(OF_ONE, { select: undefined })],
  ["another table", CART, one({ companyId: 3, id: 4 })],
];

it.each(QUERIES)("compiles %s as if nothing had been compiled before", (_, table, query) => {
  const first = compileKnownRead(GOOD, one(OF_ONE));

  expect(first).toEqual(compileRead(GOOD, one(OF_ONE)));
  expect(compileKnownRead(table, query)).toEqual(compileRead(table, query));
  expect(compileKnownRead(GOOD, one(OF_ONE))).toEqual(first);
});

it("has one text for all reads of a selection that differ in their values alone", () => {
  const texts = [2, 3].map((id) => compileKnownRead(GOOD, one({ ...OF_ONE, id })));

  expect(texts.map((read) => read?.values)).toEqual([
    [1, 2],
    [1, 3],
  ]);
  expect(texts[0]?.text).toBe(texts[1]?.text);
});

it("keeps nothing of a selection that may change", () => {
  const select: Record<string, true> = { id: true };
  const before = compileKnownRead(GOOD, one(OF_ONE, { select }));
  select["name"] = true;

  expect(compileKnownRead(GOOD, one(OF_ONE, { select }))?.text).not.toBe(before?.text);
});
