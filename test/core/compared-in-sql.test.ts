import { comparedInSql } from "../../src/core/lists/compared-in-sql.js";
import { sql } from "../../src/core/db/sql.js";

const COLUMN = sql`c`;

it.each<[string, object | null, string[], unknown[]]>([
  ["no comparison", null, [], []],
  ["null, which asks for nothing", { eq: null }, [], []],
  ["equality", { eq: 5 }, ["c = ?::int"], [5]],
  ["inequality, which null meets", { ne: 5 }, ["c IS DISTINCT FROM ?::int"], [5]],
  ["a range", { gte: 1, lt: 9 }, ["c >= ?::int", "c < ?::int"], [1, 9]],
  ["one of several", { in: [1, 2] }, ["c = ANY (?::int[])"], [[1, 2]]],
  ["one of none, which nothing is", { in: [] }, ["c = ANY (?::int[])"], [[]]],
  ["none of several, which null is", { nin: [1] }, ["(c = ANY (?::int[])) IS NOT TRUE"], [[1]]],
  ["null", { isNull: true }, ["c IS NULL"], []],
  ["anything but null", { isNull: false }, ["c IS NOT NULL"], []],
])("writes %s", (_name, comparison, texts, values) => {
  const conditions = comparedInSql(COLUMN, "int", comparison as Record<string, unknown> | null);

  expect(conditions.map(({ sql: text }) => text)).toEqual(texts);
  expect(conditions.flatMap((condition) => condition.values)).toEqual(values);
});
