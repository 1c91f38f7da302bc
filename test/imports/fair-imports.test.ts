import type { JobContext } from "../../src/core/jobs/jobs.js";
import { goodsImports } from "../../src/slices/imports/import-goods.jobs.js";

it("a process does one import of a company at a time, so that those of others find a place", async () => {
  const begun: number[] = [];
  let added = 0;
  const put = () => Promise.resolve([{ id: BigInt((added += 1)) }]);
  let end: (value: null) => void = () => undefined;
  const isGone = new Promise<null>((resolve) => (end = resolve));
  const context = {
    database: { writer: { $queryRaw: put } },
    transaction: (companyId: number) => {
      begun.push(companyId);
      return isGone;
    },
  } as unknown as JobContext;
  const start = (companyId: number, importJobId: number) =>
    goodsImports.task({ companyId, importJobId }, context);

  const first = start(1, 1);
  await start(1, 2);
  const second = start(2, 3);
  await start(3, 4);

  expect(begun).toEqual([1, 2]);
  // The import that found no place, and the one of a company that has one already, come again.
  expect(added).toBe(2);
  end(null);
  await Promise.all([first, second]);
  await start(1, 2);
  expect(begun).toEqual([1, 2, 1]);
});
