import pg from "pg";
import { sqlObjectsOfSources } from "../../src/engine/migrations/create-migration.js";
import { derivedSources } from "../../src/engine/migrations/derived-sources.js";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";
import { readMigrations } from "../../src/engine/migrations/migration-files.js";
import { prepareDatabase } from "../../src/engine/migrations/service-role.js";
import { compareSqlObjects, readSqlObjects } from "../../src/engine/migrations/sql-objects.js";
import { createEmptyDatabase, type TestDatabase } from "../support/database.js";
import { dataOf, startGateway } from "../support/gateway.js";
import { sharedSchema } from "../support/schema.js";
import { readReleasedDatabase, restoreReleasedDatabase } from "./released-database.js";

const released = readReleasedDatabase();
/** Tables that migrations may empty: the service fills them by itself. */
const BOOKKEEPING: ReadonlySet<string> = new Set(["row_counts"]);

describe("the database of the last release", () => {
  let database: TestDatabase;
  let client: pg.Client;
  const cards: RedeemedCard[] = [];

  beforeAll(async () => {
    database = await createEmptyDatabase();
    const migrations = (await readMigrations()).filter(({ name }) => name in released.migrations);
    await applyMigrations(database.url, { migrations });
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await restoreReleasedDatabase(client, released);
    cards.push(...(await redeemGiftCards(client)));
    await prepareDatabase(database.url, { serviceRole: new URL(database.serviceUrl).username });
  }, 120_000);

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it("was made by migrations that nobody has changed since", async () => {
    const now = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]));

    const changed = Object.entries(released.migrations).filter(
      ([name, checksum]) => now.get(name) !== checksum,
    );

    expect(changed).toEqual([]);
    expect(now.size).toBeGreaterThanOrEqual(Object.keys(released.migrations).length);
  });

  it("is led to what the schema and the sources say", async () => {
    const sources = await sqlObjectsOfSources(database.url, derivedSources(sharedSchema().schema));

    expect(compareSqlObjects(await readSqlObjects(client), sources)).toEqual([]);
  });

  it("keeps its rows", async () => {
    const tables = Object.keys(released.rows).filter((table) => !BOOKKEEPING.has(table));
    const lost: string[] = [];
    for (const table of tables) {
      const before = (JSON.parse(released.rows[table] ?? "[]") as unknown[]).length;
      const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM "${table}"`);
      if ((rows[0]?.count ?? 0) < before) lost.push(table);
    }

    expect(tables.length).toBeGreaterThan(40);
    expect(lost).toEqual([]);
  });

  it("is served, and goes on", async () => {
    const gateway = await startGateway({ on: { url: database.serviceUrl, ownerUrl: database.url } });
    const [first] = JSON.parse(released.rows["companies"] ?? "[]") as { id: number; name: string }[];

    const companies = await gateway.platform.rest("GET", "/companies");
    const goods = await gateway.platform.rest("GET", `/companies/${first?.id}/goods?per_page=200`);
    const added = await gateway.platform.rest("POST", `/companies/${first?.id}/coupons`, {
      body: { name: "Later", type: "personal", total_count: 1, price_e2: 100 },
    });

    expect((companies.body as { name: string }[]).map(({ name }) => name)).toContain(first?.name);
    expect((goods.body as unknown[]).length).toBeGreaterThan(0);
    expect(added.status).toBe(201);
    await gateway.close();
  });

  it("gives back the codes of gift cards that the last release redeemed, each by its own movement", async () => {
    const gateway = await startGateway({ on: { url: database.serviceUrl, ownerUrl: database.url } });
    const run = async (text: string) => dataOf(await gateway.platform.run(text));

    const shown: unknown[] = [];
    for (const { movementId } of cards) {
      const { balanceMovement } = await run(
        `{ balanceMovement(companyId: ${CARDS.companyId}, id: ${movementId}) { use { code } } }`,
      );
      shown.push(balanceMovement);
    }
    await run(
      `mutation { reverseBalanceMovement(companyId: ${CARDS.companyId}, movementId: ${cards[1]?.movementId}) { id } }`,
    );
    const free = await client.query(
      `SELECT c.code, r.returned_at IS NOT NULL AS "isReturned" FROM coupon_codes c
         JOIN coupon_redemptions r ON r.company_id = c.company_id AND r.coupon_id = c.coupon_id AND r.code = c.code
        WHERE c.company_id = $1 AND c.coupon_id = $2 AND c.used_at IS NULL`,
      [CARDS.companyId, CARDS.couponId],
    );

    expect(shown).toEqual(cards.map(({ code }) => ({ use: { code } })));
    const other = client.query("UPDATE coupon_redemptions SET movement_id = 1 WHERE movement_id = $1", [
      cards[0]?.movementId,
    ]);
    await expect(other).rejects.toThrow();
    expect(free.rows).toEqual([{ code: cards[1]?.code, isReturned: true }]);
    await gateway.close();
  });
});

interface RedeemedCard {
  readonly code: string;
  readonly movementId: string;
}

/** The demo data's gift card. */
const CARDS = { companyId: 1, couponId: 6 };
/** Who redeems a code each: a client, twice, an account of an admin, and another client. */
const HOLDERS = [
  ["client", 1],
  ["client", 1],
  ["account", 1],
  ["client", 2],
] as const;

/** Redeems codes by the function of the last release. The moments of movements are later than those of uses: the clock was behind. */
async function redeemGiftCards(client: pg.Client): Promise<RedeemedCard[]> {
  const redeemed: RedeemedCard[] = [];
  for (const [place, [type, key]] of HOLDERS.entries()) {
    const { rows } = await client.query<{ outcome: string; code: string }>(
      `SELECT r.outcome, code.code
         FROM (SELECT id, code FROM coupon_codes WHERE company_id = $1 AND coupon_id = $2 ORDER BY id OFFSET $3 LIMIT 1) AS code,
              coupons AS c,
              LATERAL redeem_gift_card($1, $2, code.id, code.code, CASE WHEN $4 = 'client' THEN $5::int END, $4, $5::int, 'USD',
                NULL, date_trunc('milliseconds', clock_timestamp()) - $3::int * interval '1 second', c.updated_at) AS r
        WHERE c.company_id = $1 AND c.id = $2`,
      [CARDS.companyId, CARDS.couponId, place, type, key],
    );
    expect(rows[0]?.outcome).toBe("redeemed");
    const { rows: ids } = await client.query<{ id: string }>(
      "SELECT max(id)::text AS id FROM balance_movements",
    );
    redeemed.push({ code: rows[0]?.code ?? "", movementId: ids[0]?.id ?? "" });
  }
  return redeemed;
}
