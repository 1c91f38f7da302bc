import { GraphQLError, GraphQLScalarType } from "graphql";
import { formatMoment } from "../time/moments.js";

/** A moment, which is text on both faces; inputs stay text until the company's time zone is known. */
export const DateTime = new GraphQLScalarType<string, string>({
  name: "DateTime",
  description:
    "A moment in UTC as `YYYY-MM-DD HH:MM:SS`. Input also takes `YYYY-MM-DD` and ISO 8601; without an offset " +
    "of its own it is read in the `timezone` sent along, else in the company's zone, its `timeZone` or else its `timeZoneOffset`; in a filter it is UTC, " +
    "as it is reported, unless the filter says otherwise, and means its whole second.",
  serialize: (value) => (value instanceof Date ? formatMoment(value) : String(value)),
  parseValue: (value) => {
    if (typeof value !== "string") throw new GraphQLError("DateTime must be a string");
    return value;
  },
});
