import { NO_JSON, type JsonObject } from "../../../core/db/db.js";
import { DomainError, notFound, validationFailed } from "../../../core/errors/domain-error.js";
import { compileFilter, type Where } from "../../../core/lists/compile-filter.js";
import { filterErrors } from "../../../core/lists/filter-errors.js";
import type { Filter } from "../../../core/lists/list-definition.js";
import { currentActor } from "../../../core/operations/actor.sql.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { assertReachesAll } from "../../../core/scope/reaches-all.js";
import { goodList } from "../good.model.js";
import type { RepriceGoodsInput } from "./repricing.inputs.js";
import { repricings } from "./repricing.jobs.js";
import { MOST_WAITING, type GoodRepricing, type RepricingPreview } from "./repricing.model.js";
import { changedPrice, changeErrors, type PriceChange } from "./repricing.rules.js";
import { lockRepricings } from "./repricing.sql.js";

const PRICES = "A change of prices by a filter";

/** A company that waits for one of its changes asks again after this time. */
const RETRY_AFTER_SECONDS = 60;

/**
 * A page of the goods whose prices a change is about, with their prices before and after; changes nothing.
 *
 * @throws DomainError VALIDATION_FAILED.
 */
export async function previewRepricing(
  scope: CompanyScope,
  filter: Filter | null,
  input: RepriceGoodsInput,
  { first, afterGoodId }: { readonly first: number; readonly afterGoodId: number },
): Promise<RepricingPreview> {
  assertReachesAll(scope, PRICES);
  const { db, companyId } = scope;
  const change = changeOf(filter, input);
  const where = whichGoods(companyId, filter);
  const rows = await db.good.findMany({
    where: { ...where, id: { gt: afterGoodId } },
    orderBy: { id: "asc" },
    take: first + 1,
    select: { id: true, name: true, priceE2: true },
  });
  const page = rows.slice(0, first);
  return {
    total: await db.good.count({ where }),
    goods: page.map(({ id, name, priceE2 }) => ({
      goodId: id,
      name,
      beforeE2: priceE2,
      afterE2: changedPrice(priceE2, change),
    })),
    nextAfterGoodId: rows.length > first ? (page.at(-1)?.id ?? null) : null,
  };
}

/**
 * Keeps the change and adds the job for it, in one transaction. Goods that are made later are left alone.
 *
 * @throws DomainError VALIDATION_FAILED; RATE_LIMITED when as many of the company wait or run as may.
 */
export async function repriceGoods(
  scope: CompanyScope,
  filter: Filter | null,
  input: RepriceGoodsInput,
): Promise<GoodRepricing> {
  assertReachesAll(scope, PRICES);
  const change = changeOf(filter, input);
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    await lockRepricings(inside);
    await assertRoomToWait(inside);
    const newest = await db.good.findFirst({
      where: { companyId },
      orderBy: { id: "desc" },
      select: { id: true },
    });
    const row = await db.goodRepricing.create({
      data: {
        ...change,
        companyId,
        filter: filter === null ? NO_JSON : plain(filter),
        total: await db.good.count({ where: whichGoods(companyId, filter) }),
        untilId: newest?.id ?? 0,
        actor: (await currentActor(db)) ?? NO_JSON,
      },
    });
    await repricings.schedule(inside, row.id);
    return row;
  });
}

/** @throws DomainError NOT_FOUND. */
export async function getRepricing({ db, companyId }: CompanyScope, id: number): Promise<GoodRepricing> {
  const row = await db.goodRepricing.findFirst({ where: { companyId, id } });
  if (row === null) throw notFound("GoodRepricing");
  return row;
}

/** @throws DomainError VALIDATION_FAILED. */
function changeOf(filter: Filter | null, input: RepriceGoodsInput): PriceChange {
  const errors = [...changeErrors(input), ...(filter === null ? [] : filterErrors(filter, goodList.fields))];
  if (errors.length > 0) throw validationFailed(errors);
  const { percent, amountE2, roundTo } = input;
  return {
    percentE2: percent == null ? null : Math.round(percent * 100),
    amountE2: amountE2 == null ? null : BigInt(amountE2),
    roundToE2: BigInt(roundTo ?? 1),
  };
}

function whichGoods(companyId: number, filter: Filter | null): Where {
  return { companyId, deletedAt: null, AND: compileFilter(filter, goodList.fields) };
}

/** What GraphQL has read, as JSON keeps it. */
function plain(filter: Filter): JsonObject {
  return JSON.parse(JSON.stringify(filter)) as JsonObject;
}

/** @throws DomainError RATE_LIMITED. */
async function assertRoomToWait({ db, companyId }: CompanyScope): Promise<void> {
  const waiting = await db.goodRepricing.count({
    where: { companyId, status: { in: ["queued", "running"] } },
  });
  if (waiting < MOST_WAITING) return;
  const message = `At most ${MOST_WAITING} changes of a company's prices wait or run; this would be one more.`;
  throw new DomainError("RATE_LIMITED", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
