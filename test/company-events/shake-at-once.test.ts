import type { StoredEventConfig } from "../../src/slices/company-events/company-event-config.js";
import { verifyEvent } from "../../src/slices/company-events/verification.service.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Client, type Gateway } from "../support/gateway.js";
import { hoursFromNow, storeEvent } from "./events.js";

/** One of 10,000 fair runs exceeds this value of χ² with one degree of freedom. */
const CHI_SQUARE_LIMIT = 15.14;
const AT_ONCE = 24;

describe("shaking at once, on two instances", () => {
  let gateway: Gateway;
  let second: Gateway;
  let acme: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway({ environment: { RATE_LIMIT: "0" } });
    second = await startGateway({ on: gateway, environment: { RATE_LIMIT: "0" } });
  });
  beforeEach(async () => {
    acme = await createCompany(gateway);
  });
  afterAll(async () => {
    await second.close();
    await gateway.close();
  });

  async function players(count: number): Promise<Client[]> {
    const rows = await gateway.db.client.createManyAndReturn({
      data: Array.from({ length: count }, (_, n) => ({ companyId: acme.id, name: `Player ${n}` })),
      select: { id: true },
    });
    return Promise.all(
      rows.map(({ id }, n) =>
        (n % 2 === 0 ? gateway : second).as({ kind: "client", id, companyId: acme.id }),
      ),
    );
  }

  /** Returns the answer to each shake; `AT_ONCE` shakes are under way at any time. */
  async function shakeAll(
    clients: readonly Client[],
  ): Promise<{ status: number; won: boolean; code: string | null }[]> {
    const waiting = [...clients];
    const answers: { status: number; won: boolean; code: string | null }[] = [];
    const work = async (): Promise<void> => {
      for (let client = waiting.pop(); client !== undefined; client = waiting.pop()) {
        const { status, body } = await client.rest("GET", `/companies/${acme.id}/events/shake`);
        answers.push({ status, won: body.won === true, code: body.code as string | null });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return answers;
  }

  const jobsOf = async (companyId: number): Promise<number> => {
    const { rows } = await gateway.database.pool.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE key LIKE $1",
      [`coupon:${companyId}:%`],
    );
    return rows[0]?.count ?? 0;
  };
  const finish = (id: number) =>
    acme.owner.rest("POST", `/companies/${acme.id}/company-events/${id}/set-finished`);
  const winsIn = (answers: readonly { won: boolean }[]) => answers.filter(({ won }) => won).length;
  const statusesOf = (answers: readonly { status: number }[]) => [
    ...new Set(answers.map(({ status }) => status)),
  ];
  const rowsOf = async (companyEventId: number) => {
    const where = { companyId: acme.id, companyEventId };
    return {
      coupons: await gateway.db.coupon.count({ where }),
      codes: await gateway.db.couponCode.count({ where: { companyId: acme.id, coupon: { companyEventId } } }),
      draws: await gateway.db.companyEventDraw.count({ where }),
      won: (await gateway.db.companyEventPrize.findMany({ where, orderBy: { place: "asc" } })).map(
        (prize) => prize.wonCount,
      ),
    };
  };

  it.each([1, 3, 100])("gives no more than %i coupons of a seed", async (maxCount) => {
    const { id } = await storeEvent(gateway, acme.id, "running", {
      couponSeeds: [{ maxCount, winRate: 1 }],
      expiresAt: hoursFromNow(24).toISOString(),
    });
    const clients = await players(maxCount + 60);

    const answers = await shakeAll(clients);

    expect(statusesOf(answers)).toEqual([200]);
    expect(winsIn(answers)).toBe(maxCount);
    expect(new Set(answers.flatMap(({ code }) => code ?? [])).size).toBe(maxCount);
    expect(await rowsOf(id)).toEqual({
      coupons: maxCount,
      codes: maxCount,
      draws: clients.length,
      won: [maxCount],
    });
    // Each coupon ends by its own job; coupons that were made in vain have left no job.
    expect(await jobsOf(acme.id)).toBe(maxCount);
  });

  it("lets a client win once, however often it shakes at once", async () => {
    const { id } = await storeEvent(gateway, acme.id, "running", {
      couponSeeds: [{ maxCount: 99, winRate: 1 }],
    });
    const clients = await players(5);

    const answers = await shakeAll(clients.flatMap((client) => Array<Client>(20).fill(client)));

    expect(statusesOf(answers)).toEqual([200]);
    expect(winsIn(answers)).toBe(5);
    expect(await rowsOf(id)).toEqual({ coupons: 5, codes: 5, draws: 5, won: [5] });
  });

  it("counts each of the draws that a client makes at once", async () => {
    const { id } = await storeEvent(gateway, acme.id, "running", { loserMessage: "Not this time." });
    const { id: playerId } = await gateway.db.client.create({
      data: { companyId: acme.id, name: "Player" },
    });
    const both = await Promise.all(
      [gateway, second].map((on) => on.as({ kind: "client", id: playerId, companyId: acme.id })),
    );

    const answers = await shakeAll(Array.from({ length: 2 * AT_ONCE }, (_, n) => both[n % 2] as Client));

    expect(statusesOf(answers)).toEqual([200]);
    const draws = await gateway.db.companyEventDraw.findMany({
      where: { companyId: acme.id, companyEventId: id },
      orderBy: { id: "asc" },
    });
    expect(draws.map(({ number }) => number)).toEqual(Array.from({ length: 2 * AT_ONCE }, (_, n) => n + 1));
    await finish(id);
    expect(await verifyEvent(gateway.db, acme.id, id)).toMatchObject({ draws: 2 * AT_ONCE, differences: [] });
  });

  it("goes on to the next seed when the last coupon of one is won in between", async () => {
    const couponSeeds = Array.from({ length: 6 }, () => ({ maxCount: 4, winRate: 1 }));
    const { id } = await storeEvent(gateway, acme.id, "running", {
      couponSeeds,
      expiresAt: hoursFromNow(24).toISOString(),
    });

    const answers = await shakeAll(await players(40));

    expect(statusesOf(answers)).toEqual([200]);
    expect(await rowsOf(id)).toEqual({ coupons: 24, codes: 24, draws: 40, won: [4, 4, 4, 4, 4, 4] });
    expect(await jobsOf(acme.id)).toBe(24);
    await finish(id);
    expect(await verifyEvent(gateway.db, acme.id, id)).toMatchObject({ draws: 40, differences: [] });
  });

  it("draws by the odds, and so that all of it can be replayed", async () => {
    const couponSeeds = [
      { maxCount: 1_000, winRate: 10 },
      { maxCount: 1_000, winRate: 4 },
      { maxCount: 12, winRate: 2 },
    ];
    const { id } = await storeEvent(gateway, acme.id, "running", { couponSeeds });
    const clients = await players(400);

    const answers = await shakeAll(clients);
    await finish(id);

    expect(statusesOf(answers)).toEqual([200]);
    const { won } = await rowsOf(id);
    let left = clients.length;
    for (const place of [0, 1]) {
      const hits = won[place] as number;
      const expected = left / (couponSeeds[place] as { winRate: number }).winRate;
      const chiSquare = (hits - expected) ** 2 / expected + (hits - expected) ** 2 / (left - expected);
      expect(chiSquare).toBeLessThan(CHI_SQUARE_LIMIT);
      left -= hits;
    }
    expect(won[2]).toBe(12);
    expect(await verifyEvent(gateway.db, acme.id, id)).toMatchObject({
      draws: clients.length,
      clients: clients.length,
      differences: [],
      differenceCount: 0,
    });
  });

  it("is over when somebody finishes the event in the middle of it", async () => {
    const config: StoredEventConfig = {
      couponSeeds: [
        { maxCount: 40, winRate: 6 },
        { maxCount: 10, winRate: 3 },
      ],
    };
    const { id } = await storeEvent(gateway, acme.id, "running", config);
    const clients = await players(60);

    const first = await shakeAll(clients);
    const shaking = shakeAll([...clients, ...clients, ...clients, ...clients]);
    const finished = await finish(id);
    const drawsThen = (await rowsOf(id)).draws;
    const answers = [...first, ...(await shaking)];

    expect(finished.status).toBe(200);
    expect(statusesOf(answers).sort()).toEqual([200, 404]);
    expect((await rowsOf(id)).draws).toBe(drawsThen);
    expect(await verifyEvent(gateway.db, acme.id, id)).toMatchObject({ draws: drawsThen, differences: [] });
  });
});
