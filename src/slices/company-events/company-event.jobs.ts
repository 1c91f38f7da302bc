import { addJob, removeJob, type Task } from "../../core/jobs/jobs.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { nextDue, type Scheduled } from "../../core/schedule/schedule.js";
import { moveDueEvent } from "./company-event.sql.js";

interface CompanyEventDue {
  readonly companyId: number;
  readonly companyEventId: number;
}

declare module "../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Writes that an event runs or is finished, when its time has come. */
    companyEventDue: CompanyEventDue;
  }
}

/** Sets the job for the next due time of an event, in place of an earlier one; removes that when none is left. */
export async function scheduleCompanyEventDue(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  event: Scheduled & { readonly id: number },
): Promise<void> {
  const key = `company-event:${companyId}:${event.id}`;
  const due = nextDue(event);
  if (due === null) return removeJob({ db }, key);
  await addJob({ db }, "companyEventDue", { companyId, companyEventId: event.id }, { runAt: due, key });
}

/**
 * Writes the status that is due by the database's clock, which also started this job, and sets the next job. Answers go
 * by the run times and not by the stored status, so the job may come late, too early or twice.
 */
export const companyEventDue: Task<CompanyEventDue> = async (
  { companyId, companyEventId },
  { transaction, log },
) => {
  await transaction(companyId, async (db) => {
    const status = await moveDueEvent({ db, companyId }, companyEventId);
    const event = await db.companyEvent.findFirst({ where: { companyId, id: companyEventId } });
    if (event !== null) await scheduleCompanyEventDue({ db, companyId }, event);
    if (status !== null) log.info({ companyId, companyEventId, status }, "event due");
  });
};
