import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { setImmediate as nextRound, setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { bodyOf, jsonInSlices } from "../../src/api/http/sliced-json.js";
import type { DomainError } from "../../src/core/errors/domain-error.js";
import { FairTurns, Turn } from "../../src/engine/limits/fair-turns.js";
import { heldBackMs, mapInSlices, nextSlice } from "../../src/engine/limits/loop-slices.js";
import { PreparedRead, ReadStatement } from "../../src/engine/reads/prepared-read.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

/** Goods whose texts are more than is sent as a whole. */
const GOODS = 150;
const DETAILS = "ä".repeat(5_000);

describe("JSON in slices", () => {
  it("is what JSON.stringify writes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect((await jsonInSlices(value, null)).join("")).toBe(JSON.stringify(value));
      }),
    );
    const letters = fc.constantFrom(
      "x".repeat(500),
      "ä",
      '"',
      "\\",
      "\n",
      "\u0000",
      "\u001f",
      "\u007f",
      "漢",
      "😀",
      "\ud83d",
      "\ude00",
    );
    const longText = fc.array(letters, { maxLength: 5_000, size: "max" }).map((some) => some.join(""));
    await fc.assert(
      fc.asyncProperty(longText, fc.jsonValue(), async (text, beside) => {
        const value = [{ text, beside, texts: [text.toWellFormed(), beside] }];
        expect((await jsonInSlices(value, null)).join("")).toBe(JSON.stringify(value));
      }),
    );
    const odd = { a: undefined, b: [undefined, null, { c: new Date(0) }], d: { e: null }, f: [] };
    expect((await jsonInSlices(odd, null)).join("")).toBe(JSON.stringify(odd));
  });

  it("lets others run while it is written", async () => {
    const rows = Array.from({ length: 200_000 }, (_, id) => ({ id, name: `Row ${id}`, options: [{ id }] }));
    let rounds = 0;
    const count = (): void => {
      rounds += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);

    const pieces = await jsonInSlices(rows, null);

    clearImmediate(timer);
    expect(rounds).toBeGreaterThan(5);
    expect(JSON.parse(pieces.join(""))).toEqual(rows);
    expect(bodyOf(pieces, null)).toBeInstanceOf(Readable);
    expect(bodyOf(pieces.slice(0, 1), null)).toEqual(pieces[0]);
  });

  it("is written no further when nobody waits for it any more", async () => {
    const rows = Array.from({ length: 50_000 }, (_, id) => ({ id, name: `Row ${id}` }));
    const turns = new FairTurns({ most: 1, mostOfOne: 1 });
    const answer = { destroyed: false, writableEnded: false };
    const turn = () => new Turn(turns, turns.owner("somebody"), null, answer);
    let pieces = 0;

    const whole = await jsonInSlices(rows, turn());
    const left = await jsonInSlices(rows, turn(), () => {
      pieces += 1;
      answer.destroyed = true;
    }).catch((error: unknown) => error);
    const answered = await jsonInSlices(
      rows,
      new Turn(turns, turns.owner("somebody"), null, {
        destroyed: false,
        writableEnded: true,
      }),
    ).catch((error: unknown) => error);

    expect(JSON.parse(whole.join(""))).toEqual(rows);
    expect([left, answered].map((error) => (error as DomainError).code)).toEqual([
      "UNAVAILABLE",
      "UNAVAILABLE",
    ]);
    expect(pieces).toBeLessThan(whole.length / 2);
  });

  it("is written for one answer in each round of the event loop, however many there are", async () => {
    const rows = Array.from({ length: 50_000 }, (_, id) => ({ id, name: `Row ${id}`, options: [{ id }] }));
    const writers: Set<number>[] = [new Set()];
    const count = (): void => {
      writers.push(new Set());
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);

    await Promise.all(
      Array.from({ length: 4 }, (_, writer) => jsonInSlices(rows, null, () => writers.at(-1)?.add(writer))),
    );

    clearImmediate(timer);
    expect(new Set(writers.flatMap((some) => [...some]))).toEqual(new Set([0, 1, 2, 3]));
    expect(writers.filter(({ size }) => size > 1)).toEqual([]);
  });
});

describe("long work", () => {
  it("waits while somebody has a turn who has used less time, and goes on after some milliseconds all the same", async () => {
    const looks: boolean[] = [];
    const user = {
      loopMs: 0,
      used: 0,
      get givesWay(): boolean {
        looks.push(true);
        return true;
      },
    };
    await nextSlice(null);

    await nextSlice(user);

    expect(looks.length).toBeGreaterThan(1);
  });

  it("on many items gives way after each slice, and answers for each in its place", async () => {
    let rounds = 0;
    let isOver = false;
    const count = (): void => {
      rounds += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const seen: number[] = [];
    const found = await mapInSlices(null, ["a", "b", "c"], (item, place) => {
      seen.push(rounds);
      const end = performance.now() + 2;
      while (performance.now() < end);
      return `${item}${place}`;
    });
    isOver = true;

    expect(found).toEqual(["a0", "b1", "c2"]);
    expect(new Set(seen).size).toBe(3);
  });

  it("on items ends at the one that fails", async () => {
    const done: number[] = [];
    const work = mapInSlices(null, [1, 2, 3], (item) => {
      if (item === 2) throw new Error("the second");
      done.push(item);
    });

    await expect(work).rejects.toThrow("the second");
    expect(done).toEqual([1]);
  });

  describe("of who has used more than others who ask", () => {
    const heavy = { loopMs: 0, used: 0, isHeavy: true };
    let now: number;
    let clock: jest.SpyInstance;

    beforeEach(async () => {
      now = performance.now();
      clock = jest.spyOn(performance, "now").mockImplementation(() => now);
      await nextSlice(null);
    });

    afterEach(() => clock.mockRestore());

    it("comes behind theirs, and has one slice in eight all the same", async () => {
      /** Returns how many go on before the heavy one, which has waited longest. */
      const goneBefore = async (): Promise<number> => {
        const order: string[] = [];
        const take = (user: typeof heavy | null): Promise<unknown> =>
          nextSlice(user).then(() => order.push(user === null ? "light" : "heavy"));
        await Promise.all([take(heavy), ...Array.from({ length: 12 }, () => take(null))]);
        return order.indexOf("heavy");
      };

      const first = await goneBefore();
      const second = await goneBefore();

      // Thirteen slices later the eighth one comes five sooner, or three later.
      expect([first - second, first - second + 8]).toContain(5);
      expect(Math.max(first, second)).toBeLessThan(8);
    });

    it("waits as long as it worked, which counts as time in which the loop has work", async () => {
      const begunBy: number[] = [];
      const before = heldBackMs();
      // One of eight slices is given at once.
      const work = (async () => {
        for (let slice = 0; slice < 2; slice += 1) {
          await nextSlice(heavy);
          begunBy.push(now);
        }
      })();
      const beganAt = now;
      while (begunBy.length < 2) {
        await wait(5);
        now += 1;
      }
      await work;

      expect((begunBy[1] ?? 0) - beganAt).toBeGreaterThanOrEqual(2);
      expect(heldBackMs() - before).toBeGreaterThanOrEqual(2);
    });
  });
});

describe("a large result of the database", () => {
  const ROW = { fields: ["x".repeat(1_000)], length: 1_000 };

  /** A read over a connection that tells when it is read no further, and when it is again. */
  function begun(onResume: () => void = () => undefined) {
    const stream = { cork: jest.fn(), uncork: jest.fn(), pause: jest.fn(), resume: jest.fn(onResume) };
    const [parse, bind, describe, execute] = [jest.fn(), jest.fn(), jest.fn(), jest.fn()];
    const [sync, sendCopyFail] = [jest.fn(), jest.fn()];
    const read = new PreparedRead(new ReadStatement("SELECT a"), { name: "", ahead: [] }, [], null);
    read.submit({ stream, parsedStatements: {}, parse, bind, describe, execute, sync, sendCopyFail });
    read.handleRowDescription({ fields: [{ name: "a", dataTypeID: 25 }] });
    const takeSlice = (): number => {
      const before = [read.rows.length, stream.pause.mock.calls.length] as const;
      while (stream.pause.mock.calls.length === before[1]) read.handleDataRow(ROW);
      return read.rows.length - before[0];
    };
    return { read, stream, takeSlice };
  }

  it("is read a slice at a time, with no row lost of what had come", async () => {
    const { read, stream, takeSlice } = begun();

    const first = takeSlice();
    read.handleDataRow(ROW);
    expect([stream.pause.mock.calls.length, stream.resume.mock.calls.length]).toEqual([1, 0]);
    await nextRound();
    await nextRound();
    expect(stream.resume).toHaveBeenCalledTimes(1);
    const second = takeSlice();

    expect(second).toBe(first);
    expect(read.rows).toHaveLength(first + 1 + second);
    expect(first * ROW.length).toBeLessThan(262_144);
  });

  it("is read for one of several statements in each round of the event loop", async () => {
    let round = 0;
    const resumedIn: number[] = [];
    const reads = Array.from({ length: 3 }, () => begun(() => resumedIn.push(round)));
    for (const { takeSlice } of reads) takeSlice();

    for (; round < 6; round += 1) await nextRound();

    expect(resumedIn).toHaveLength(3);
    expect(new Set(resumedIn).size).toBe(3);
  });

  it("is read to its end without a pause when it is small", () => {
    const { read, stream } = begun();
    for (let row = 0; row < 100; row += 1) read.handleDataRow(ROW);

    expect(stream.pause).not.toHaveBeenCalled();
    expect(read.rows).toHaveLength(100);
  });
});

describe("a large answer", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let url: string;

  beforeAll(async () => {
    gateway = await startGateway({ environment: {} });
    company = await createCompany(gateway);
    const { id: companyId } = company;
    const { id: branchGroupId } = await gateway.db.branchGroup.create({ data: { companyId, name: "Shop" } });
    await gateway.db.good.createMany({
      data: Array.from({ length: GOODS }, (_, n) => ({
        companyId,
        branchGroupId,
        name: `Good ${n}`,
        shortDetails: "",
        details: DETAILS,
        type: 1,
        priceE2: 100,
      })),
    });
    url = await gateway.app.listen({ port: 0, host: "127.0.0.1" });
  });
  afterAll(() => gateway.close());

  const headers = () => ({ authorization: `Bearer ${String(company.owner.token)}` });

  it("is streamed by REST, with the ETag of the whole", async () => {
    const path = `${url}/api/companies/${company.id}/goods?per_page=${GOODS}`;

    const response = await fetch(path, { headers: headers() });
    const text = await response.text();
    const etag = String(response.headers.get("etag"));
    const again = await fetch(path, { headers: { ...headers(), "if-none-match": etag } });

    expect([response.status, response.headers.get("content-length")]).toEqual([200, null]);
    expect((JSON.parse(text) as { details: string }[]).map(({ details }) => details)).toEqual(
      Array<string>(GOODS).fill(DETAILS),
    );
    expect(etag).toBe(`W/"${hash("sha1", text, "base64url")}"`);
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("is streamed by GraphQL", async () => {
    const query = `{ goods(companyId: ${company.id}, first: ${GOODS}) { nodes { id details } } }`;
    const ask = () =>
      fetch(`${url}/graphql`, {
        method: "POST",
        headers: { ...headers(), "content-type": "application/json" },
        body: JSON.stringify({ query }),
      });
    // The first answer for an Accept is Apollo's.
    const first = (await (await ask()).json()) as object;

    const response = await ask();

    expect([response.status, response.headers.get("content-length")]).toEqual([200, null]);
    expect(await response.json()).toMatchObject({ data: (first as { data: object }).data });
  });
});
