import { setTimeout as sleep } from "node:timers/promises";
import { csv, openShop, send, type Shop } from "../imports/imports.js";
import { follow, listen, type Following } from "../jobs/follow.js";
import { createGeneratingCoupon } from "../support/coupons.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, wrongFields, type Gateway } from "../support/gateway.js";

const SHEET = csv(["sku", "name", "price"], ["A-1", "Water", "1.50"]);
const TOMORROW = { send_at: new Date(Date.now() + 86_400_000).toISOString().slice(0, 19).replace("T", " ") };
/** One more than may usually wait. */
const MANY = 21;

let gateway: Gateway;
let boundless: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ own: "database", environment: { QUOTAS: "waiting_jobs=3,streams=2" } });
  boundless = await startGateway({ on: gateway, environment: { QUOTAS: "waiting_jobs=0,streams=0" } });
});
afterEach(() => gateway.db.$executeRaw`DELETE FROM graphile_worker._private_jobs`);
afterAll(async () => {
  // `fetch` opens connections in advance; one over which nothing was asked would be waited for.
  for (const { app } of [gateway, boundless]) app.server.closeAllConnections();
  await boundless.close();
  await gateway.close();
});

/** What the company uses of a quota, as an instance counts it. */
async function usageOf(name: string, { id }: TestCompany, { platform }: Gateway = gateway) {
  const { status, body } = await platform.rest("GET", `/companies/${id}/usage`);
  expect(status).toBe(200);
  return (body as { name: string; used: number; limit: number | null }[]).find((one) => one.name === name);
}

async function untilUsed(used: number, company: TestCompany): Promise<void> {
  while ((await usageOf("streams", company))?.used !== used) await sleep(20);
}

describe("the quota of imports that wait", () => {
  const importsOf = ({ company }: Shop) => gateway.db.importJob.count({ where: { companyId: company.id } });
  const filesOf = ({ company }: Shop) => gateway.db.storedFile.count({ where: { companyId: company.id } });

  it("counts those that are scheduled or queued, and refuses one more, which leaves nothing", async () => {
    const [shop, other] = [await openShop(gateway), await openShop(gateway)];
    for (const parts of [TOMORROW, {}, {}]) expect((await send(shop, SHEET, parts)).status).toBe(202);
    const files = await filesOf(shop);

    const refused = await send(shop, SHEET);

    expect([refused.status, refused.body.code]).toEqual([429, "RATE_LIMITED"]);
    expect(wrongFields(refused.body.errors)).toEqual(["waiting_jobs:quota"]);
    expect([await importsOf(shop), await filesOf(shop)]).toEqual([3, files]);
    expect(await usageOf("waiting_jobs", shop.company)).toEqual({ name: "waiting_jobs", used: 3, limit: 3 });
    expect(await usageOf("waiting_jobs", other.company)).toEqual({ name: "waiting_jobs", used: 0, limit: 3 });
  });

  it("counts none that is done, so that there is room again", async () => {
    const shop = await openShop(gateway);
    for (const parts of [TOMORROW, {}, {}]) await send(shop, SHEET, parts);

    await gateway.runJobs();

    expect(await usageOf("waiting_jobs", shop.company)).toMatchObject({ used: 1 });
    expect((await send(shop, SHEET)).status).toBe(202);
    expect(await usageOf("waiting_jobs", shop.company)).toMatchObject({ used: 2 });
  });

  it("has no limit where that is 0", async () => {
    const shop = await openShop(boundless);
    const statuses = [];
    for (let i = 0; i < MANY; i += 1) statuses.push((await send(shop, SHEET, TOMORROW)).status);

    expect(statuses).toEqual(Array(MANY).fill(202));
    expect(await usageOf("waiting_jobs", shop.company, boundless)).toEqual({
      name: "waiting_jobs",
      used: MANY,
      limit: null,
    });
  });
});

describe("the quota of streams", () => {
  const streams: Following[] = [];
  let base: string;
  beforeAll(async () => {
    base = await listen(gateway);
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.leave();
  });

  /** Follows a job of the company, of which the first event has come. */
  async function opened(company: TestCompany): Promise<Following> {
    const { id } = await createGeneratingCoupon(gateway, company.id, { totalCount: 10 });
    const stream = await follow(base, company.owner, { companyId: company.id, jobId: `coupon-codes-${id}` });
    streams.push(stream);
    await stream.next();
    return stream;
  }

  it("counts those that are open on the instance, and ends the company's oldest for one more", async () => {
    const [company, other] = [await createCompany(gateway), await createCompany(gateway)];
    const [foreign, oldest] = [await opened(other), await opened(company)];
    for (const used of [1, 2]) {
      expect(await usageOf("streams", company)).toEqual({ name: "streams", used, limit: 2 });
      await opened(company);
    }

    expect(await oldest.rest()).toEqual([]);
    expect(await usageOf("streams", company)).toMatchObject({ used: 2 });
    expect(await usageOf("streams", other)).toMatchObject({ used: 1 });
    expect(await usageOf("streams", company, boundless)).toEqual({ name: "streams", used: 0, limit: null });
    foreign.leave();
    await untilUsed(0, other);
  });

  it("gives the place of a stream that is left back", async () => {
    const company = await createCompany(gateway);
    const [left, kept] = [await opened(company), await opened(company)];
    left.leave();
    await untilUsed(1, company);

    await opened(company);

    expect(await usageOf("streams", company)).toMatchObject({ used: 2 });
    kept.leave();
    await untilUsed(1, company);
  });
});
