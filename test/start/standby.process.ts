import pg from "pg";
import { startPair, until, type Pair } from "../support/replica.js";
import { cleanUp, makeDataDirectory, startService, stopServices } from "../support/service-process.js";

let pair: Pair;

beforeAll(async () => {
  pair = await startPair();
});
afterAll(async () => {
  await cleanUp();
  await pair.stop();
});

it("does not start where DATABASE_URL leads to a standby, and says so", async () => {
  const { host, pathname } = new URL(pair.replicaUrl);
  const database = `database ${pathname.slice(1)} on ${host}`;
  const alone: Record<string, string> = { DATABASE_URL: pair.replicaUrl };
  const services = await Promise.all(
    [alone, { ...alone, DATABASE_DIRECT_URL: pair.ownerUrl }].map(async (env) =>
      startService({ DATA_DIR: await makeDataDirectory(), ...env }),
    ),
  );

  const ends = await Promise.all(services.map(async (one) => [await one.exited, one.output()]));

  const message =
    `DATABASE_URL leads to a server that takes no writes, since it is a standby (${database}): it has to lead to the primary, ` +
    "or name all servers that may be it, such as postgresql://user@one,two/database.\n";
  expect(ends).toEqual([
    [1, message],
    [1, message],
  ]);
});

it("does not start where sessions of DATABASE_URL only read, and says so", async () => {
  const url = new URL(pair.url);
  url.searchParams.set("options", "-c default_transaction_read_only=on");
  const service = startService({ DATA_DIR: await makeDataDirectory(), DATABASE_URL: url.href });

  expect(await service.exited).toBe(1);
  expect(service.output()).toMatch(
    /^DATABASE_URL leads to a server that takes no writes, since default_transaction_read_only is on there \([^\n]+\n$/u,
  );
});

it("waits for a standby that is about to become the primary", async () => {
  const client = new pg.Client({ connectionString: pair.replicaUrl });
  await client.connect();
  const sessions = async (): Promise<number> => {
    const { rows } = await client.query<{ sessions: number }>(
      "SELECT sessions::int FROM pg_stat_database WHERE datname = current_database()",
    );
    return rows[0]?.sessions ?? 0;
  };
  const before = await sessions();
  const service = startService({ DATA_DIR: await makeDataDirectory(), DATABASE_URL: pair.replicaUrl });
  await until(async () => (await sessions()) > before);

  await pair.promoteReplica();

  const { status } = await fetch(`${await service.ready}/readyz`);
  await stopServices();
  await client.end();
  expect(status).toBe(200);
});
