import pg from "pg";
import { createTestDatabase, type TestDatabase } from "../support/database.js";

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const GOODS: readonly (readonly [name: string, sku: string, keyword: string])[] = [
  ["Espresso", "A-B12", "es presso"],
  ["iPhone 12 Pro", "AB-1234", "12ab"],
  ["A1B2C3", "x1", "b52"],
  [`${"a".repeat(70)}12`, "é-9", "a-1"],
  ["12ab 7", "7", "seven"],
  ["Coca-Cola 0,5 l", "#12", "cocacola"],
  ["", "--", "none"],
  ["Big cup", "BC-0012", "AB1299"],
];
const TEXTS = [
  ...["es presso", "espresso", "espr", "iphone12", "iphone 1", "iphone12p", "iphone12pro", "ab1", "ab12"],
  ...["ab-12", "ab 12", "a b12", "a-b12", "a1b", "a1b2c3", "a1 b2", "12ab", "12a", "12", "7", "cocacola"],
  ...["coca", "coca cola05l", "cocacola 0", "é9", "x1", "x 1", "bigcup", "b igcup", "bc001", "#12", "b1"],
  ...[`${"a".repeat(70)}12`, "a".repeat(70), "espreso", "iphone13"],
];

/** The words of the goods, and the queries of the texts: whole, by words of names and their beginnings, by words, by beginnings, and like words. */
const FOUND = `
  WITH goods AS (
    SELECT place, good_words_of(7, g[1], '', g[2], ARRAY[g[3]], ARRAY[g[2] || '5']) AS words
      FROM unnest($1::int[]) AS place, LATERAL (SELECT ($2::text[])[place * 3 + 1:place * 3 + 3] AS g) AS good),
  queries AS MATERIALIZED (
    SELECT query, sought_query(query) AS sought
      FROM unnest($3::text[]) AS sought_text,
           LATERAL (VALUES (search_whole(7, sought_text)), (search_query(7, sought_text, '.', false)),
                           (search_query(7, sought_text, '.', true)),
                           (search_query(7, sought_text, ':', false)), (search_query(7, sought_text, ':', true)),
                           (like_words(7, sought_text))) AS asked (query)
     WHERE query IS NOT NULL)
  SELECT count(*) FILTER (WHERE words @@ query)::int AS found,
         count(*) FILTER (WHERE words @@ query AND NOT sought_words(words) @@ sought)::int AS lost
    FROM goods, queries`;

it("finds by the words of the index whatever the words of the goods find", async () => {
  const places = GOODS.map((_, place) => place);

  const { rows } = await client.query(FOUND, [places, GOODS.flat(), TEXTS]);

  expect(rows).toEqual([{ found: expect.any(Number), lost: 0 }]);
  expect(rows[0].found).toBeGreaterThan(100);
});

it("has each word once in the index, and leaves out what follows from other words", async () => {
  const { rows } = await client.query(
    "SELECT tsvector_to_array(sought_words(good_words_of(7, 'Iron A9', '', 'AB-1234', ARRAY['iron', 'x-y5'], '{}'))) AS words",
  );

  expect(rows[0].words).toEqual([
    ...["7.#9", "7.a", "7.iron"],
    ...["7:#1234", "7:#5", "7:#xy5", "7:ab", "7:x", "7:y"],
    expect.stringMatching(/^7=/u),
  ]);
});

it("has a name of one word as a whole, too, since very many goods may have the word", async () => {
  const { rows } = await client.query(`
    SELECT tsvector_to_array(sought_words(good_words_of(7, 'Espresso', '', 'A7', '{}', '{}'))) AS words,
           sought_query(search_whole(7, 'espresso'))::text AS name, sought_query(search_whole(7, 'a7'))::text AS code,
           '7=' || whole_block('espresso') AS block`);
  const { words, name, code, block } = rows[0];

  expect(words).toEqual(["7.espresso", "7:#7", "7:a", block]);
  expect(name).toBe(`'${block}'`);
  expect(code).toContain("'7:#a7'");
});
