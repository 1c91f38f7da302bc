import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startTestWorker } from "../support/jobs.js";
import { createGeneratingCoupon } from "../support/coupons.js";
import { createCompany } from "../support/factories.js";
import { startGateway } from "../support/gateway.js";
import { cleanUp, makeDataDirectory, startService } from "../support/service-process.js";

const COUPONS = 3;

it("does jobs again once the database is back", async () => {
  const arranging = await startGateway({ own: "database" });
  const { id: companyId } = await createCompany(arranging);
  const client = new pg.Client({ connectionString: arranging.url });
  await client.connect();
  for (let n = 0; n < COUPONS; n += 1) {
    await createGeneratingCoupon(arranging, companyId, { totalCount: 30_000 });
  }
  const worker = await startTestWorker(arranging.url);
  for (let n = 0; n < 3; n += 1) {
    await sleep(200 + Math.random() * 300);
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()",
    );
  }

  const running = "SELECT count(*)::int AS n FROM coupons WHERE company_id = $1 AND status = 'running'";
  while ((await client.query<{ n: number }>(running, [companyId])).rows[0]?.n !== COUPONS) await sleep(100);

  const { rows } = await client.query<{ n: number }>(
    "SELECT count(DISTINCT code)::int AS n FROM coupon_codes WHERE company_id = $1 GROUP BY coupon_id",
    [companyId],
  );
  expect(rows.map(({ n }) => n)).toEqual(Array(COUPONS).fill(30_000));
  await worker.stop();
  await client.end();
  await arranging.close();
  // A job that lost its connection three times is tried again after half a minute.
});

it("says nothing of connections that it loses while the process stops", async () => {
  const arranging = await startGateway({ own: "database" });
  const { id: companyId } = await createCompany(arranging);
  const coupon = await createGeneratingCoupon(arranging, companyId, { totalCount: 500_000 });
  const where = { companyId_id: { companyId, id: coupon.id } };
  const made = async () => (await arranging.db.coupon.findUniqueOrThrow({ where })).generatedCount;
  const service = startService({
    DATABASE_URL: arranging.url,
    DATA_DIR: await makeDataDirectory(),
    // A busy machine has slow statements, which warn too.
    SLOW_STATEMENT_MS: "0",
  });
  await service.ready;
  while ((await made()) === 0) await sleep(30);

  // The job waits for this lock with a connection of its own, so the process stops while it has one to lose.
  const locker = await arranging.database.pool.connect();
  await locker.query("BEGIN");
  await locker.query("LOCK TABLE coupon_codes IN SHARE MODE");
  service.kill("SIGTERM");
  while (!service.output().includes('"stopping"')) await sleep(5);
  const { rowCount } = await locker.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()",
  );
  await locker.query("ROLLBACK");
  locker.release();

  expect(rowCount).toBeGreaterThan(0);
  expect(await service.exited).toBe(0);
  expect(service.output().match(/"level":[456]0.*/gu)).toBeNull();
  await cleanUp();
  await arranging.close();
});
