import type { Sheets } from "../../src/core/sheets/sheet.js";
import { sheetsWithin } from "../support/sheets-within.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { csv, openShop, send, type Shop } from "./imports.js";

interface Progress {
  readonly state: string;
  readonly done: number;
  readonly total: number | null;
}

let gateway: Gateway;
let shop: Shop;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
beforeEach(async () => {
  shop = await openShop(gateway);
});
afterAll(() => gateway.close());

const ROWS = 1_000;
/** The first rows are much longer than the others: what is read of the file says little of its rows. */
const SHEET = csv(
  ["sku", "name", "price", "details"],
  ...Array.from({ length: ROWS }, (_, i) => [`A-${i}`, `Water ${i}`, 1, "a".repeat(i < 100 ? 2_000 : 1)]),
);

async function progressOf(jobId: string): Promise<Progress> {
  const { data } = await shop.company.owner.run(
    "query ($c: Int!, $id: String!) { job(companyId: $c, id: $id) { state done total } }",
    { c: shop.company.id, id: jobId },
  );
  return (data as { job: Progress }).job;
}

/** Notes how far the job has come whenever rows are asked for, and before the copy with errors is made. */
function watched(jobId: string, seen: Progress[]): Sheets {
  return {
    async *read(source) {
      for await (const rows of sheetsWithin.read(source)) {
        seen.push(await progressOf(jobId));
        yield rows;
      }
    },
    async annotate(...told) {
      seen.push(await progressOf(jobId));
      return sheetsWithin.annotate(...told);
    },
  };
}

it("says how many rows there are once all are counted, and never guesses", async () => {
  const { body } = await send(shop, `${SHEET}\n"A-0","twice",1,"a"`);
  const jobId = `import-${body.id as number}`;
  const seen: Progress[] = [await progressOf(jobId)];

  await gateway.runJobs({ sheets: watched(jobId, seen) });

  const running = seen.slice(0, -1);
  expect(running.map(({ total }) => total)).toEqual(running.map(() => null));
  const done = running.map((progress) => progress.done);
  expect(done).toEqual([...done].sort((one, other) => one - other));
  expect(Math.max(...done)).toBeGreaterThan(0);
  expect(seen.at(-1)).toEqual({ state: "running", done: ROWS + 1, total: ROWS + 1 });
  expect(await progressOf(jobId)).toEqual({ state: "done", done: ROWS + 1, total: ROWS + 1 });
});

it("says no number of rows when the file could not be read to its end", async () => {
  const { body } = await send(shop, `${SHEET}\n"A-x","a quote that is never closed,1,1`);
  const jobId = `import-${body.id as number}`;

  await gateway.runJobs();

  const { state, done, total } = await progressOf(jobId);
  expect([state, done > 0, total]).toEqual(["failed", true, null]);
});
