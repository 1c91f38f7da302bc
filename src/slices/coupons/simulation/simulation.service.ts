import type { JsonObject, Row } from "../../../core/db/db.js";
import { DomainError, invalidField, notFound } from "../../../core/errors/domain-error.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { assertReachesAll } from "../../../core/scope/reaches-all.js";
import { lockCompany } from "../../companies/company.sql.js";
import { GIFT_CARD } from "../checks/basket.rules.js";
import type { CreateCouponInput } from "../coupon.inputs.js";
import type { CouponStats, StatsTimeArgs } from "../stats/coupon-stats.model.js";
import { timeOf } from "../stats/coupon-stats.service.js";
import { couponSimulations } from "./simulation.jobs.js";
import { MOST_AT_ONCE, MOST_ORDERS, MOST_WAITING, type CouponSimulation } from "./simulation.model.js";
import { countOrders, type SimulatedTime } from "./simulated-orders.sql.js";
import { sumsOf } from "./stored-sums.js";
import { simulate } from "./simulate.js";

const SIMULATION = "A simulation";

/** A company that waits for one of its simulations asks again after this time. */
const RETRY_AFTER_SECONDS = 60;

/**
 * What a draft would have given for the orders of a time.
 *
 * @throws DomainError VALIDATION_FAILED for a gift card, a time that is too long or has too many orders, too many groups.
 */
export async function simulateCoupon(
  scope: CompanyScope,
  input: CreateCouponInput,
  args: StatsTimeArgs,
): Promise<readonly CouponStats[]> {
  assertReachesAll(scope, SIMULATION);
  const time = timeToSimulate(scope, input, args);
  const next = "start it as a job by startCouponSimulation";
  await assertOrders(scope, time, MOST_AT_ONCE, next);
  const { company, caller } = scope;
  const reader = { company, caller, read: <T>(work: (inside: CompanyScope) => Promise<T>) => work(scope) };
  return simulate(reader, { input, groupBy: args.groupBy ?? [], ...time });
}

/**
 * Keeps the question and adds the job for it, in one transaction.
 *
 * @throws DomainError VALIDATION_FAILED as `simulateCoupon`; RATE_LIMITED when as many of the company wait or run as may.
 */
export async function startSimulation(
  scope: CompanyScope,
  input: CreateCouponInput,
  args: StatsTimeArgs,
): Promise<CouponSimulation> {
  assertReachesAll(scope, SIMULATION);
  const { from, until } = timeToSimulate(scope, input, args);
  const total = await assertOrders(scope, { from, until }, MOST_ORDERS, "choose a shorter time");
  return scope.transaction(async (inside) => {
    const { db, companyId, company } = inside;
    // Two that come at once count one after the other.
    await lockCompany(db, companyId);
    await assertRoomToWait(inside);
    const row = await db.couponSimulation.create({
      data: {
        ...{ companyId, input: input as unknown as JsonObject, groupBy: [...(args.groupBy ?? [])] },
        ...{ fromAt: from, untilAt: until, total },
        ...{ timeZone: company.timeZoneOffset, currencyIso: company.currencyIso },
      },
    });
    await couponSimulations.schedule(inside, row.id);
    return shown(row);
  });
}

/** @throws DomainError NOT_FOUND. */
export async function getSimulation({ db, companyId }: CompanyScope, id: number): Promise<CouponSimulation> {
  const row = await db.couponSimulation.findFirst({ where: { companyId, id } });
  if (row === null) throw notFound("CouponSimulation");
  return shown(row);
}

function shown(row: Row<"CouponSimulation">): CouponSimulation {
  return { ...row, sums: row.sums === null ? null : sumsOf(row.sums) };
}

/** @throws DomainError VALIDATION_FAILED. */
function timeToSimulate(
  scope: CompanyScope,
  { type }: CreateCouponInput,
  args: StatsTimeArgs,
): SimulatedTime {
  if (type === "gift_card") throw invalidField("type", "type", GIFT_CARD);
  return timeOf(scope, args);
}

/** @returns how many orders the time has. @throws DomainError VALIDATION_FAILED for too many. */
async function assertOrders(
  scope: CompanyScope,
  time: SimulatedTime,
  most: number,
  next: string,
): Promise<number> {
  const count = await countOrders(scope, time, most + 1);
  if (count > most) throw invalidField("until", "max", `is after more than ${most} orders; ${next}`);
  return count;
}

/** @throws DomainError RATE_LIMITED. */
async function assertRoomToWait({ db, companyId }: CompanyScope): Promise<void> {
  const waiting = await db.couponSimulation.count({
    where: { companyId, status: { in: ["queued", "running"] } },
  });
  if (waiting < MOST_WAITING) return;
  const message = `At most ${MOST_WAITING} simulations of a company wait or run; this would be one more.`;
  throw new DomainError("RATE_LIMITED", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
