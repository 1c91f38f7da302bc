import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createCompany, createProperty, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { lockWaits, untilLockWaits, type WaitingStatement } from "../support/lock-waits.js";

/** Four of them may walk through all rows of companies at once, two of them for one company. */
const POOL = 16;
const ONE_COMPANY = 2;

describe("texts that no index finds, in a company with very many rows", () => {
  let gateway: Gateway;
  let large: TestCompany;
  let other: TestCompany;
  let small: TestCompany;
  let blocker: pg.Client;

  beforeAll(async () => {
    gateway = await startGateway({ own: "database", environment: { DATABASE_POOL_SIZE: String(POOL) } });
    [large, other, small] = [
      await createCompany(gateway),
      await createCompany(gateway),
      await createCompany(gateway),
    ];
    for (const { id, owner } of [large, other, small]) {
      await createProperty(gateway, id, { name: "Jam" });
      await owner.run(`{ properties(companyId: ${id}) { totalCount } }`);
    }
    blocker = new pg.Client({ connectionString: gateway.url });
    await blocker.connect();
    // The service believes that two of the companies have very many rows.
    for (const { id } of [large, other])
      await blocker.query(
        `INSERT INTO row_counts (company_id, table_name, live, deleted) VALUES ($1, 'properties', 1000000, 0)`,
        [id],
      );
  });
  afterEach(() => blocker.query("ROLLBACK"));
  afterAll(async () => {
    await blocker.end();
    await gateway.close();
  });

  /** @param n makes it another search, with the same answer: what is the same is read once. */
  const search = ({ id, owner }: TestCompany, n: number, filter: string, fields = "nodes { name }") =>
    owner.run(
      `{ properties(companyId: ${id}, filter: { id: { gte: ${-n} }, ${filter.slice(1)}) { ${fields} } }`,
    );

  /** Returns how many searches wait for the table, a moment after so many of them do. */
  async function waitingSearches(wanted: number): Promise<number> {
    const isSearch = ({ query }: WaitingStatement): boolean => query.includes("folded(");
    await untilLockWaits(gateway.url, wanted, isSearch);
    await sleep(100);
    return (await lockWaits(gateway.url)).filter(isSearch).length;
  }

  it.each([
    ["short ones", `{ name: { contains: "am" } }`, "nodes { name }"],
    ["what they must not have", `{ not: { name: { contains: "butter" } } }`, "nodes { name }"],
    [
      "short ones beside one that an index finds",
      `{ or: [{ name: { contains: "am" } }, { name: { contains: "jam" } }] }`,
      "nodes { name }",
    ],
    ["their number", `{ name: { contains: "am" } }`, "totalCount"],
    ["their estimated number", `{ name: { contains: "am" } }`, "estimatedCount"],
  ])("are looked for by few statements at once: %s", async (_, filter, fields) => {
    await blocker.query("BEGIN; LOCK TABLE properties IN ACCESS EXCLUSIVE MODE");

    const answers = Array.from({ length: 6 }, (_none, n) => search(large, n, filter, fields));
    const most = await waitingSearches(ONE_COMPANY);
    const others = Array.from({ length: 3 }, (_none, n) => search(other, n, filter, fields));
    const both = await waitingSearches(2 * ONE_COMPANY);
    await blocker.query("ROLLBACK");

    expect([most, both]).toEqual([ONE_COMPANY, 2 * ONE_COMPANY]);
    for (const { errors, data } of await Promise.all([...answers, ...others])) {
      expect(errors).toBeUndefined();
      expect(data?.["properties"]).toEqual(
        fields.startsWith("nodes") ? { nodes: [{ name: "Jam" }] } : { [fields]: 1 },
      );
    }
  });

  it.each<[string, () => TestCompany, string]>([
    ["that an index finds", () => large, `{ name: { contains: "jam" } }`],
    ["one of which an index finds", () => large, `{ name: { words: "jam am" } }`],
    [
      "all of which an index finds",
      () => large,
      `{ or: [{ name: { contains: "jam" } }, { name: { startsWith: "ja" } }] }`,
    ],
    ["in a company with few rows", () => small, `{ name: { contains: "am" } }`],
  ])("do not hold up others: %s", async (_, company, filter) => {
    await blocker.query("BEGIN; LOCK TABLE properties IN ACCESS EXCLUSIVE MODE");

    const answers = Array.from({ length: 6 }, (_none, n) => search(company(), n, filter));
    const most = await waitingSearches(6);
    await blocker.query("ROLLBACK");

    expect(most).toBe(6);
    for (const { data } of await Promise.all(answers)) expect(data?.["properties"].nodes).toHaveLength(1);
  });
});
