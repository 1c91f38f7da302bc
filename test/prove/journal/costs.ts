import type { Pool } from "pg";
import { median } from "../../bench/load.js";
import { ask, type Followed } from "./followed.js";
import { postgresCpu } from "./postgres-cpu.js";

const MOST = 0.1;
const PAIRS = 10;
const WRITES = 250;
const WARM_UP = 300;
const NAME = "note_change";

/**
 * Measures what the journal costs a write, in pairs of the same requests with and without its entries, and what reading them
 * costs.
 *
 * @returns whether a write costs no more than a tenth more.
 */
export async function measureCosts(pool: Pool, followed: Followed): Promise<boolean> {
  const { rows } = await pool.query<{ text: string; postmaster: number }>(
    `SELECT pg_get_functiondef($1::regproc) AS text`,
    [NAME],
  );
  const whole = rows[0]?.text as string;
  const empty = whole.replace(/\bBEGIN\b[^]*\bEND\b/u, "BEGIN\n    RETURN;\nEND");
  const postgres = await postgresCpu(pool);
  let turn = 0;
  const write = async (count: number): Promise<number> => {
    const before = postgres();
    for (let n = 0; n < count; n += 1) {
      const path = `/api/companies/${followed.companyId}/goods/${followed.goodIds[(turn += 1) % followed.goodIds.length]}`;
      const response = await ask(followed, 0, path, { method: "PATCH", body: { name: `Measured ${turn}` } });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`a write is answered ${response.status}`);
    }
    return (postgres() - before) / count;
  };
  await write(WARM_UP);
  const pairs: { without: number; withEntries: number }[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const cost = { without: 0, withEntries: 0 };
    for (const isWhole of pair % 2 === 0 ? [true, false] : [false, true]) {
      await pool.query(isWhole ? whole : empty);
      await write(WRITES / 10);
      cost[isWhole ? "withEntries" : "without"] = await write(WRITES);
    }
    pairs.push(cost);
  }
  await pool.query(whole);
  const more = median(pairs.map(({ without, withEntries }) => withEntries / without)) - 1;
  const plain = median(pairs.map(({ without }) => without));
  console.log(
    `a write takes PostgreSQL ${plain.toFixed(2)} ms without the journal, and ${(100 * more).toFixed(1)} % more with it ` +
      `(median of ${PAIRS} pairs of ${WRITES}); ${100 * MOST} % are allowed`,
  );
  await tellReading(followed, postgres);
  return more <= MOST;
}

async function tellReading(followed: Followed, postgres: () => number): Promise<void> {
  let [path, count] = [`/api/companies/${followed.companyId}/changes?per_page=200`, 0];
  const before = postgres();
  for (let isMore = true; isMore;) {
    const response = await ask(followed, 0, path);
    const page = (await response.json()) as unknown[];
    path =
      /<(?:https?:\/\/[^/]+)?(?<path>[^>]+)>; rel="next"/u.exec(response.headers.get("link") ?? "")?.groups?.[
        "path"
      ] ?? "";
    count += page.length;
    isMore = page.length > 0;
  }
  const cost = postgres() - before;
  console.log(
    `a reader of ${count} changes in pages of 200 takes PostgreSQL ${((1_000 * cost) / count).toFixed(0)} µs a change`,
  );
}
