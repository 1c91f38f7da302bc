import type { Row } from "../../../core/db/db.js";
import { notFound } from "../../../core/errors/domain-error.js";
import { FILE_WORK_DAYS } from "../../../core/jobs/followed-job.js";
import { deletion, sweeping } from "../../../core/jobs/sweep.js";
import { defineBatches, followedWork } from "../../../core/jobs/work.js";
import { compileFilter } from "../../../core/lists/compile-filter.js";
import type { Filter } from "../../../core/lists/list-definition.js";
import { actFor } from "../../../core/operations/actor.sql.js";
import type { Db } from "../../../core/scope/company-scope.js";
import { goodList } from "../good.model.js";
import { lockGoods } from "../good-links.sql.js";
import { changedPrice } from "./repricing.rules.js";
import { writePrices } from "./repricing.sql.js";

declare module "../../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Changes the prices of many goods. */
    repriceGoods: { companyId: number; repricingId: number };
    /** Removes what is kept of changes that ended long ago. */
    removeOldRepricings: object;
  }
}

const GOODS_OF_BATCH = 500;

/** Changes the prices of the goods that fit a filter, in the order of their ids, each once. */
export const repricings = defineBatches({
  task: "repriceGoods",
  row: "repricingId",
  kind: "repricing",
  batch: async ({ db, ...row }) => {
    const [change] = await db.goodRepricing.updateManyAndReturn({
      where: { ...row, status: { in: ["queued", "running"] } },
      data: { status: "running" },
    });
    if (change === undefined) return "none";
    const { companyId, lastId, untilId, filter } = change;
    const goods = await db.good.findMany({
      where: {
        companyId,
        deletedAt: null,
        id: { gt: lastId, lte: untilId },
        AND: compileFilter(filter as Filter | null, goodList.fields),
      },
      orderBy: { id: "asc" },
      take: GOODS_OF_BATCH,
      select: { id: true },
    });
    const ids = goods.map(({ id }) => id);
    const { changed, kept } = await reprice(db, change, ids);
    const isEnd = ids.length < GOODS_OF_BATCH;
    await db.goodRepricing.updateMany({
      where: row,
      data: {
        lastId: ids.at(-1) ?? lastId,
        done: { increment: ids.length },
        changed: { increment: changed },
        kept: { increment: kept },
        ...(isEnd && { status: "finished", finishedAt: new Date() }),
      },
    });
    return isEnd ? "done" : "more";
  },
});

/** Changes the prices of goods as they are once their rows are locked. */
async function reprice(
  db: Db,
  { companyId, percentE2, amountE2, roundToE2, actor }: Row<"GoodRepricing">,
  ids: readonly number[],
): Promise<{ changed: number; kept: number }> {
  if (ids.length === 0) return { changed: 0, kept: 0 };
  await lockGoods({ db, companyId }, ids);
  const goods = await db.good.findMany({
    where: { companyId, id: { in: [...ids] }, deletedAt: null },
    select: { id: true, priceE2: true },
  });
  const prices = goods.map(({ id, priceE2 }) => ({
    id,
    before: priceE2,
    priceE2: changedPrice(priceE2, { percentE2, amountE2, roundToE2 }),
  }));
  const changes = prices.flatMap(({ id, before, priceE2 }) =>
    priceE2 === null || priceE2 === before ? [] : [{ id, priceE2 }],
  );
  await actFor(db, actor);
  await writePrices(db, companyId, changes);
  await actFor(db, null);
  return { changed: changes.length, kept: prices.filter(({ priceE2 }) => priceE2 === null).length };
}

export const repricingJob = followedWork(repricings, "goods", async ({ db, companyId }, id) => {
  const select = { status: true, done: true, total: true };
  const found = await db.goodRepricing.findFirst({ where: { companyId, id }, select });
  if (found === null) throw notFound("Job");
  const { status, done, total } = found;
  return { state: status === "finished" ? "done" : "running", done, total };
});

export const removeOldRepricings = sweeping(
  deletion({
    model: "GoodRepricing",
    where: `finished_at < now() - interval '${FILE_WORK_DAYS} days'`,
    orderBy: "finished_at",
    most: 100,
  }),
);
