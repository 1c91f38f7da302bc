/**
 * Shows how many uses a second one row bears through one, two and three service processes: one coupon that all use, one event
 * in which every shake wins, and one balance holder. Beside each stands the same in bare SQL, a statement for each use over as many
 * connections as there are requests at once. All of it shares the machine, so the numbers are worth what their ratios are.
 *
 * It exits with 1 when a use was refused, or when one is missing or too many in the database. `--seconds 10` measures longer.
 */
import { parseArgs } from "node:util";
import pg from "pg";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import { startProductionService, type Server } from "../bench/processes.js";
import { prepareEvent } from "../bench/shakes.js";
import { prepareUses } from "../bench/uses-dataset.js";
import { SECRET } from "../bench/secret.js";
import { Door, type Answer } from "./door.js";
import { ProvingGround } from "./proving-ground.js";

const PROCESSES = 3;
const AT_ONCE = 16;
const WARM_UP_MS = 3_000;
const PLAYERS = 60_000;

const { values } = parseArgs({ options: { seconds: { type: "string", default: "5" } } });
const measuredMs = Number(values.seconds) * 1_000;

/** One row that all uses want. */
interface Hottest {
  readonly name: string;
  /** Sends the next use to a process. */
  use(door: Door): Promise<Answer>;
  /** The same as one statement. */
  readonly bare: string;
  bareValues(): unknown[];
  /** How many uses the database has. */
  readonly counted: string;
}

const ground = await ProvingGround.start("hottest");
await ground.judge(async () => {
  const pool = new pg.Pool({ connectionString: ground.url, max: AT_ONCE });
  // Sessions end a moment after their pool, some of them with the server.
  pool.on("error", () => undefined);
  const servers = await Promise.all(Array.from({ length: PROCESSES }, startService));
  try {
    return await prove(pool, servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await pool.end();
  }
});

async function prove(pool: pg.Pool, servers: readonly Server[]): Promise<boolean> {
  const doors = servers.map(({ url }) => new Door(url));
  const table: Record<string, Record<string, number | string>> = {};
  let isRight = true;
  for (const hottest of await hottestRows(pool)) {
    const before = await count(pool, hottest);
    let done = 0;
    let refused = 0;
    const through = async (some: readonly Door[], milliseconds: number): Promise<number> => {
      let turn = 0;
      return rate(milliseconds, async () => {
        const { codes } = await hottest.use(some[turn++ % some.length] as Door);
        if (codes.length === 0) done += 1;
        else refused += 1;
      });
    };
    const bare = (milliseconds: number): Promise<number> =>
      rate(milliseconds, async () => {
        const values = hottest.bareValues();
        const { rowCount } = await pool.query({ name: hottest.name, text: hottest.bare, values });
        // A movement has two sides, each a row.
        if (rowCount !== null && rowCount > 0) done += 1;
        else refused += 1;
      });
    await through(doors, WARM_UP_MS);
    await bare(WARM_UP_MS);
    const row: Record<string, number | string> = {};
    for (let many = 1; many <= PROCESSES; many += 1)
      row[`${many} process${many === 1 ? "" : "es"}`] = Math.round(
        await through(doors.slice(0, many), measuredMs),
      );
    row["bare SQL"] = Math.round(await bare(measuredMs));
    row["ratio of one"] = (Number(row["1 process"]) / Number(row["bare SQL"])).toFixed(2);
    row["ratio of three"] = (Number(row["3 processes"]) / Number(row["bare SQL"])).toFixed(2);
    const missing = done - ((await count(pool, hottest)) - before);
    row["refused"] = refused;
    row["missing"] = missing;
    table[hottest.name] = row;
    process.stderr.write(`${hottest.name}: ${JSON.stringify(row)}\n`);
    isRight &&= refused === 0 && missing === 0;
  }
  for (const door of doors) door.close();
  console.table(table);
  return isRight;
}

/** Does work so many times at once for a while. @returns how many times a second it was done. */
async function rate(milliseconds: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  let times = 0;
  const one = async (): Promise<void> => {
    while (performance.now() - start < milliseconds) {
      await work();
      times += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return (times * 1_000) / (performance.now() - start);
}

async function count(pool: pg.Pool, { counted }: Hottest): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(counted);
  return rows[0]?.count ?? 0;
}

async function hottestRows(pool: pg.Pool): Promise<Hottest[]> {
  const client = await pool.connect();
  try {
    const keys = createTokenKeys({ secret: SECRET });
    const platform = await issueAccessToken(keys, { kind: "platform" });
    const { companyId, hot, makeOrders } = await prepareUses(client);
    const [coupon] = hot;
    if (coupon === undefined) throw new Error("no coupon");
    const orders = (await makeOrders()).all();
    const nextOrder = (): number => orders.next().value as number;
    const event = await prepareEvent(client, { clients: PLAYERS, winRate: 1 });
    const players = event.tokens.values();
    const { rows: clients } = await client.query<{ id: number }>(
      "SELECT id FROM clients WHERE company_id = $1 ORDER BY id",
      [event.companyId],
    );
    const { rows: prizes } = await client.query<{ id: number }>(
      "SELECT company_event_id AS id FROM company_event_prizes WHERE company_id = $1",
      [event.companyId],
    );
    const { rows: holders } = await client.query<{ id: number }>(
      "INSERT INTO clients (company_id, name) VALUES ($1, 'Holder') RETURNING id",
      [companyId],
    );
    const [eventId, holder] = [prizes[0]?.id ?? 0, holders[0]?.id ?? 0];
    return [
      {
        name: "one coupon",
        use: (door) =>
          door.run(
            platform,
            "mutation ($companyId: Int!, $input: ConsumeCouponInput!) { consumeCoupon(companyId: $companyId, input: $input) { id } }",
            { companyId, input: { code: coupon.code, orderId: nextOrder() } },
          ),
        bare: `WITH taken AS (
            UPDATE coupons SET spent_count = spent_count + 1, spent_amount_e2 = spent_amount_e2 + 100
             WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL AND status = 'running'
               AND spent_count + held_count < total_count RETURNING company_id, id)
          INSERT INTO coupon_redemptions (company_id, coupon_id, code, client_id, order_id, amount_e2, created_at)
          SELECT t.company_id, t.id, $3, o.client_id, o.id, 100, now() FROM taken t JOIN orders o ON o.company_id = $1 AND o.id = $4`,
        bareValues: () => [companyId, coupon.id, coupon.code, nextOrder()],
        counted: `SELECT spent_count::int AS count FROM coupons WHERE company_id = ${companyId} AND id = ${coupon.id}`,
      },
      {
        name: "one event, every shake wins",
        use: (door) =>
          door.run(
            players.next().value as string,
            "mutation ($companyId: Int!) { shake(companyId: $companyId) { won code } }",
            { companyId: event.companyId },
          ),
        bare: `WITH taken AS (
            UPDATE company_event_prizes SET won_count = won_count + 1
             WHERE company_id = $1 AND company_event_id = $2 AND place = 0 AND won_count < max_count RETURNING won_count)
          INSERT INTO company_event_players (company_id, company_event_id, client_id, draw_count, won_at)
          SELECT $1, $2, $3, 1, now() FROM taken`,
        bareValues: () => [event.companyId, eventId, clients.pop()?.id],
        counted: `SELECT won_count::int AS count FROM company_event_prizes WHERE company_event_id = ${eventId} AND company_id = ${event.companyId}`,
      },
      {
        name: "one balance holder",
        use: (door) =>
          door.run(
            platform,
            "mutation ($companyId: Int!, $input: AdjustBalanceInput!) { adjustBalance(companyId: $companyId, input: $input) { id } }",
            { companyId, input: { type: "client", key: holder, amountE2: 1 } },
          ),
        bare: `SELECT FROM post_movements($1::int, ARRAY['client'], ARRAY[$2::int], ARRAY['USD'], ARRAY[1::bigint],
            ARRAY['adjustment'], ARRAY[NULL::bigint], '', NULL, NULL, NULL, NULL, now())`,
        bareValues: () => [companyId, holder],
        counted: `SELECT count(*)::int AS count FROM balance_movements
            WHERE company_id = ${companyId} AND holder_type = 'client' AND holder_key = ${holder}`,
      },
    ];
  } finally {
    client.release();
  }
}

function startService(): Promise<Server> {
  const pool = { DATABASE_POOL_SIZE: String(AT_ONCE) };
  return startProductionService(ground.url, { ...pool, JOBS: "off", LOG_LEVEL: "fatal" });
}
