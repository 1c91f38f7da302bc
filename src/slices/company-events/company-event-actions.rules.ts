import { invalidState } from "../../core/errors/domain-error.js";
import { SCHEDULE_STATUSES, statusAt, type Scheduled } from "../../core/schedule/schedule.js";

/** The statuses of an event: pending, ready, running and finished. Nothing is generated for it. */
export const COMPANY_EVENT_STATUSES = SCHEDULE_STATUSES.filter(
  (status): status is Exclude<typeof status, "generating"> => status !== "generating",
);
export type CompanyEventStatus = (typeof COMPANY_EVENT_STATUSES)[number];

/** The actions on an event. */
export const COMPANY_EVENT_ACTIONS = ["update", "set_ready", "set_finished"] as const;
export type CompanyEventAction = (typeof COMPANY_EVENT_ACTIONS)[number];

/** The actions that each status allows (contract §14.2); none deletes an event. */
export const ACTIONS_BY_STATUS: Readonly<Record<CompanyEventStatus, readonly CompanyEventAction[]>> = {
  pending: ["update", "set_ready"],
  ready: [],
  running: ["set_finished"],
  finished: [],
};

/** The status of an event at a moment, whether or not a job has written so yet. */
export function eventStatusAt(event: Scheduled, at: Date): CompanyEventStatus {
  return statusAt(event as Scheduled & { status: CompanyEventStatus }, at) as CompanyEventStatus;
}

/** @throws DomainError INVALID_STATE, which names the state and the actions that it allows. */
export function assertMay(action: CompanyEventAction, event: Scheduled, at: Date): void {
  const state = eventStatusAt(event, at);
  const allowedActions = ACTIONS_BY_STATUS[state];
  if (allowedActions.includes(action)) return;
  throw invalidState(`The event is ${state}.`, state, allowedActions);
}
