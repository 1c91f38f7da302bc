import { setTimeout as sleep } from "node:timers/promises";
import { issueAccessToken } from "../../src/core/access/tokens.js";
import type { Coupon } from "../../src/generated/prisma/client.js";
import { createAccount, login, PASSWORD, type Account } from "../auth/accounts.js";
import { createCouponRow, createGeneratingCoupon } from "../support/coupons.js";
import { boundAdmin } from "../bounds/two-shops.js";
import {
  adminWith,
  createBranchGroup,
  createCompany,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { makeKey, UPDATE } from "../api-keys/keys.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { startTestWorker } from "../support/jobs.js";
import { follow, listen, type Following, type Received } from "./follow.js";

const JOB = `query ($companyId: Int!, $id: String!) { job(companyId: $companyId, id: $id) { id state done total } }`;

let gateway: Gateway;
let other: Gateway;
let base: string;
let acme: TestCompany;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  other = await startGateway({ on: gateway });
  base = await listen(gateway);
});
beforeEach(async () => {
  acme = await createCompany(gateway);
});
afterEach(() => gateway.db.$executeRaw`DELETE FROM graphile_worker._private_jobs`);
afterAll(async () => {
  // `fetch` opens connections in advance; one over which nothing was asked would be waited for.
  for (const { app } of [gateway, other]) app.server.closeAllConnections();
  await other.close();
  await gateway.close();
});

const logout = (refreshToken: string) =>
  gateway.anonymous.rest("POST", "/auth/logout", { body: { refresh_token: refreshToken } });

const jobOf = ({ companyId, id }: Pick<Coupon, "companyId" | "id">) => ({
  companyId,
  jobId: `coupon-codes-${id}`,
});

const setCount = ({ companyId, id }: Coupon, generatedCount: number, status = "generating") =>
  gateway.db.coupon.update({
    where: { companyId_id: { companyId, id } },
    data: { generatedCount, status },
  });

/** The numbers of events, which have to rise. */
const counts = (events: readonly Received[]): number[] => events.map(({ data }) => data?.done ?? -1);

const listeners = () => gateway.db.$queryRaw<{ pid: number }[]>`
  SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN job_progress%'`;

async function untilListening(): Promise<void> {
  while ((await listeners()).length === 0) await sleep(20);
}

describe("a stream", () => {
  it("answers HEAD with the headers it would have, and ends", async () => {
    const coupon = await createGeneratingCoupon(gateway, acme.id, { totalCount: 10 });
    const path = `/companies/${acme.id}/jobs/${jobOf(coupon).jobId}/events`;

    const { status, headers, body } = await acme.owner.rest("HEAD", path);
    const unknown = await acme.owner.rest(
      "HEAD",
      `/companies/${acme.id}/jobs/coupon-codes-2000000000/events`,
    );
    const other = await gateway.anonymous.rest("HEAD", path);

    expect([status, headers["content-type"], body]).toEqual([200, "text/event-stream; charset=utf-8", null]);
    expect([unknown.status, other.status]).toEqual([404, 401]);
  });

  it("follows the making of 100,000 codes to its end", async () => {
    const total = 100_000;
    const coupon = await createGeneratingCoupon(gateway, acme.id, { totalCount: total });
    const stream = await follow(base, acme.owner, jobOf(coupon));
    const worker = await startTestWorker(gateway.url);

    const events = await stream.rest();
    await worker.stop();

    expect([stream.status, stream.headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    expect(events[0]).toEqual({ id: "running-0", event: "progress", data: { done: 0, total } });
    expect(events.at(-1)).toEqual({ id: `done-${total}`, event: "done", data: { done: total, total } });
    expect(events.slice(1, -1).every(({ event }) => event === "progress")).toBe(true);
    expect(events.length).toBeGreaterThan(2);
    expect(counts(events)).toEqual([...counts(events)].sort((a, b) => a - b));
    expect(await gateway.db.couponCode.count({ where: { companyId: acme.id } })).toBe(total);
  }, 60_000);

  it("goes on behind the last event, through another instance, and says 204 after the end", async () => {
    const elsewhere = await listen(other);
    const coupon = await createGeneratingCoupon(gateway, acme.id, { totalCount: 30 });
    const cut = await follow(base, acme.owner, jobOf(coupon));
    const seen = await cut.next();
    cut.leave();

    const resumed = await follow(elsewhere, acme.owner, jobOf(coupon), seen?.id);
    await setCount(coupon, 10);
    const next = await resumed.next();
    await gateway.runJobs();
    const last = await resumed.rest();
    const after = await follow(elsewhere, acme.owner, jobOf(coupon), last.at(-1)?.id);
    const fresh = await follow(base, acme.owner, jobOf(coupon));

    expect([seen?.id, next?.id]).toEqual(["running-0", "running-10"]);
    expect(last.at(-1)).toEqual({ id: "done-30", event: "done", data: { done: 30, total: 30 } });
    expect([after.status, await after.rest()]).toEqual([204, []]);
    expect((await fresh.rest()).map(({ event }) => event)).toEqual(["done"]);
  });

  it("carries on by asking when its connection to the database is ended, and listens again", async () => {
    const coupon = await createGeneratingCoupon(gateway, acme.id, { totalCount: 30 });
    const stream = await follow(base, acme.owner, jobOf(coupon));
    await untilListening();
    expect((await stream.next())?.id).toBe("running-0");
    const [before] = await listeners();

    await gateway.db.$queryRaw`SELECT pg_terminate_backend(${before?.pid ?? 0}::int)`;
    await setCount(coupon, 10);

    expect((await stream.next())?.id).toBe("running-10");
    await untilListening();
    expect((await listeners())[0]?.pid).not.toBe(before?.pid);
    await gateway.runJobs();
    expect((await stream.rest()).at(-1)?.id).toBe("done-30");
  });

  it("shares one connection with all others, which is closed with the last of them", async () => {
    const coupon = await createGeneratingCoupon(gateway, acme.id);
    const streams = await Promise.all([1, 2, 3].map(() => follow(base, acme.owner, jobOf(coupon))));
    await untilListening();
    const open = await listeners();

    for (const stream of streams) stream.leave();
    while ((await listeners()).length > 0) await sleep(20);

    expect(open).toHaveLength(1);
  });

  it("says that the job was given up, or that what it was for is gone", async () => {
    const givenUp = await createGeneratingCoupon(gateway, acme.id);
    const deleted = await createGeneratingCoupon(gateway, acme.id);
    await gateway.db.$executeRaw`
      UPDATE graphile_worker._private_jobs SET attempts = max_attempts
       WHERE key = ${`coupon-codes:${acme.id}:${givenUp.id}`}`;

    const first = await follow(base, acme.owner, jobOf(givenUp));
    const second = await follow(base, acme.owner, jobOf(deleted));
    await second.next();
    await acme.owner.rest("DELETE", `/companies/${acme.id}/coupons/${deleted.id}`);

    expect((await first.rest()).map(({ id }) => id)).toEqual(["failed-0"]);
    expect((await second.rest()).map(({ id }) => id)).toEqual(["failed-0"]);
    expect((await follow(base, acme.owner, jobOf(deleted), "failed-0")).status).toBe(404);
  });

  it("ends when the token does, and when the caller may not follow any more", async () => {
    const coupon = await createGeneratingCoupon(gateway, acme.id);
    const principal = { kind: "admin", id: acme.ownerId, companyId: acme.id } as const;
    const token = await issueAccessToken(gateway.keys, principal, new Date(Date.now() - 15 * 60_000 + 4_000));
    const reader = await adminWith(gateway, acme.id, "access_coupons");
    const short = await follow(base, gateway.withToken(token), jobOf(coupon));
    const long = await follow(base, reader, jobOf(coupon));
    await gateway.db.adminTypeRole.deleteMany({ where: { companyId: acme.id } });

    expect((await short.rest()).map(({ id }) => id)).toEqual(["running-0"]);
    expect((await long.rest()).map(({ id }) => id)).toEqual(["running-0"]);
    expect((await follow(base, gateway.withToken(token), jobOf(coupon))).status).toBe(401);
    expect((await follow(base, reader, jobOf(coupon))).status).toBe(403);
  });

  it("ends without a word when what it is for goes beyond the shops of its follower, and says so when it is gone", async () => {
    const coupons = [];
    for (let shops = 0; shops < 2; shops += 1) {
      const { id: branchGroupId } = await createBranchGroup(gateway, acme.id);
      coupons.push(await createGeneratingCoupon(gateway, acme.id, { branchGroupId }));
    }
    const [own, other] = coupons as [Coupon, Coupon];
    const shopOf = ({ branchGroupId }: Coupon): number => branchGroupId as number;
    const bounds = { branchGroupIds: coupons.map(shopOf) };
    const reader = await boundAdmin(gateway, acme.id, bounds, "access_coupons");
    const beyond = await follow(base, reader, jobOf(other));
    const kept = await follow(base, reader, jobOf(own));
    expect([(await beyond.next())?.id, (await kept.next())?.id]).toEqual(["running-0", "running-0"]);

    await gateway.db.adminType.updateMany({
      where: { companyId: acme.id },
      data: { branchGroupIds: [shopOf(own)] },
    });

    expect(await beyond.rest()).toEqual([]);
    expect((await follow(base, reader, jobOf(other), "running-0")).status).toBe(404);
    await acme.owner.rest("DELETE", `/companies/${acme.id}/coupons/${own.id}`);
    expect((await kept.rest()).map(({ id }) => id)).toEqual(["failed-0"]);
  });

  /** Runs a mutation of the owner on an account, which must succeed. */
  const runsOn = async ({ id }: Account, call: string): Promise<void> => {
    dataOf(await acme.owner.run(`mutation ($c: Int!, $id: Int!) { ${call} }`, { c: acme.id, id }));
  };

  it.each([
    ["is revoked", (account: Account) => runsOn(account, "revokeAdminSessions(companyId: $c, adminId: $id)")],
    ["is logged out", (_: Account, refreshToken: string) => logout(refreshToken)],
    [
      "is of an admin who is deleted",
      (account: Account) => runsOn(account, "deleteAdmin(companyId: $c, id: $id) { id }"),
    ],
  ])("ends by itself when its login %s, though the job goes on", async (_, end) => {
    const coupon = await createGeneratingCoupon(gateway, acme.id);
    const account = await createAccount(gateway, acme.id);
    await gateway.db.admin.update({
      where: { companyId_id: { companyId: acme.id, id: account.id } },
      data: { isFullAdmin: true },
    });
    const { body } = await login(gateway, { email: account.email, password: PASSWORD });
    const { access_token: accessToken, refresh_token: refreshToken } = body as Record<string, string>;
    const ended = await follow(base, gateway.withToken(accessToken ?? ""), jobOf(coupon));
    const goingOn = await follow(base, acme.owner, jobOf(coupon));
    expect([(await ended.next())?.id, (await goingOn.next())?.id]).toEqual(["running-0", "running-0"]);

    await end(account, refreshToken ?? "");

    expect(await ended.rest()).toEqual([]);
    await setCount(coupon, 10);
    expect((await goingOn.next())?.id).toBe("running-10");
    goingOn.leave();
  });

  it("ends when the networks of its key leave out where it is read", async () => {
    const coupon = await createGeneratingCoupon(gateway, acme.id);
    const roles = ["access_coupons"];
    const { id, client } = await makeKey(gateway, acme.owner, acme.id, { roles });
    const stream = await follow(base, client, jobOf(coupon));
    expect((await stream.next())?.id).toBe("running-0");

    const input = { networks: ["192.0.2.0/24"] };
    dataOf(await acme.owner.run(UPDATE, { companyId: acme.id, id, input }));

    expect(await stream.rest()).toEqual([]);
    expect((await follow(base, client, jobOf(coupon))).status).toBe(403);
  });

  it("is one of few for each caller", async () => {
    const coupon = await createGeneratingCoupon(gateway, acme.id);
    const colleague = await adminWith(gateway, acme.id, "access_coupons");
    const streams = [];
    for (let opened = 0; opened < 6; opened += 1) streams.push(await follow(base, acme.owner, jobOf(coupon)));

    const refused = await follow(base, acme.owner, jobOf(coupon));
    const another = await follow(base, colleague, jobOf(coupon));
    for (const stream of [...streams, another]) stream.leave();

    expect(streams.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(another.status).toBe(200);
  });

  it("is one of a quarter of the instance's for each company, whose oldest gives way and comes back", async () => {
    const coupon = await createGeneratingCoupon(gateway, acme.id);
    const globex = await createCompany(gateway);
    const foreign = await createGeneratingCoupon(gateway, globex.id);
    const another = await follow(base, globex.owner, jobOf(foreign));
    const streams: Following[] = [];
    for (let admins = 0; admins < 9; admins += 1) {
      const admin = await adminWith(gateway, acme.id, "access_coupons");
      const most = admins < 8 ? 6 : 2;
      for (let opened = 0; opened < most; opened += 1) streams.push(await follow(base, admin, jobOf(coupon)));
    }
    for (const stream of [another, ...streams]) await stream.next();

    const late = await follow(base, acme.owner, jobOf(coupon));
    const [oldest, next] = streams as [Following, Following];
    const end = await oldest.rest();
    await setCount(coupon, 10);

    expect(streams).toHaveLength(50);
    const usage = await acme.owner.rest("GET", `/companies/${acme.id}/usage`);
    expect(usage.body).toContainEqual({ name: "streams", used: 50, limit: 50 });
    expect([late.status, end]).toEqual([200, []]);
    expect((await next.next())?.id).toBe("running-10");
    await gateway.db.coupon.update({
      where: { companyId_id: { companyId: globex.id, id: foreign.id } },
      data: { generatedCount: 10 },
    });
    expect((await another.next())?.id).toBe("running-10");
    for (const stream of [another, late, ...streams]) stream.leave();
  }, 60_000);

  it("holds no connection and no turn while it waits", async () => {
    const small = await startGateway({ on: gateway, environment: { DATABASE_POOL_SIZE: "2" } });
    const smallBase = await listen(small);
    const coupon = await createGeneratingCoupon(gateway, acme.id);
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => follow(smallBase, acme.owner, jobOf(coupon))),
    );
    for (const stream of streams) await stream.next();

    const { pool } = small.database;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        fetch(`${smallBase}/api/companies/${acme.id}/coupons/${coupon.id}`, {
          headers: { authorization: `Bearer ${acme.owner.token ?? ""}` },
        }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    // A connection comes back after its answer has left; a stream would never give one back.
    while (pool.totalCount > pool.idleCount) await sleep(20);
    const ends = Promise.all(streams.map((stream) => stream.rest()));
    await small.close();
    expect((await ends).flat()).toEqual([]);
  });
});

describe("who may follow a job", () => {
  it("is who may see or edit what it is for", async () => {
    const coupon = await createGeneratingCoupon(gateway, acme.id);
    const globex = await createCompany(gateway);
    const callers = {
      nobody: gateway.anonymous,
      stranger: globex.owner,
      goods: await adminWith(gateway, acme.id, "access_goods"),
      client: (await signedInClient(gateway, acme.id)).client,
      reader: await adminWith(gateway, acme.id, "access_coupons"),
      editor: await adminWith(gateway, acme.id, "can_edit_coupons"),
      platform: gateway.platform,
    };
    const variables = { companyId: acme.id, id: jobOf(coupon).jobId };

    const found: Record<string, unknown> = {};
    for (const [name, caller] of Object.entries(callers)) {
      const stream = await follow(base, caller, jobOf(coupon));
      const first = await stream.next();
      stream.leave();
      found[name] = [stream.status, first?.event ?? null, errorCodes(await caller.run(JOB, variables))];
    }

    expect(found).toEqual({
      nobody: [401, null, ["UNAUTHENTICATED"]],
      stranger: [403, null, ["FORBIDDEN"]],
      goods: [403, null, ["FORBIDDEN"]],
      client: [403, null, ["FORBIDDEN"]],
      reader: [200, "progress", []],
      editor: [200, "progress", []],
      platform: [200, "progress", []],
    });
  });

  it("finds no job of another company, of a coupon that is pending, or of a kind that there is not", async () => {
    const globex = await createCompany(gateway);
    const foreign = await createGeneratingCoupon(gateway, globex.id);
    const pending = await createCouponRow(gateway, acme.id);
    const ids = [foreign.id, pending.id].map((id) => `coupon-codes-${id}`);

    for (const jobId of [...ids, "coupon-codes-9999999999", "imports-1", "coupon-codes-"]) {
      const { status } = await follow(base, acme.owner, { companyId: acme.id, jobId });
      const codes = errorCodes(await acme.owner.run(JOB, { companyId: acme.id, id: jobId }));

      expect([jobId, status, codes]).toEqual([jobId, 404, ["NOT_FOUND"]]);
    }
  });
});

it("is named by the coupon from when it is set ready", async () => {
  const coupon = await createCouponRow(gateway, acme.id, { totalCount: 20 });
  const jobIdOf = async () => {
    const text = `{ coupon(companyId: ${acme.id}, id: ${coupon.id}) { generation { jobId } } }`;
    return dataOf(await acme.owner.run(text))["coupon"].generation.jobId as string | null;
  };
  const job = async (id: string) =>
    dataOf(await acme.owner.run(JOB, { companyId: acme.id, id }))["job"] as unknown;

  const before = await jobIdOf();
  await acme.owner.rest("POST", `/companies/${acme.id}/coupons/${coupon.id}/set-ready`);
  const id = (await jobIdOf()) ?? "";
  const begun = await job(id);
  await gateway.runJobs();

  expect([before, id]).toEqual([null, `coupon-codes-${coupon.id}`]);
  expect(begun).toEqual({ id, state: "running", done: 0, total: 20 });
  expect(await job(id)).toEqual({ id, state: "done", done: 20, total: 20 });
});
