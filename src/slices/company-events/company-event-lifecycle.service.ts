import { randomBytes } from "node:crypto";
import { invalidField, notFound } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { mergeTimes, type RunTimes } from "../../core/schedule/schedule.js";
import { assertMay } from "./company-event-actions.rules.js";
import { eventConfig } from "./company-event-config.js";
import { assertHasCouponSeeds, assertInOrder } from "./company-event-input.rules.js";
import { scheduleCompanyEventDue } from "./company-event.jobs.js";
import type { SetCompanyEventReadyInput } from "./company-event.inputs.js";
import type { CompanyEventRow } from "./company-event.model.js";
import { getCompanyEvent } from "./company-event.service.js";
import { finishEvent, lockShakes, lockEvent } from "./company-event.sql.js";

const SEED_BYTES = 32;

/**
 * Sets a pending event ready: it runs from `startsAt` on, or at once when that is not in the future. Its secret seed is
 * made now, so that nobody can fit it to what happens later.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE; VALIDATION_FAILED when it has no coupon seeds, or would end before it
 *   starts.
 */
export function setCompanyEventReady(
  scope: CompanyScope,
  id: number,
  input: SetCompanyEventReadyInput,
): Promise<CompanyEventRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    if (!(await lockEvent(inside, id))) throw notFound("CompanyEvent");
    const stored = await getCompanyEvent(inside, id);
    assertMay("set_ready", stored, at);
    assertHasCouponSeeds(eventConfig(stored));
    const times = timesWhenReady(inside, stored, input);
    const ready = await db.companyEvent.update({
      where: { companyId_id: { companyId, id } },
      data: { ...times, status: "ready", seed: randomBytes(SEED_BYTES) },
    });
    await db.companyEventPrize.createMany({
      data: (eventConfig(stored).couponSeeds ?? []).map(({ maxCount }, place) => ({
        companyId,
        companyEventId: id,
        place,
        maxCount,
      })),
    });
    await scheduleCompanyEventDue(inside, ready);
    return ready;
  });
}

/**
 * Ends a running event now, after the shakes that are under way. From then on its seed is shown.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE.
 */
export function setCompanyEventFinished(scope: CompanyScope, id: number): Promise<CompanyEventRow> {
  return scope.transaction(async (inside) => {
    await lockShakes(inside, id);
    if (!(await lockEvent(inside, id))) throw notFound("CompanyEvent");
    assertMay("set_finished", await getCompanyEvent(inside, id), inside.at);
    await finishEvent(inside, id);
    const finished = await getCompanyEvent(inside, id);
    await scheduleCompanyEventDue(inside, finished);
    return finished;
  });
}

function timesWhenReady(
  { company, at }: CompanyScope,
  stored: RunTimes,
  input: SetCompanyEventReadyInput,
): RunTimes {
  const times = mergeTimes(stored, input, input.timezone ?? company.timeZoneOffset);
  if (times.endsAt !== null && times.endsAt <= at)
    throw invalidField("endsAt", "after", "must be later than now");
  const begun = times.startsAt !== null && times.startsAt > at ? times : { ...times, startsAt: at };
  assertInOrder(begun, input);
  return begun;
}
