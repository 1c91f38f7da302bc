/**
 * Proves that the last release goes on while the database is led to today's state, as during a rolling update. It exports the
 * release from git and builds it. Then
 *
 * 1. a process of the release is asked by several callers at once while `db:migrate` of today runs, and afterwards beside a
 *    process of today: every request has to be done as before. A statement that runs at the very moment at which its table or
 *    its function is changed may be refused by PostgreSQL, so one request in a hundred may fail while the migrations run;
 * 2. tests of the release, among them the examples of all its REST operations, run on databases that today's migrations make.
 *
 * It prints what was asked and what failed, and exits with 1 when anything did. The release is the commit that last wrote
 * `schema/released`, so a shallow clone has to reach back to it.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import { startEmbeddedPostgres } from "../../src/engine/embedded-postgres/embedded-postgres.js";
import { startProductionService, type Server } from "../bench/processes.js";
import { Door, type Answer } from "./door.js";
import { SECRET } from "../bench/secret.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The tests of the release that run on today's tables. They read and write through the two faces alone. */
const TESTS_OF_RELEASE = [
  "test/rest/examples-run",
  "test/scenario/shop",
  "test/coupons/(consume|hold|coupon-uses|concurrency)\\.test",
  "test/balance/(give-change|transfer|reversals-and-floors)",
  "test/carts/cart-items",
  "test/company-events/shake",
];
/**
 * Tests of the release that look at what today's tables hold besides: each other side of a posting is a row now, and the trail has
 * an entry for each login.
 */
const OF_OTHER_ROWS: ReadonlySet<string> = new Set([
  "lets no movement lower the balance below the floor, however many try at once",
  "each operation's example runs as it stands on the demo data shows what each operation answers as its example",
  ...["REST", "GraphQL"].map(
    (face) =>
      `a shop out of nothing over ${face} has an owner, an invited admin, a branch, a good, a client with addresses, and a trail of it`,
  ),
]);
const CALLERS = 4;
/** What part of the requests may fail that are asked while the migrations run. */
const MAX_FAILED_WHILE_MIGRATED = 0.01;
/** How long the release is asked before the migration, and after it beside a process of today. */
const CALM_MS = 2_000;

const directory = await mkdtemp(join(tmpdir(), "commerce-upgrade-"));
try {
  const release = await exportRelease(join(directory, "release"));
  const isServed = await proveRunningProcess(release);
  await rm(join(release, "prisma/migrations"), { recursive: true });
  await cp(join(ROOT, "prisma/migrations"), join(release, "prisma/migrations"), { recursive: true });
  const isTested = runTests(release);
  process.exitCode = isServed && isTested ? 0 : 1;
} finally {
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** Exports the commit of the last release into a folder, with its packages, and builds it. */
async function exportRelease(folder: string): Promise<string> {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
  const commit = git("log", "-1", "--format=%H", "--", "schema/released");
  if (commit === "") throw new Error("No commit of this clone wrote schema/released");
  await mkdir(folder);
  const archive = execFileSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 1 << 30 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  const samePackages = ["package-lock.json"].every(
    (name) => readFileSync(join(folder, name), "utf8") === readFileSync(join(ROOT, name), "utf8"),
  );
  if (samePackages) await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  else runOrThrow("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder);
  runOrThrow(process.execPath, ["src/tools/build.mjs"], folder);
  console.log(`the release is commit ${commit.slice(0, 12)}`);
  return folder;
}

/** Asks a process of the release all the time while the database is migrated and a process of today joins. */
async function proveRunningProcess(release: string): Promise<boolean> {
  const postgres = await startEmbeddedPostgres({ directory: join(directory, "postgres"), durable: false });
  const servers: Server[] = [];
  const doors: Door[] = [];
  const failures = { calm: new Map<string, number>(), migrating: new Map<string, number>() };
  const asked = { calm: 0, migrating: 0 };
  let phase: keyof typeof asked = "calm";
  let isOver = false;
  try {
    servers.push(await startService(release, postgres.url));
    const token = await issueAccessToken(createTokenKeys({ secret: SECRET }), { kind: "platform" });
    const callOf = async (door: Door, caller: number): Promise<void> => {
      for (let round = 0; !isOver; round += 1) {
        // What one step of a round fails to do, the next ones miss: a round belongs to the migration from its first step in it.
        let during: keyof typeof asked = "calm";
        const ask = async ({ name, query, variables }: Step): Promise<Answer["data"]> => {
          if (phase === "migrating") during = phase;
          const { data, codes, messages } = await door.run(token, query, variables);
          if (phase === "migrating") during = phase;
          asked[during] += 1;
          for (const [at, code] of codes.entries()) {
            const failure = `${name}: ${code}: ${messages[at]}`;
            failures[during].set(failure, (failures[during].get(failure) ?? 0) + 1);
          }
          return data;
        };
        await askRound(ask, caller, round);
      }
    };
    doors.push(new Door(servers[0]?.url ?? ""));
    const calls = Array.from({ length: CALLERS }, (_, caller) => callOf(doors[0] as Door, caller));
    await wait(CALM_MS);
    const began = performance.now();
    phase = "migrating";
    await migrate(postgres.url);
    phase = "calm";
    const took = Math.round(performance.now() - began);
    servers.push(await startService(ROOT, postgres.url));
    doors.push(new Door(servers[1]?.url ?? ""));
    calls.push(...Array.from({ length: CALLERS }, (_, caller) => callOf(doors[1] as Door, CALLERS + caller)));
    await wait(CALM_MS);
    isOver = true;
    await Promise.all(calls);
    const all = asked.calm + asked.migrating;
    console.log(`${all} requests to a process of the release and then of today beside it,`);
    console.log(`${asked.migrating} of them while it was migrated in ${took} ms`);
    for (const [when, some] of Object.entries(failures))
      for (const [what, count] of some) console.log(`failed ${count} times (${when}): ${what}`);
  } finally {
    isOver = true;
    for (const door of doors) door.close();
    await Promise.all(servers.map((server) => server.stop()));
    await postgres.stop();
  }
  const failed = [...failures.migrating.values()].reduce((sum, count) => sum + count, 0);
  return (
    failures.calm.size === 0 && failed <= asked.migrating * MAX_FAILED_WHILE_MIGRATED && asked.calm > 100
  );
}

interface Step {
  readonly name: string;
  readonly query: string;
  readonly variables: object;
}

/** The steps of one shop's day, each of which changes or reads what another table's triggers and functions look after. */
async function askRound(
  ask: (step: Step) => Promise<Answer["data"]>,
  caller: number,
  round: number,
): Promise<void> {
  const mark = `${caller}-${round}`;
  const step = (name: string, text: string, variables: object = {}): Promise<Answer["data"]> =>
    ask({ name, query: text, variables });
  const idOf = (data: Answer["data"], field: string): number =>
    (data?.[field] as { id?: number } | null | undefined)?.id ?? 0;

  await step("goods", "{ goods(companyId: 1, first: 20) { nodes { id name properties { id } } } }");
  await step(
    "searchGoods",
    `{ found: searchGoods(companyId: 1, q: "arepa", first: 5) { nodes { id } }
       loose: searchGoods(companyId: 1, q: "arrepas de maiz", first: 5) { nodes { id } } }`,
  );
  const good = idOf(
    await step(
      "createGood",
      `mutation ($name: String!) { createGood(companyId: 1, input: {
        name: $name, shortDetails: "S", details: "D", priceE2: 450, type: 0 }) { id } }`,
      { name: `Good ${mark}` },
    ),
    "createGood",
  );
  await step(
    "updateGood",
    `mutation ($id: Int!) { updateGood(companyId: 1, id: $id, input: { priceE2: 500 }) { id } }`,
    {
      id: good,
    },
  );
  const coupon = idOf(
    await step(
      "createCoupon",
      `mutation ($code: String!) { createCoupon(companyId: 1, input: {
        name: "Upgrade", type: batch, totalCount: 5, priceE2: 100, promoCode: $code }) { id } }`,
      { code: `UPGRADE${caller}X${round}` },
    ),
    "createCoupon",
  );
  await step("setReady", `mutation ($id: Int!) { setReady(companyId: 1, couponId: $id, input: {}) { id } }`, {
    id: coupon,
  });
  while (!(await isRunning(step, coupon))) await wait(20);
  const order = idOf(
    await step(
      "createOrder",
      `mutation { createOrder(companyId: 1, input: { clientId: 1, subtotalE2: 5000, totalE2: 5000 }) { id } }`,
    ),
    "createOrder",
  );
  const use = { code: `UPGRADE${caller}X${round}`, orderId: order };
  await step(
    "holdCoupon",
    `mutation ($input: HoldCouponInput!) { holdCoupon(companyId: 1, input: $input) { amountE2 } }`,
    { input: use },
  );
  await step(
    "consumeCoupons",
    `mutation ($input: ConsumeCouponsInput!) { consumeCoupons(companyId: 1, input: $input) { totalDiscountE2 } }`,
    { input: { codes: [use.code], orderId: order } },
  );
  await step(
    "returnCoupon",
    `mutation ($input: ReturnCouponInput!) { returnCoupon(companyId: 1, input: $input) { amountE2 } }`,
    { input: use },
  );
  await step(
    "consumeCoupon",
    `mutation ($input: ConsumeCouponInput!) { consumeCoupon(companyId: 1, input: $input) { amountE2 } }`,
    { input: use },
  );
  await step(
    "adjustBalance",
    `mutation { adjustBalance(companyId: 1, input: { type: client, key: 1, amountE2: 7 }) { id } }`,
  );
  await step("deleteGood", `mutation ($id: Int!) { deleteGood(companyId: 1, id: $id) { id } }`, { id: good });
}

/** A job makes the code of a coupon that was set ready, so it runs a moment later. */
async function isRunning(
  step: (name: string, text: string, variables: object) => Promise<Answer["data"]>,
  id: number,
): Promise<boolean> {
  const data = await step("coupon", "query ($id: Int!) { coupon(companyId: 1, id: $id) { status } }", { id });
  return data === null || (data["coupon"] as { status?: string } | null)?.status === "running";
}

async function migrate(url: string): Promise<void> {
  const child = spawn(process.execPath, ["dist/cli/db-migrate.js"], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: url, LOG_LEVEL: "warn" },
    stdio: "inherit",
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error("db:migrate failed");
}

/** Starts the service of a checkout with the demo data. */
async function startService(folder: string, url: string): Promise<Server> {
  const environment = { NODE_ENV: "development", DATA_DIR: join(directory, "data"), DEMO_DATA: "on" };
  return startProductionService(url, environment, { folder });
}

/** Runs tests of the release in its folder, and returns which failed. */
function runTests(folder: string): boolean {
  const result = join(directory, "result.json");
  spawnSync("npm", ["test", "--", "--json", `--outputFile=${result}`, "--silent", ...TESTS_OF_RELEASE], {
    cwd: folder,
    stdio: ["ignore", "ignore", "ignore"],
  });
  if (!existsSync(result)) throw new Error("The tests of the release did not run");
  const { numPassedTests, numTotalTests, testResults } = JSON.parse(readFileSync(result, "utf8")) as {
    numPassedTests: number;
    numTotalTests: number;
    testResults: {
      assertionResults: { status: string; fullName: string }[];
      message: string;
      name: string;
    }[];
  };
  console.log(`tests of the release on today's tables: ${numPassedTests} of ${numTotalTests} hold`);
  let faults = 0;
  for (const { assertionResults, message, name } of testResults) {
    const failed = assertionResults.filter(
      ({ status, fullName }) => status === "failed" && !OF_OTHER_ROWS.has(fullName),
    );
    faults += failed.length + (assertionResults.length === 0 ? 1 : 0);
    for (const { fullName } of failed) console.log(`failed: ${fullName}`);
    if (failed.length > 0 || assertionResults.length === 0)
      console.log(`${name}\n${message.slice(0, 2_000)}`);
  }
  return faults === 0 && numPassedTests > 200;
}

function runOrThrow(program: string, args: string[], cwd: string): void {
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
}
