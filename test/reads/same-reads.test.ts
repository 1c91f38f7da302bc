import { AsyncLocalStorage } from "node:async_hooks";
import { DomainError } from "../../src/core/errors/domain-error.js";
import { sql } from "../../src/core/db/sql.js";
import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import type { ReadMeter } from "../../src/engine/limits/read-meter.js";
import { boundedDb } from "../../src/engine/tenancy/bounded-db.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";

const POOL_SIZE = 4;
/** One company has so many of the pool's connections at once. */
const TURNS = 3;

let gateway: Gateway;
let database: Database;
let statements: string[] = [];
let companies: [TestCompany, TestCompany];
beforeAll(async () => {
  gateway = await startGateway();
  companies = [await createCompany(gateway), await createCompany(gateway)];
  for (const [place, { id }] of companies.entries())
    for (const n of [0, 1, 2]) await createGood(gateway, id, { name: `${place}-${n}` });
  database = await createDatabase({
    url: gateway.url,
    poolSize: POOL_SIZE,
    freezesRows: true,
    onQuery: (text) => void statements.push(text),
  });
});
afterAll(async () => {
  await database.close();
  await gateway.close();
});
beforeEach(async () => {
  // From the second time on others are expected to want the same.
  await Promise.all([pageOf(0), pageOf(0)]);
  statements = [];
});

type Place = 0 | 1;

interface Reader {
  findMany(query: object): Promise<{ name: string }[]>;
  count(query: object): Promise<number>;
}

function readerOf(place: Place, meter?: ReadMeter): Reader {
  return boundedDb(database.writer, { companyId: companies[place].id, ...(meter !== undefined && { meter }) })
    .good;
}

const pageQuery = { where: { deletedAt: null }, orderBy: { id: "asc" }, plan: "kept" } as const;

async function pageOf(place: Place, { meter, take = 3 }: { meter?: ReadMeter; take?: number } = {}) {
  return readerOf(place, meter).findMany({ ...pageQuery, take });
}

const namesOf = async (place: Place, options?: Parameters<typeof pageOf>[1]): Promise<string[]> =>
  (await pageOf(place, options)).map(({ name }) => name);

const NAMES = ["0-0", "0-1", "0-2"];

function meterThat(readsRow: ReadMeter["readsRow"]): ReadMeter {
  return {
    user: null,
    inTurn: (statement) => statement(),
    assertWithin: () => undefined,
    readsRow,
  };
}

describe("a page that several want within the same turn", () => {
  it("is read once", async () => {
    const names = await Promise.all([namesOf(0), namesOf(0), namesOf(0), namesOf(0)]);

    expect(names).toEqual([NAMES, NAMES, NAMES, NAMES]);
    expect(statements.length).toBe(1);
  });

  it("is a list of its own for each", async () => {
    const [left, right] = await Promise.all([pageOf(0), pageOf(0)]);

    expect(left).toEqual(right);
    expect(left).not.toBe(right);
    left?.pop();
    expect(right?.length).toBe(3);
    expect(Object.isFrozen(right?.[0])).toBe(true);
  });

  it("is another one for other values, another company and another length", async () => {
    const names = await Promise.all([namesOf(0), namesOf(1), namesOf(0, { take: 2 }), namesOf(0)]);

    expect(names).toEqual([NAMES, ["1-0", "1-1", "1-2"], NAMES.slice(0, 2), NAMES]);
    expect(statements.length).toBe(3);
  });

  it("is counted for each by rows and bytes", async () => {
    const counted: number[][] = [[], [], []];
    const meters = counted.map((bytes) => meterThat((some) => void bytes.push(some)));

    await Promise.all(meters.map((meter) => pageOf(0, { meter })));

    expect(counted[0]?.length).toBe(3);
    expect(counted[1]).toEqual(counted[0]);
    expect(counted[2]).toEqual(counted[0]);
    expect(statements.length).toBe(1);
  });

  it("is one statement for each in its own context", async () => {
    const asker = new AsyncLocalStorage<number>();
    const heard: (number | undefined)[] = [];
    const stop = database.onStatement(() => void heard.push(asker.getStore()));

    await Promise.all([1, 2, 3].map((n) => asker.run(n, () => pageOf(0))));
    stop();

    expect(heard.sort()).toEqual([1, 2, 3]);
    expect(statements.length).toBe(1);
  });

  it.each([
    ["asks first", 0],
    ["asks later", 1],
  ])("is refused to the one alone who has read too much, when he %s", async (_, place) => {
    const refusing = meterThat(() => {
      throw new DomainError("BAD_REQUEST", "too much");
    });
    const asked = [0, 1, 2].map((n) => namesOf(0, n === place ? { meter: refusing } : {}));

    const answers = await Promise.allSettled(asked);

    expect(answers[place]).toMatchObject({ status: "rejected", reason: { message: "too much" } });
    expect(answers.filter(({ status }) => status === "fulfilled")).toEqual([
      { status: "fulfilled", value: NAMES },
      { status: "fulfilled", value: NAMES },
    ]);
  });

  it("is an error for all when the server refuses it", async () => {
    const { pool } = database;
    const { query } = pool;
    pool.query = ((_read: unknown, _values: undefined, callback: (error: Error) => void) => {
      setImmediate(callback, new Error("broken"));
    }) as never;

    const answers = await Promise.allSettled([pageOf(0), pageOf(0), pageOf(0)]);
    pool.query = query;

    expect(answers).toEqual(Array(3).fill({ status: "rejected", reason: new Error("broken") }));
    expect(await namesOf(0)).toEqual(NAMES);
  });

  it("is counted once, too", async () => {
    const count = (): Promise<number> => readerOf(0).count({ where: { deletedAt: null, name: "0-1" } });
    await Promise.all([count(), count()]);
    statements = [];

    expect(await Promise.all([count(), count(), count()])).toEqual([1, 1, 1]);
    expect(statements.length).toBe(1);
  });
});

describe("a page that waits for a turn of its company", () => {
  /** Takes all turns of the company for a while. */
  function busyFor(milliseconds: number): Promise<unknown> {
    const db = boundedDb(database.writer, { companyId: companies[0].id }) as unknown as {
      rows(statement: ReturnType<typeof sql>): Promise<unknown>;
    };
    return Promise.all(
      Array.from({ length: TURNS }, () =>
        db.rows(sql`SELECT pg_sleep(${milliseconds / 1_000}::float8)::text`),
      ),
    );
  }

  it("is read once for all who come until it is sent, and shows what was written before", async () => {
    const busy = busyFor(400);
    const first = namesOf(0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const good = await createGood(gateway, companies[0].id, { name: "late" });
    const second = namesOf(0, { take: 3 });
    const before = statements.length;

    const all = readerOf(0).findMany({ ...pageQuery, take: 10 });
    const [one, other, whole] = await Promise.all([first, second, all, busy]);
    await gateway.db.good.deleteMany({ where: { companyId: companies[0].id, id: good.id } });

    expect([one, other]).toEqual([NAMES, NAMES]);
    expect(whole.map(({ name }) => name)).toEqual([...NAMES, "late"]);
    expect(statements.length - before).toBe(2);
  });
});

describe("a page that is wanted alone", () => {
  it("is sent at once, unless the same was wanted twice of late", async () => {
    const query = { where: { deletedAt: null, name: "0-2" }, take: 1, plan: "kept" };
    const sent = async (): Promise<number> => {
      statements = [];
      const reading = readerOf(0).findMany(query);
      await Promise.resolve();
      const { length } = statements;
      await reading;
      return length;
    };

    expect(await sent()).toBe(1);
    await Promise.all([readerOf(0).findMany(query), readerOf(0).findMany(query)]);
    expect(await sent()).toBe(0);
  });

  it("shows each write that was answered before it was asked for, while others read all the time", async () => {
    const [{ id: companyId, owner }] = companies;
    const good = await createGood(gateway, companyId, { name: "written", priceE2: 0 });
    let isOver = false;
    const query = `{ goods(companyId: ${companyId}, first: 5) { nodes { id priceE2 } } }`;
    const price = async (): Promise<number> => {
      const { nodes } = dataOf(await owner.run(query))["goods"] as {
        nodes: { id: number; priceE2: number }[];
      };
      return nodes.find(({ id }) => id === good.id)?.priceE2 ?? -1;
    };
    const readers = Array.from({ length: 8 }, async () => {
      let last = 0;
      while (!isOver) {
        const seen = await price();
        expect(seen).toBeGreaterThanOrEqual(last);
        last = seen;
      }
    });
    for (let n = 1; n <= 60; n += 1) {
      const input = `{ priceE2: ${n} }`;
      dataOf(
        await owner.run(
          `mutation { updateGood(companyId: ${companyId}, id: ${good.id}, input: ${input}) { id } }`,
        ),
      );
      expect(await price()).toBe(n);
    }
    isOver = true;
    await Promise.all(readers);
  });
});
