import { addJob, removeJob, type Task } from "../core/jobs/jobs.js";
import type { CompanyScope } from "../core/tenancy/company-scope.js";
import { scopedClient } from "../core/tenancy/scoped-client.js";
import type { EventTimes } from "./company-event-input.rules.js";
import { moveDueEvent } from "./company-event.sql.js";

interface CompanyEventDue {
  readonly companyId: number;
  readonly companyEventId: number;
}

declare module "../core/jobs/jobs.js" {
  interface JobPayloads {
    /** An event starts or ends. */
    companyEventDue: CompanyEventDue;
  }
}

type ScheduledEvent = EventTimes & { readonly id: number; readonly status: string };

/** Sets the job for what is due next of an event in place of the one before; none when nothing more will come. */
export async function scheduleCompanyEventDue(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  { id, status, startsAt, endsAt }: ScheduledEvent,
): Promise<void> {
  const key = `company-event:${companyId}:${id}`;
  const due = status === "ready" ? startsAt : status === "running" ? endsAt : null;
  if (due === null) return removeJob({ db }, key);
  await addJob({ db }, "companyEventDue", { companyId, companyEventId: id }, { runAt: due, key });
}

/**
 * Writes down that an event runs or is finished, by the database's clock, which also started this job. That it is so
 * holds already: whoever asks goes by the times. Twice, late or too early does no harm.
 */
export const companyEventDue: Task<CompanyEventDue> = async (
  { companyId, companyEventId },
  { database, log },
) => {
  await scopedClient(database.writer, companyId).$transaction(async (db) => {
    const status = await moveDueEvent({ db, companyId }, companyEventId);
    const event = await db.companyEvent.findFirst({ where: { companyId, id: companyEventId } });
    if (event !== null) await scheduleCompanyEventDue({ db, companyId }, event);
    if (status !== null) log.info({ companyId, companyEventId, status }, "event due");
  });
};
