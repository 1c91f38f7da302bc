import pg from "pg";
import { createTestDatabase, type TestDatabase } from "../support/database.js";

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    INSERT INTO companies (id, name, email, domain, expires_at, folder_name, strings_json, styles_json, default_iso_lang, country_iso)
    VALUES (7, 'A', 'a@a.example', 'a.example', now(), 'a', '{}', '{}', 'en', 'US');
    INSERT INTO cities (company_id, id, name) SELECT 7, id, 'Town' FROM unnest('{1,2,7,9}'::int[]) AS id`);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});
beforeEach(() => client.query("BEGIN"));
afterEach(() => client.query("ROLLBACK"));

const post = (amounts: number[]) =>
  client.query<{ outcome: string; id: string }>(
    `SELECT outcome, (movement).id FROM post_movements(7, $1, $2, $3, $4, $5, array_fill(NULL::bigint, ARRAY[$6::int]),
       'Words', NULL, NULL, NULL, NULL, now())`,
    [
      amounts.map((_, n) => (n === 0 ? "company" : "city")),
      amounts.map(() => 7),
      amounts.map(() => "USD"),
      amounts,
      amounts.map(() => (amounts.length === 1 ? "adjustment" : "transfer")),
      amounts.length,
    ],
  );

it.each([
  "UPDATE balance_movements SET amount_e2 = 6, final_balance_e2 = 6",
  "UPDATE balance_movements SET description = 'Other'",
  "DELETE FROM balance_movements",
  "TRUNCATE balance_movements",
  "TRUNCATE balance_holders CASCADE",
])("refuses %s, even by a superuser", async (statement) => {
  await post([5]);

  await expect(client.query(statement)).rejects.toMatchObject({ code: "23001" });
});

it("lets the role of the service post by the function alone", async () => {
  await post([5]);
  await client.query("SET LOCAL ROLE commerce_test_service");
  const forgeries = [
    `INSERT INTO balance_movements SELECT * FROM balance_movements`,
    "UPDATE balance_movements SET amount_e2 = 6",
    "DELETE FROM balance_movements",
    "UPDATE balance_holders SET balance_e2 = 6",
  ];

  for (const forgery of forgeries) {
    await client.query("SAVEPOINT forgery");
    await expect(client.query(forgery)).rejects.toMatchObject({ code: "42501" });
    await client.query("ROLLBACK TO forgery");
  }
  const { rows } = await post([4, -4]);

  expect(rows.map(({ outcome }) => outcome)).toEqual(["posted", "posted"]);
});

it("is not led astray by a role's own tables", async () => {
  await client.query(`
    CREATE TEMP TABLE balance_holders AS SELECT * FROM public.balance_holders;
    CREATE TEMP TABLE balance_movements AS SELECT * FROM public.balance_movements`);

  await post([5]);

  const { rows } = await client.query("SELECT count(*)::int AS count FROM public.balance_movements");
  expect(rows).toEqual([{ count: 2 }]);
});

it("refuses sides that do not sum to zero", async () => {
  await expect(post([5, -4])).rejects.toThrow(/^movement \d+ and its counterpart do not sum to zero$/u);
});

it("keeps a holder that is named twice right", async () => {
  const { rows } = await client.query<{ number: number; initial: string; final: string; other: string }>(
    `SELECT (movement).number, (movement).initial_balance_e2 AS initial, (movement).final_balance_e2 AS final,
            (movement).counterpart_final_e2 AS other
       FROM post_movements(7, '{company,city,city,company}', '{7,1,2,7}', '{USD,USD,USD,USD}', '{-5,5,-3,3}',
         '{transfer,transfer,transfer,transfer}', '{NULL,NULL,NULL,NULL}', '', NULL, NULL, NULL, NULL, now())`,
  );

  expect(rows).toEqual([
    { number: 1, initial: "0", final: "-5", other: "5" },
    { number: 1, initial: "0", final: "5", other: "-5" },
    { number: 1, initial: "0", final: "-3", other: "-2" },
    { number: 2, initial: "-5", final: "-2", other: "-3" },
  ]);
});

it("gives movements of a holder moments that never go back", async () => {
  const at = async (moment: string) => {
    const { rows } = await client.query<{ at: Date }>(
      `SELECT (movement).created_at AS at FROM write_movements(7, '{city}', '{9}', '{USD}', '{1}', '{adjustment}', '{NULL}', '',
         NULL, NULL, NULL, NULL, $1)`,
      [moment],
    );
    return rows[0]?.at.toISOString();
  };

  expect([await at("2026-01-02T00:00:00Z"), await at("2026-01-01T00:00:00Z")]).toEqual([
    "2026-01-02T00:00:00.000Z",
    "2026-01-02T00:00:00.000Z",
  ]);
});
