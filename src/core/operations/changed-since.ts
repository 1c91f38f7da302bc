import { createParameterDecorator } from "type-graphql";
import { DateTime } from "../scalars/date-time.js";
import { parseMoment } from "../time/moments.js";
import type { OperationContext } from "./operation-context.js";

/** The argument by which a read answers null when nothing has changed; over REST that is 304. */
export const UNLESS_CHANGED_SINCE = "updatedAt";

/** The argument `updatedAt`: the moment that an earlier answer gave, in UTC as it was shown. */
export function UnlessChangedSince(): (
  prototype: object,
  method: string | symbol | undefined,
  index: number,
) => void {
  const description =
    "`updatedAt` of the answer at hand, in UTC as it was shown: null when it is still the same.";
  const parameter = createParameterDecorator<OperationContext>(
    ({ args }) => {
      const shown = args[UNLESS_CHANGED_SINCE] as unknown;
      return typeof shown === "string" ? parseMoment(shown) : null;
    },
    {
      arg: { name: UNLESS_CHANGED_SINCE, typeFunc: () => DateTime, options: { nullable: true, description } },
    },
  );
  return (prototype, method, index) => parameter(prototype, method as string, index);
}

/** When a thing last changed, and whether an earlier state of it has the same second. */
export interface LastChange {
  readonly updatedAt: Date;
  readonly sharesSecond: boolean;
}

/** Returns whether a thing has not changed since; moments are shown by the second. */
export function isUnchanged({ updatedAt, sharesSecond }: LastChange, since: Date | null): boolean {
  if (since === null) return false;
  const [changed, asked] = [secondOf(updatedAt), secondOf(since)];
  return changed < asked || (changed === asked && !sharesSecond);
}

/**
 * Returns the last change of what is made of several rows. Rows that were only made share no second: nobody has read what is
 * made of them before.
 */
export function latestOf(rows: readonly (LastChange & { readonly version: number })[]): LastChange {
  const latest = Math.max(...rows.map(({ updatedAt }) => updatedAt.getTime()));
  const updatedAt = new Date(latest);
  const within = rows.filter((row) => secondOf(row.updatedAt) === secondOf(updatedAt));
  const isShared = within.length > 1 && within.some(({ version }) => version > 1);
  return { updatedAt, sharesSecond: isShared || within.some(({ sharesSecond }) => sharesSecond) };
}

const secondOf = (moment: Date): number => Math.floor(moment.getTime() / 1_000);
