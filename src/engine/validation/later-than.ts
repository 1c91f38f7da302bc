import type { ErrorObject } from "ajv";
import type { DataValidationCxt } from "ajv/dist/types/index.js";
import { parseMoment } from "../../core/time/moments.js";
import { isOffset } from "../../core/time/zones.js";

/** The moment and the time zone in which an input is read. */
export interface Reading {
  /** The moment of the request (UTC). */
  readonly at: Date;
  /** The zone of moments without an offset, unless the input has one of its own. */
  readonly timeZoneOffset: string;
}

interface LaterThan {
  (
    this: { reading: Reading },
    others: readonly string[],
    text: string,
    parent?: unknown,
    context?: DataValidationCxt,
  ): boolean;
  errors?: Partial<ErrorObject>[];
}

/**
 * Defines the keyword `laterThan`: a moment has to be valid in its time zone, and later than each of the named
 * moments: `now`, or a field beside it when that field is given. A moment that is too early is reported once, with
 * rule `after`.
 */
export const laterThan: LaterThan = function (others, text, _parent, context) {
  const offset = offsetOf(context?.rootData) ?? this.reading.timeZoneOffset;
  const instant = parseMoment(text, offset);
  if (instant === null) return isToldByFormat(text);
  const siblings = (context?.parentData ?? {}) as Record<string, unknown>;
  const early = others.find((other) => {
    const bound =
      other === "now"
        ? this.reading.at
        : typeof siblings[other] === "string"
          ? parseMoment(siblings[other], offset)
          : null;
    return bound !== null && instant <= bound;
  });
  if (early === undefined) return true;
  laterThan.errors = [{ keyword: "after", message: `must be later than ${early}`, params: {} }];
  return false;
};

function isToldByFormat(text: string): boolean {
  if (parseMoment(text) === null) return true;
  const message = "must lie within the years 1 to 9999 in UTC";
  laterThan.errors = [{ keyword: "datetime", message, params: {} }];
  return false;
}

/** The fields of a body whose offset counts for all moments in the body. */
const ZONES = ["timezone", "sendAtTimezone"];

/** Returns the offset that the body itself names. */
function offsetOf(root: unknown): string | undefined {
  const { input } = (root ?? {}) as { input?: Readonly<Record<string, unknown>> | null };
  const timezone = ZONES.map((name) => input?.[name]).find((value) => value != null);
  return typeof timezone === "string" && isOffset(timezone) ? timezone : undefined;
}
