import { compileFilter, type Where } from "../lists/compile-filter.js";
import { SCHEDULE_STATUSES, type ScheduleStatus } from "./schedule.js";

type Conditions = Readonly<Record<string, unknown>>;
type Filter = Readonly<Record<string, Conditions | null>>;

/**
 * Takes the condition on `status` out of a filter. The column may lag behind the run times, by which the status is
 * shown, so the condition is put in terms of both.
 *
 * @returns the rest of the filter, and a condition for rows that have a wanted status at the moment.
 * @throws DomainError BAD_REQUEST for a condition that no filter may hold.
 */
export function splitStatusFilter<T extends Filter>(
  filter: T | null | undefined,
  at: Date,
): { filter: Omit<T, "status">; where: Where } {
  const { status, ...rest } = filter ?? ({} as T);
  // Called for its checks alone: it throws for a condition that no filter may hold.
  compileFilter({ status: status ?? null }, { status: { kind: "text" } });
  const wanted = SCHEDULE_STATUSES.filter((candidate) => matches(candidate, status ?? {}));
  const where =
    wanted.length === SCHEDULE_STATUSES.length
      ? {}
      : { OR: wanted.flatMap((candidate) => rowsThatAre(candidate, at)) };
  return { filter: rest, where };
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
  lt: (status, value) => status < (value as string),
  lte: (status, value) => status <= (value as string),
  gt: (status, value) => status > (value as string),
  gte: (status, value) => status >= (value as string),
  contains: (status, value) => status.includes((value as string).toLowerCase()),
  startsWith: (status, value) => status.startsWith((value as string).toLowerCase()),
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
