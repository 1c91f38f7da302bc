import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import { boundedDb } from "../../src/engine/tenancy/bounded-db.js";
import { DomainError } from "../../src/core/errors/domain-error.js";
import { loopTime } from "../../src/engine/limits/loop-time.js";
import type { ReadMeter } from "../../src/engine/limits/read-meter.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const MANY = "unnest";

type Three = readonly [number, number, number];

let gateway: Gateway;
let database: Database;
let statements: string[];
let companies: [TestCompany, TestCompany];
let goods: [Three, Three];
beforeAll(async () => {
  gateway = await startGateway();
  companies = [await createCompany(gateway), await createCompany(gateway)];
  goods = [await threeGoods(0), await threeGoods(1)];
  database = await createDatabase({
    url: gateway.url,
    poolSize: 4,
    freezesRows: true,
    onQuery: (text) => void statements.push(text),
  });
  statements = [];
  // A text that comes for the first time is not asked for by others.
  for (let time = 0; time < 3; time += 1) await nameOf(0, goods[0][0]);
});
afterAll(async () => {
  await database.close();
  await gateway.close();
});
beforeEach(() => void (statements.length = 0));

/** Goods named after their company's place and their own. */
async function threeGoods(place: 0 | 1): Promise<Three> {
  const made = async (n: number): Promise<number> =>
    (await createGood(gateway, companies[place].id, { name: `${place}-${n}` })).id;
  return [await made(0), await made(1), await made(2)];
}

interface Reader {
  findFirst(query: object): Promise<{ name: string } | null>;
}

function readerOf(place: 0 | 1, meter?: ReadMeter): Reader {
  return boundedDb(database.writer, { companyId: companies[place].id, ...(meter !== undefined && { meter }) })
    .good;
}

async function nameOf(place: 0 | 1, id: number, meter?: ReadMeter): Promise<string | null> {
  const where = { companyId: companies[place].id, deletedAt: null, id };
  return (await readerOf(place, meter).findFirst({ where }))?.name ?? null;
}

const [first, second] = [0, 1] as const;

describe("rows that are wanted within the same turn", () => {
  it("are read by one statement, of whichever companies they are", async () => {
    const [[one, , three], [other]] = goods;

    const names = await Promise.all([nameOf(first, one), nameOf(second, other), nameOf(first, three)]);

    expect(names).toEqual(["0-0", "1-0", "0-2"]);
    expect(statements).toEqual([expect.stringContaining(MANY)]);
  });

  it("are those of their asker's company alone", async () => {
    const [[one], [other]] = goods;

    const names = await Promise.all([
      nameOf(first, other),
      nameOf(second, one),
      nameOf(first, one),
      nameOf(first, one),
    ]);

    expect(names.slice(2)).toEqual(["0-0", "0-0"]);
    expect(names.slice(0, 2).filter((name) => name === "0-0" || name === "1-0")).toEqual([]);
    expect(statements.length).toBe(1);
  });

  it("are whole as when they are read alone, and one object that nobody changes for all who want the same", async () => {
    const [[one]] = goods;
    const read = (): Promise<object | null> =>
      readerOf(first).findFirst({ where: { companyId: companies[0].id, deletedAt: null, id: one } });

    const alone = await read();
    const [left, right] = await Promise.all([read(), read()]);

    expect(left).toEqual(alone);
    expect(right).toEqual(alone);
    expect(left).toBe(right);
    expect(Object.isFrozen(left)).toBe(true);
    expect(Object.keys(left ?? {})).toEqual(Object.keys(alone ?? {}));
  });

  it("count for their own askers: who has read too much is refused alone", async () => {
    const [[one]] = goods;
    const counted: number[] = [];
    const meter = (refuses: boolean): ReadMeter => ({
      user: null,
      inTurn: (statement) => statement(),
      assertWithin: () => undefined,
      readsRow: (bytes) => {
        counted.push(bytes);
        if (refuses) throw new DomainError("BAD_REQUEST", "too much");
      },
    });
    await nameOf(first, one, meter(false));
    const [alone] = counted;

    const [kept, refused] = await Promise.allSettled([
      nameOf(first, one, meter(false)),
      nameOf(first, one, meter(true)),
    ]);

    expect(kept).toEqual({ status: "fulfilled", value: "0-0" });
    expect(refused).toMatchObject({ status: "rejected", reason: { message: "too much" } });
    expect(counted).toEqual([alone, alone, alone]);
  });

  it("are read one by one when the server refuses them together", async () => {
    const [[one, two]] = goods;
    const { pool } = database;
    const query = pool.query.bind(pool);
    let failures = 0;
    pool.query = ((read: { text: string }, values: undefined, callback: (error: Error) => void) => {
      if (!read.text.includes(MANY)) return query(read as never, values as never, callback as never);
      failures += 1;
      const error = Object.assign(new pg.DatabaseError("stale", 1, "error"), { code: "0A000" });
      setImmediate(callback, error);
      return undefined;
    }) as never;

    const names = await Promise.all([nameOf(first, one), nameOf(first, two)]);
    pool.query = query;

    expect(names).toEqual(["0-0", "0-1"]);
    expect(failures).toBe(1);
    expect(statements.length).toBe(3);
  });

  it("are more than one statement takes: then several take them, and none is lost", async () => {
    const [[one], [other]] = goods;
    const asked = Array.from({ length: 501 }, (_, n) =>
      n % 2 === 0 ? ([0, one] as const) : ([1, other] as const),
    );

    const names = await Promise.all(asked.map(([place, id]) => nameOf(place, id)));

    expect(names).toEqual(asked.map(([place]) => `${place}-0`));
    expect(statements.length).toBe(6);
  });

  it("count once for each asker, also for the one whose row is left alone", async () => {
    const asker = new AsyncLocalStorage<number>();
    const counts = new Map<number | undefined, number>();
    const stop = database.onStatement(() => {
      const who = asker.getStore();
      counts.set(who, (counts.get(who) ?? 0) + 1);
    });
    const askers = Array.from({ length: 201 }, (_, n) => n);

    await Promise.all(askers.map((n) => asker.run(n, () => nameOf(first, goods[0][0]))));
    stop();

    expect(statements.filter((text) => !text.includes(MANY)).length).toBe(1);
    expect([...counts]).toEqual(expect.arrayContaining(askers.map((n) => [n, 1])));
    expect(counts.size).toBe(askers.length);
  });
});

describe("a row that is wanted alone", () => {
  it("is read by its own statement", async () => {
    expect(await nameOf(first, goods[0][0])).toBe("0-0");
    expect(statements).toEqual([expect.not.stringContaining(MANY)]);
  });

  it("is read at once after a round of the event loop in which nobody else asked", async () => {
    const [[one], [other]] = goods;
    await nextRound();
    await nameOf(first, one);
    await nextRound();

    const alone = nameOf(first, one);
    const sentAtOnce = statements.length;
    const late = nameOf(second, other);
    const sentWithoutLate = statements.length;

    expect(await Promise.all([alone, late])).toEqual(["0-0", "1-0"]);
    expect([sentAtOnce, sentWithoutLate, statements.length]).toEqual([2, 2, 3]);
    await nextRound();
    statements.length = 0;
    const names = await Promise.all([nameOf(first, one), nameOf(second, other)]);
    expect(names).toEqual(["0-0", "1-0"]);
    expect(statements).toEqual([expect.stringContaining(MANY)]);
  });
});

/** Waits until the event loop has come round after it worked for somebody. */
async function nextRound(): Promise<void> {
  loopTime.worksFor({ loopMs: 0, used: 0 });
  await new Promise(setImmediate);
}
