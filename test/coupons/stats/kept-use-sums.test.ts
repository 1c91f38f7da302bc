import pg from "pg";
import type { JobContext } from "../../../src/core/jobs/jobs.js";
import { companyDb } from "../../../src/engine/tenancy/bounded-db.js";
import { sumCouponUses } from "../../../src/slices/coupons/stats/kept-use-sums.jobs.js";
import { keepUseSums } from "../../../src/slices/coupons/stats/kept-use-sums.service.js";
import { createCompany, signedInClient, type TestCompany } from "../../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../../support/gateway.js";
import { createOrder, runningCoupon } from "../running-coupon.js";

const STATS = /* GraphQL */ `
  query (
    $companyId: Int!
    $filter: CouponStatsFilterInput
    $groupBy: [CouponStatsKey!]
    $from: DateTime
    $until: DateTime
  ) {
    couponStats(companyId: $companyId, filter: $filter, groupBy: $groupBy, from: $from, until: $until) {
      day
      week
      month
      uses
      returned
      discountE2
      companyDiscountE2
      subtotalE2
      clients
      newClients
      refusedAttempts
    }
  }
`;
/** A condition that all uses meet: sums with conditions are of the uses themselves. */
const EVERY = { couponId: { gt: 0 } };
const PERIODS = [["day"], ["week"], ["month"], ["day", "month"]];

let gateway: Gateway;
let owner: pg.Client;
let company: TestCompany;
let companyId: number;
let couponId: number;
let clients: number[];
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  owner = new pg.Client({ connectionString: gateway.ownerUrl });
  await owner.connect();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  companyId = company.id;
  await gateway.db.company.update({ where: { id: companyId }, data: { timeZone: "Europe/Berlin" } });
  couponId = (await runningCoupon(gateway, companyId)).id;
  clients = [(await signedInClient(gateway, companyId)).id, (await signedInClient(gateway, companyId)).id];
});
afterAll(async () => {
  await owner.end();
  await gateway.close();
});

/** One in the afternoon in Berlin, and moments at the ends of days, where the clocks go back, and of a month. */
const NOW = new Date("2026-11-20T12:00:00Z");
const MOMENTS = [
  "2026-10-24T21:59:59.999Z",
  "2026-10-24T22:00:00Z",
  "2026-10-25T22:59:59.999Z",
  "2026-10-25T23:00:00Z",
  "2026-10-31T22:59:59.999Z",
  "2026-10-31T23:00:00Z",
  "2026-11-01T22:59:59.999Z",
  "2026-11-19T22:59:59.999Z",
  "2026-11-19T23:00:00Z",
];

async function use(at: string, more: object = {}): Promise<{ id: bigint; orderId: number }> {
  const orderId = (await createOrder(gateway, companyId)).id;
  const { id } = await gateway.db.couponRedemption.create({
    data: {
      ...{ companyId, couponId, orderId, clientId: clients[0] as number, amountE2: 1_000n },
      ...{ companyAmountE2: 250n, createdAt: new Date(at), ...more },
    },
  });
  return { id, orderId };
}

const useAll = async () => {
  const uses: { id: bigint; orderId: number }[] = [];
  for (const [place, at] of MOMENTS.entries())
    uses.push(await use(at, { clientId: clients[place % 2] as number }));
  return uses;
};

const stats = async (args: object) => {
  const time = { from: "2026-10-01T00:00:00+02:00", until: "2026-12-01T00:00:00+01:00" };
  return dataOf(await company.owner.run(STATS, { companyId, ...time, ...args }))["couponStats"];
};

const context: Pick<JobContext, "transaction"> = {
  transaction: (id, work) => companyDb(gateway.database.writer, id).$transaction(work),
};
/** Other tests write meanwhile, for which the work may have to wait for too long: then it is done again. */
async function keep(most?: number, more: object = {}): Promise<number> {
  const given = { id: companyId, timeZoneOffset: "Europe/Berlin", isWorthwhile: true, now: NOW, ...more };
  for (;;) {
    const done = await keepUseSums(context, given, most);
    if (done !== null) return done;
  }
}
const keepAll = async () => {
  while ((await keep()) > 0);
};

async function expectExact(): Promise<void> {
  for (const groupBy of PERIODS)
    expect([groupBy, await stats({ groupBy })]).toEqual([groupBy, await stats({ groupBy, filter: EVERY })]);
  const october = { from: "2026-10-01T00:00:00+02:00", until: "2026-11-01T00:00:00+01:00" };
  expect(await stats(october)).toEqual(await stats({ ...october, filter: EVERY }));
}

/** The days whose sums are read where they are kept: sums that are 1,000 too many show. */
async function daysRead(): Promise<string[]> {
  const spoil = (by: number) =>
    owner.query("UPDATE coupon_use_sums SET uses = uses + $2 WHERE company_id = $1", [companyId, by]);
  await spoil(1_000);
  const rows = (await stats({ groupBy: ["day"] })) as { day: string; uses: number }[];
  await spoil(-1_000);
  return rows.filter(({ uses }) => uses >= 1_000).map(({ day }) => day);
}

const giveBack = (id: bigint) =>
  gateway.db.couponRedemption.update({
    where: { companyId_couponId_id: { companyId, couponId, id } },
    data: { returnedAt: NOW },
  });

it("are the sums of the uses, before, while and after they are kept", async () => {
  await useAll();
  await expectExact();

  expect(await keep(3)).toBe(3);
  await expectExact();
  await keepAll();

  await expectExact();
  // 20 November is not over.
  expect(await daysRead()).toEqual([
    ...["2026-10-24", "2026-10-25", "2026-10-26", "2026-10-31"],
    ...["2026-11-01", "2026-11-19"],
  ]);
});

it("are not read for the time of a use that is given back or reported late, until they are made anew", async () => {
  const uses = await useAll();
  await keepAll();
  const all = await daysRead();

  await giveBack(uses[1]?.id as bigint);
  await expectExact();
  expect(await daysRead()).toEqual(all.filter((day) => day !== "2026-10-25"));

  await use("2026-10-25T23:30:00Z", { clientId: null });
  await expectExact();
  expect(await daysRead()).toEqual(all.filter((day) => !["2026-10-25", "2026-10-26"].includes(day)));

  // A part of a use, as `returnCouponItems` writes it.
  await owner.query(
    `UPDATE coupon_redemptions SET amount_e2 = 600, company_amount_e2 = 150, returned_amount_e2 = 400, returned_company_amount_e2 = 100
      WHERE company_id = $1 AND coupon_id = $2 AND id = $3`,
    [companyId, couponId, uses[5]?.id],
  );
  await expectExact();

  await keepAll();
  expect(await daysRead()).toEqual(all);
  await expectExact();
  expect(await gateway.db.couponUseChange.count({ where: { companyId } })).toBe(0);
});

it("have what a transaction changes that is open while they are made", async () => {
  const [first] = await useAll();
  const session = new pg.Client({ connectionString: gateway.ownerUrl });
  await session.connect();
  await session.query("BEGIN");
  await session.query(
    "UPDATE coupon_redemptions SET returned_at = $4 WHERE company_id = $1 AND coupon_id = $2 AND id = $3",
    [companyId, couponId, first?.id, NOW],
  );

  const kept = keep();
  await waitsForRunning();
  await session.query("COMMIT");
  await session.end();

  expect(await kept).toBeGreaterThan(0);
  await expectExact();
  await keepAll();
  await expectExact();
});

async function waitsForRunning(): Promise<void> {
  for (;;) {
    const { rows } = await owner.query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE '%await_running%' AND state = 'active' AND pid <> pg_backend_pid()`,
    );
    if (rows.length > 0) return;
  }
}

it("stay exact while eight write and two keep them", async () => {
  const uses = await useAll();
  const made: bigint[] = [];
  let isDone = false;

  const keepers = [1, 2].map(async () => {
    while (!isDone) await keep(10);
  });
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 6; n += 1) {
        const { id } = await use(MOMENTS[(writer + n) % MOMENTS.length] as string, {
          clientId: clients[n % 2] as number,
        });
        made.push(id);
        if (n % 2 === 0) await giveBack(id);
      }
    }),
  );
  isDone = true;
  await Promise.all(keepers);

  await expectExact();
  await keepAll();
  await expectExact();
  const [sum] = (await stats({})) as { uses: number; returned: number; newClients: number }[];
  expect([sum?.uses, sum?.returned, sum?.newClients]).toEqual([uses.length + made.length, 24, 2]);
});

it("go with the zone of the company", async () => {
  await useAll();
  await keepAll();

  await gateway.db.company.update({ where: { id: companyId }, data: { timeZone: "America/Santiago" } });
  while ((await keep(undefined, { timeZoneOffset: "America/Santiago" })) > 0);

  const days = await gateway.db.couponUseSum.findMany({ where: { companyId }, orderBy: { fromAt: "asc" } });
  expect(new Set(days.map(({ fromAt }) => fromAt.getUTCHours()))).toEqual(new Set([3]));
});

it("are not kept of a company with few uses, and the job takes away what its uses noted", async () => {
  await useAll();
  expect(await gateway.db.couponUseChange.count({ where: { companyId } })).toBe(MOMENTS.length);

  await sumCouponUses({}, {
    database: gateway.database,
    signal: new AbortController().signal,
    ...context,
  } as unknown as JobContext);

  expect(await gateway.db.couponUseSum.count({ where: { companyId } })).toBe(0);
  expect(await gateway.db.couponUseChange.count({ where: { companyId } })).toBe(0);
});
