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

/** Returns whether a thing has not changed since; moments are shown by the second. */
export function isUnchanged(updatedAt: Date, since: Date | null): boolean {
  return since !== null && Math.floor(updatedAt.getTime() / 1_000) <= Math.floor(since.getTime() / 1_000);
}
