import pg from "pg";
import { startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let client: pg.Client;
beforeAll(async () => {
  gateway = await startGateway();
  client = new pg.Client({ connectionString: gateway.ownerUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await gateway.close();
});

async function first(statement: string): Promise<unknown> {
  const { rows } = await client.query<unknown[]>({ text: statement, rowMode: "array" });
  return rows[0]?.[0];
}

describe("folded", () => {
  it("writes each character in lower case without its accents, alone and between others", async () => {
    const strange = await first(`
      SELECT array_agg(character) FROM (
          SELECT chr(point) AS character FROM generate_series(1, 70000) AS point WHERE point NOT BETWEEN 55296 AND 57343
      ) AS characters
       WHERE folded(character) IS DISTINCT FROM lower(unaccent(character))
          OR folded('Ab' || character || 'C') IS DISTINCT FROM lower(unaccent('Ab' || character || 'C'))`);

    expect(strange).toBeNull();
    expect(await first("SELECT folded('ÀÉÎ Straße Øre')")).toBe("aei strasse ore");
    expect(await first("SELECT folded(NULL)")).toBeNull();
  });

  it("is inlined, so that a row that a list passes costs no call of a function in SQL", async () => {
    const { rows } = await client.query("EXPLAIN SELECT FROM goods WHERE folded(details) LIKE '%cup%'");

    const plan = JSON.stringify(rows);
    expect(plan).toContain("lower(details)");
    expect(plan).not.toContain("folded(details)");
  });
});
