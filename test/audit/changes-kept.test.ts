import { encodeCursor } from "../../src/core/lists/cursor.js";
import type { JobContext } from "../../src/core/jobs/jobs.js";
import { oldJournal } from "../../src/engine/audit/journal.sql.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { type Client, dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { journalShowsAll } from "../support/journal.js";
import { fakeDate } from "../support/fake-date.js";

const DAYS = 30;
const YEAR_MS = 365 * 24 * 3_600_000;
const CHANGES = `query ($companyId: Int!, $after: String, $first: Int) {
  changes(companyId: $companyId, after: $after, first: $first, filter: { types: ["City"] }) {
    edges { cursor node { entityId action } } pageInfo { endCursor }
  }
}`;

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly entityId: number } }[];
  readonly pageInfo: { readonly endCursor: string };
}

let gateway: Gateway;
let company: TestCompany;
let owner: Client;
let start: string;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  // The database is a copy of another one, in which the journal has begun.
  await purge();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  ({ owner } = company);
  start = (await read("now")).pageInfo.endCursor;
});
afterEach(() => {
  jest.useRealTimers();
});
afterAll(() => gateway.close());

const ask = (after: string | null, first?: number) =>
  owner.run(CHANGES, { companyId: company.id, after, first });
async function read(after: string | null, first?: number): Promise<Page> {
  await journalShowsAll(gateway);
  return dataOf(await ask(after, first))["changes"] as Page;
}
const change = async (name: string): Promise<number> =>
  (await gateway.db.city.create({ data: { companyId: company.id, name } })).id;
const idsOf = ({ edges }: Page): number[] => edges.map(({ node }) => node.entityId);
/** Lets days pass for all that the journal has, but for what is written from now on. */
const letPass = (days: number) =>
  gateway.asOwner(
    `UPDATE journal_entries SET at = now() - interval '${days} days' WHERE company_id = ${company.id}`,
  );
const purge = () =>
  oldJournal({
    database: gateway.database,
    journalDays: DAYS,
    signal: new AbortController().signal,
  } as unknown as JobContext);
/** Sets the clock of the process, but not that of the database. The owner signs in by it. */
async function setClock(offMs: number): Promise<void> {
  jest.useRealTimers();
  if (offMs !== 0) fakeDate(Date.now() + offMs);
  owner = await gateway.as({ kind: "admin", id: company.ownerId, companyId: company.id });
}

describe("the journal", () => {
  it.each([YEAR_MS, -YEAR_MS])(
    "keeps what it has and goes on while the clock of a process is off by %d ms",
    async (off) => {
      const first = await change("First");
      await setClock(off);
      const before = await read(start);
      const second = await change("Second");
      await purge();
      const { pageInfo } = await read("now");
      const during = await read(before.pageInfo.endCursor);
      await setClock(0);
      const third = await change("Third");

      expect(idsOf(before)).toEqual([first]);
      expect(idsOf(during)).toEqual([second]);
      expect(idsOf(await read(pageInfo.endCursor))).toEqual([third]);
      expect(idsOf(await read(start))).toEqual([first, second, third]);
    },
  );

  it("tells whoever has not read what is removed by age, and nobody else", async () => {
    const first = await change("First");
    const second = await change("Second");
    const { edges } = await read(start);
    await letPass(DAYS + 1);
    const { pageInfo: onTheDay } = await read(null);
    await purge();
    const third = await change("Third");

    expect(edges.map(({ node }) => node.entityId)).toEqual([first, second]);
    expect(errorCodes(await ask(edges[0]?.cursor ?? ""))).toEqual(["CURSOR_EXPIRED"]);
    expect(idsOf(await read(onTheDay.endCursor))).toEqual([third]);
    expect(idsOf(await read(null))).toEqual([third]);
  });

  it("waits for a server that does not reach the place yet, as a replica that lags", async () => {
    const [row] = await gateway.db.$queryRaw<{ xid: string }[]>`SELECT pg_current_xact_id()::text AS xid`;
    const ahead = encodeCursor("Journal", [BigInt(row?.xid ?? "0") + 1_000_000n, 1n, new Date(), new Date()]);

    const page = await read(ahead);

    expect(page.edges).toEqual([]);
    expect((await read(page.pageInfo.endCursor)).edges).toEqual([]);
  });

  it("tells whoever has read what a fail-over has lost", async () => {
    await change("Read");
    const { edges } = await read(start);
    // The other server gives the number of the lost transaction, and of its entry, to another change.
    await gateway.asOwner(
      `UPDATE journal_entries SET at = now() + interval '3 seconds' WHERE company_id = ${company.id}`,
    );

    expect(errorCodes(await ask(edges[0]?.cursor ?? ""))).toEqual(["CURSOR_EXPIRED"]);
  });

  it("begins anew in a database that was restored from a dump, and tells whoever comes with a place from before", async () => {
    await change("Before");
    const { pageInfo } = await read(start);
    await gateway.asOwner("UPDATE journal_states SET identity = 'that of the database of the dump'");
    await purge();
    const after = await read("now");
    const id = await change("After");

    expect(errorCodes(await ask(pageInfo.endCursor))).toEqual(["CURSOR_EXPIRED"]);
    expect(errorCodes(await ask(start))).toEqual(["CURSOR_EXPIRED"]);
    expect(idsOf(await read(after.pageInfo.endCursor))).toEqual([id]);
    expect(idsOf(await read(null))).toEqual([id]);
  });
});
