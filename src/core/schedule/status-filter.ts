import { EVERY_ROW, type Conditions, type Where } from "../lists/compile-filter.js";
import { SCHEDULE_STATUSES, type ScheduleStatus } from "./schedule.js";

/**
 * Puts conditions on `status` in terms of the column and of the run times: the column may lag behind the times, by
 * which the status is shown.
 *
 * @returns a condition for rows that have a wanted status at the moment.
 */
export function statusCondition(conditions: Conditions, at: Date): Where {
  const wanted = SCHEDULE_STATUSES.filter((candidate) => matches(candidate, conditions));
  if (wanted.length === SCHEDULE_STATUSES.length) return EVERY_ROW;
  if (wanted.length === 0) return { id: { in: [] } };
  return { OR: wanted.flatMap((candidate) => rowsThatAre(candidate, at)) };
}

function matches(status: string, conditions: Conditions): boolean {
  return Object.entries(conditions).every(
    ([operator, value]) => value === undefined || OPERATORS[operator]?.(status, value) !== false,
  );
}

const OPERATORS: Readonly<Record<string, (status: string, value: unknown) => boolean>> = {
  eq: (status, value) => status === value,
  ne: (status, value) => status !== value,
  in: (status, value) => (value as unknown[]).includes(status),
  nin: (status, value) => !(value as unknown[]).includes(status),
  isNull: (_, value) => value !== true,
};

/** Conditions, one of which holds for a row that has the status at a moment; the counterpart of `statusAt`. */
function rowsThatAre(status: ScheduleStatus, at: Date): Where[] {
  const begun: Where[] = [{ status: "running" }, { status: "ready", startsAt: { lte: at } }];
  switch (status) {
    case "pending":
    case "generating":
      return [{ status }];
    case "ready":
      return [
        { status, startsAt: null },
        { status, startsAt: { gt: at } },
      ];
    case "running":
      return begun.map((row) => ({ ...row, OR: [{ endsAt: null }, { endsAt: { gt: at } }] }));
    case "finished":
      return [{ status }, ...begun.map((row) => ({ ...row, endsAt: { lte: at } }))];
  }
}
