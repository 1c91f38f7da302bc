import pg from "pg";
import type { JobContext } from "../../../src/core/jobs/jobs.js";
import { companyDb } from "../../../src/engine/tenancy/bounded-db.js";
import { sumCouponUses } from "../../../src/slices/coupons/stats/kept-use-sums.jobs.js";
import { keepUseSums } from "../../../src/slices/coupons/stats/kept-use-sums.service.js";
import {
  createBranch,
  createBranchGroup,
  createCompany,
  signedInClient,
  type TestCompany,
} from "../../support/factories.js";
import { dataOf, startGateway, wrongFields, type Gateway } from "../../support/gateway.js";
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
      couponId
      campaignId
      type
      branchId
      branchGroupId
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
/** A condition that all uses meet, and of which no sums are kept: it asks the uses themselves. */
const EVERY = { currencyIso: { ne: "XXX" } };
const PERIODS = [["day"], ["week"], ["month"], ["day", "month"]];
const COLUMNS = [
  ["coupon"],
  ["campaign"],
  ["type"],
  ["campaign", "coupon"],
  ["branch"],
  ["branch", "branchGroup"],
];

let gateway: Gateway;
let owner: pg.Client;
let company: TestCompany;
let companyId: number;
let couponId: number;
/** Another batch coupon and a promo of one campaign; the first coupon is of none. */
let campaignId: number;
let others: number[];
let clients: number[];
/** Two branches, of which the first is one of a shop. */
let branches: number[];
let shopId: number;
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
  campaignId = (await gateway.db.campaign.create({ data: { companyId, name: "Autumn" } })).id;
  others = [
    (await runningCoupon(gateway, companyId, { campaignId })).id,
    (await runningCoupon(gateway, companyId, { campaignId, type: "promo" })).id,
  ];
  shopId = (await createBranchGroup(gateway, companyId)).id;
  branches = [
    (await createBranch(gateway, companyId, { branchGroupId: shopId })).id,
    (await createBranch(gateway, companyId)).id,
  ];
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

let place = 0;
async function use(at: string, more: object = {}): Promise<{ id: bigint; orderId: number }> {
  const branchId = branches[(place += 1) % 3] ?? null;
  const orderId = (await createOrder(gateway, companyId, { branchId })).id;
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
  for (const [place, at] of MOMENTS.entries())
    await use(at, { clientId: clients[place % 3] ?? null, couponId: others[place % 2] as number });
  // An order with two coupons of the campaign.
  const { orderId } = await use(MOMENTS[4] as string, { couponId: others[0] as number });
  await use(MOMENTS[5] as string, { couponId: others[1] as number, orderId });
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

const OCTOBER = { from: "2026-10-01T00:00:00+02:00", until: "2026-11-01T00:00:00+01:00" };

/** Compares what may be read from sums with what the uses say. */
async function expectExact(): Promise<void> {
  const questions: { groupBy?: string[]; filter?: object; from?: string; until?: string }[] = [
    ...PERIODS.map((groupBy) => ({ groupBy })),
    ...COLUMNS.flatMap((columns) => ["day", "month"].map((period) => ({ groupBy: [period, ...columns] }))),
    ...[{ couponId: { eq: couponId } }, { couponId: { in: [others[0]] } }, { type: { eq: "promo" } }].map(
      (filter) => ({ groupBy: ["day"], filter }),
    ),
    ...[{ campaignId: { eq: campaignId } }, { campaignId: { isNull: true } }].map((filter) => ({
      ...{ groupBy: ["week"], filter },
    })),
    ...[{ branchId: { eq: branches[0] } }, { branchId: { isNull: true } }].map((filter) => ({
      ...{ groupBy: ["day"], filter },
    })),
    { groupBy: ["week", "branch"], filter: { branchGroupId: { eq: shopId } } },
    { groupBy: ["day", "coupon"], filter: { campaignId: { eq: campaignId }, type: { eq: "batch" } } },
    OCTOBER,
    ...COLUMNS.map((groupBy) => ({ ...OCTOBER, groupBy })),
  ];
  const seen = await Promise.all(
    questions.map(async (question) => ({ question, sums: await stats(question) })),
  );
  const wanted = await Promise.all(
    questions.map(async (question) => ({
      question,
      sums: await stats({ ...question, filter: { ...question.filter, ...EVERY } }),
    })),
  );
  expect(seen).toEqual(wanted);
}

/** The days whose sums are read where they are kept: sums that are 1,000 too many show. */
async function daysRead(more: object = {}): Promise<string[]> {
  const spoil = (by: number) =>
    owner.query("UPDATE coupon_use_sums SET uses = uses + $2 WHERE company_id = $1", [companyId, by]);
  await spoil(1_000);
  const rows = (await stats({ groupBy: ["day"], ...more })) as { day: string; uses: number }[];
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

it("have what was given back since, and are made anew for the time of a use that is reported late", async () => {
  const uses = await useAll();
  await keepAll();
  const all = await daysRead();

  await giveBack(uses[1]?.id as bigint);
  await expectExact();
  // A part of a use, as `returnCouponItems` writes it, and then the rest.
  await owner.query(
    `UPDATE coupon_redemptions SET amount_e2 = 600, company_amount_e2 = 150, returned_amount_e2 = 400, returned_company_amount_e2 = 100
      WHERE company_id = $1 AND coupon_id = $2 AND id = $3`,
    [companyId, couponId, uses[5]?.id],
  );
  await expectExact();
  await giveBack(uses[5]?.id as bigint);
  await expectExact();
  expect(await daysRead()).toEqual(all);

  await use("2026-10-25T23:30:00Z", { clientId: null });
  await expectExact();
  expect(await daysRead()).toEqual(all.filter((day) => day !== "2026-10-26"));

  await keepAll();
  await expectExact();
  expect(await daysRead()).toEqual(all);
  expect(await gateway.db.couponUseChange.count({ where: { companyId } })).toBe(0);
  const sum = {
    level: "all",
    fromAt: new Date("2026-10-31T23:00:00Z"),
    untilAt: new Date("2026-11-01T23:00:00Z"),
  };
  expect(await gateway.db.couponUseSum.findMany({ where: { companyId, ...sum } })).toEqual([
    expect.objectContaining({
      uses: 5,
      returned: 1,
      discountE2: 4_000n,
      companyDiscountE2: 1_000n,
      clients: 2,
    }),
  ]);
});

it("of campaigns follow a used coupon that comes or leaves, and other sums stay", async () => {
  await useAll();
  await keepAll();
  const all = await daysRead();
  const ofCampaign = { filter: { campaignId: { eq: campaignId } } };
  const days = await daysRead(ofCampaign);
  expect(days.length).toBeGreaterThan(3);

  await gateway.db.coupon.update({
    where: { companyId_id: { companyId, id: couponId } },
    data: { campaignId },
  });

  await expectExact();
  expect(await daysRead(ofCampaign)).toEqual([]);
  expect(await daysRead()).toEqual(all);
  const kept = await gateway.db.couponUseSum.count({ where: { companyId, level: { not: "campaign" } } });
  await keepAll();
  await expectExact();
  expect(await daysRead(ofCampaign)).toEqual(all);
  expect(await gateway.db.couponUseSum.count({ where: { companyId, level: { not: "campaign" } } })).toBe(
    kept,
  );
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

it("stay exact while eight write and two keep them, and a coupon comes to a campaign and leaves it", async () => {
  const uses = await useAll();
  const made: bigint[] = [];
  let isDone = false;

  const keepers = [1, 2].map(async () => {
    while (!isDone) await keep(10);
  });
  const mover = (async () => {
    for (let n = 0; !isDone; n += 1)
      await gateway.db.coupon.update({
        where: { companyId_id: { companyId, id: couponId } },
        data: { campaignId: n % 2 === 0 ? campaignId : null },
      });
  })();
  const reader = (async () => {
    // What is given back is in the sums or beside them, at each moment: 100 uses of 10.00 less those that are returned.
    while (!isDone) {
      const rows = (await stats({ groupBy: ["day", "coupon"], filter: { couponId: { eq: couponId } } })) as {
        uses: number;
        returned: number;
        discountE2: number;
      }[];
      for (const row of rows) expect(row.discountE2).toBe((row.uses - row.returned) * 1_000);
    }
  })();
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
  await Promise.all([...keepers, mover, reader]);

  await expectExact();
  await keepAll();
  await expectExact();
  expect(await gateway.db.couponUseChange.count({ where: { companyId } })).toBe(0);
  const time = { from: "2026-10-01T00:00:00+02:00", until: "2026-12-01T00:00:00+01:00" };
  const [sum] = (await stats({ filter: { couponId: { eq: couponId } }, ...time })) as object[];
  expect(sum).toMatchObject({
    ...{ uses: uses.length + made.length, returned: 24, newClients: 2, clients: 2 },
    ...{ discountE2: (uses.length + 24) * 1_000, companyDiscountE2: (uses.length + 24) * 250 },
  });
});

it("are exact after uses of before are given back while they are kept", async () => {
  const uses = await useAll();
  const more = await Promise.all(
    MOMENTS.flatMap((at) => [0, 1, 2, 3].map((n) => use(at, { clientId: clients[n % 2] as number }))),
  );
  await keepAll();
  const given = [...uses, ...more].map(({ id }) => id);
  let isDone = false;

  const keepers = [1, 2].map(async () => {
    while (!isDone) await keep(10);
  });
  await Promise.all([0, 1, 2, 3].map((n) => eachGivenBack(given.filter((_, place) => place % 4 === n))));
  isDone = true;
  await Promise.all(keepers);

  await expectExact();
  const [sum] = (await stats({ ...OCTOBER, filter: { couponId: { eq: couponId } } })) as object[];
  expect(sum).toMatchObject({ uses: 25, returned: 25, discountE2: 0, companyDiscountE2: 0 });
  await keepAll();
  await expectExact();
});

async function eachGivenBack(ids: readonly bigint[]): Promise<void> {
  for (const id of ids) await giveBack(id);
}

it("say how many uses a question would read, which is refused for too many", async () => {
  await useAll();
  await keepAll();
  const time = { from: "2026-10-01T00:00:00+02:00", until: "2026-12-01T00:00:00+01:00" };
  const refused = async (args: object) => {
    const { errors } = await company.owner.run(STATS, { companyId, ...time, ...args });
    return wrongFields(errors?.[0]?.extensions["errors"] as never);
  };
  await owner.query(
    "UPDATE coupon_use_sums SET uses = 1000001 WHERE company_id = $1 AND level = 'all' AND from_at = '2026-10-31T23:00:00Z'",
    [companyId],
  );

  for (const args of [
    { groupBy: ["currency"] },
    { groupBy: ["day"], filter: EVERY },
    { groupBy: ["coupon"] },
  ])
    expect(await refused(args)).toEqual(["until:max"]);
  expect(await refused({ groupBy: ["currency"], until: OCTOBER.until })).toEqual([]);
  for (const groupBy of [["day"], ["week", "coupon"], ["week", "campaign"], ["day", "branch"]])
    expect(await refused({ groupBy })).toEqual([]);
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
  expect(await gateway.db.couponUseChange.count({ where: { companyId } })).toBe(2 * MOMENTS.length + 2);

  await sumCouponUses({}, {
    database: gateway.database,
    signal: new AbortController().signal,
    ...context,
  } as unknown as JobContext);

  expect(await gateway.db.couponUseSum.count({ where: { companyId } })).toBe(0);
  expect(await gateway.db.couponUseChange.count({ where: { companyId } })).toBe(0);
});
