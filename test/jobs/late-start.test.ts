import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createGeneratingCoupon } from "../support/coupons.js";
import { createCompany } from "../support/factories.js";
import { startTestWorker } from "../support/jobs.js";
import { startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let owner: pg.Client;
beforeEach(async () => {
  gateway = await startGateway({ own: "database" });
  owner = new pg.Client({ connectionString: gateway.ownerUrl });
  await owner.connect();
});
afterEach(async () => {
  await owner.end();
  await gateway.close();
});

const allowConnections = (isAllowed: boolean) =>
  owner.query(`UPDATE pg_database SET datallowconn = ${isAllowed} WHERE datname = current_database()`);

it("does jobs although the database let no worker in when it started", async () => {
  const { id: companyId } = await createCompany(gateway);
  const coupon = await createGeneratingCoupon(gateway, companyId, { totalCount: 10 });
  await allowConnections(false);

  const worker = await startTestWorker(gateway.url);
  await allowConnections(true);

  const where = { companyId_id: { companyId, id: coupon.id } };
  while ((await gateway.db.coupon.findUniqueOrThrow({ where })).status !== "running") await sleep(50);
  await worker.stop();
}, 30_000);

it("stops while it still tries to start", async () => {
  await allowConnections(false);
  const worker = await startTestWorker(gateway.url);

  await worker.stop();

  await allowConnections(true);
}, 30_000);
