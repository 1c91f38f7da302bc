import assert from "node:assert";
import { join } from "node:path";
import { startEmbeddedPostgres } from "../../src/engine/embedded-postgres/embedded-postgres.js";
import { readPostmaster } from "../../src/engine/embedded-postgres/orphan.js";
import { createTestDatabase } from "../support/database.js";
import { createCompany } from "../support/factories.js";
import { startGateway } from "../support/gateway.js";
import { until } from "../support/replica.js";
import { cleanUp, makeDataDirectory, startService, stopServices } from "../support/service-process.js";

afterAll(cleanUp);

it("reads no replica that is another database or is away, and says of each once why, also where it answered too late at first", async () => {
  const database = await createTestDatabase();
  const other = await createTestDatabase();
  const directory = await makeDataDirectory();
  const stranger = await startEmbeddedPostgres({ directory, durable: false });
  const postmaster = await readPostmaster(join(directory, "data"));
  assert(postmaster !== null);
  const gateway = await startGateway({ on: { url: database.serviceUrl, ownerUrl: database.url } });
  const { id } = await createCompany(gateway);
  const away = "postgresql://nobody@127.0.0.1:1/commerce";
  const replicas = [database.serviceUrl, other.serviceUrl, stranger.url, away];
  const [own, foreign, strange] = replicas.map((url) => new URL(url)).map((url) => url.host + url.pathname);
  const isRead = `the replica ${own} is read from now on`;
  const isStrange = `the replica ${strange} is not read: its server is no replica of the primary's server`;
  const isForeign = `the replica ${foreign} is not read: it is another database than that of the primary`;
  const isAway = "the replica 127.0.0.1:1/commerce is not read: connect ECONNREFUSED 127.0.0.1:1";
  process.kill(postmaster.pid, "SIGSTOP");
  const service = startService({
    DATA_DIR: await makeDataDirectory(),
    DATABASE_URL: database.serviceUrl,
    DATABASE_REPLICA_URLS: replicas.join(),
    JOBS: "off",
  });
  const base = await service.ready;
  const said = (): string[] => service.output().match(/the replica [^"]+/gu) ?? [];
  const statuses: number[] = [];
  const read = async (): Promise<void> =>
    void statuses.push((await fetch(`${base}/api/companies/${id}/goods`)).status);

  const saidOfStrange = (): string[] => said().filter((line) => line.includes(String(strange)));
  await until(async () => {
    await read();
    return saidOfStrange().length > 0;
  });
  process.kill(postmaster.pid, "SIGCONT");
  await until(async () => {
    await read();
    return [isRead, isForeign, isStrange, isAway].every((line) => said().includes(line));
  });
  for (let more = 0; more < 20; more += 1) await read();
  await stopServices();
  await gateway.close();
  await stranger.stop();
  await other.drop();
  await database.drop();

  expect(new Set(statuses)).toEqual(new Set([200]));
  for (const lasting of [isForeign, isStrange, isAway])
    expect(said().filter((line) => line === lasting)).toHaveLength(1);
  expect(saidOfStrange()).toEqual([
    expect.stringContaining(`the replica ${strange} is not read: `),
    isStrange,
  ]);
});
