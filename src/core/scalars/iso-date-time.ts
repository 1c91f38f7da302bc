import { GraphQLScalarType } from "graphql";
import { formatIsoMoment } from "../time/moments.js";

/** A moment of a document that other systems read; answers alone have it. */
export const IsoDateTime = new GraphQLScalarType<string, string>({
  name: "IsoDateTime",
  description:
    "A moment in UTC as ISO 8601 with microseconds: `2026-11-22T08:30:00.125000Z`. Kept to the millisecond.",
  serialize: (value) => (value instanceof Date ? formatIsoMoment(value) : String(value)),
});
