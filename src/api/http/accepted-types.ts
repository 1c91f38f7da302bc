import type { FastifyRequest } from "fastify";

const EVENTS = "text/event-stream";
const NAMES_EVENTS = new RegExp(EVENTS, "iu");
const JSON_TYPE = /^application\/(?:[a-z-]+\+)?json$/u;
/** The ranges that JSON is in, the narrower one first. */
const JSON_RANGES = ["application/*", "*/*"];

/** Returns the types that an `Accept` names, and how much each is wanted: from 0, not at all, to 1 (RFC 9110). */
export function acceptedTypes({ headers }: FastifyRequest): ReadonlyMap<string, number> {
  return new Map((headers.accept ?? "").split(",").map(readRange));
}

/** Returns how much a caller wants events, which only those get who name them, and how much JSON: all where it names no events. */
export function wantedOfEvents(request: FastifyRequest): { readonly events: number; readonly json: number } {
  // Nearly no request names events: its header is not read then.
  if (!NAMES_EVENTS.test(request.headers.accept ?? "")) return { events: 0, json: 1 };
  const types = acceptedTypes(request);
  const named = [...types].flatMap(([type, quality]) => (JSON_TYPE.test(type) ? [quality] : []));
  const range = JSON_RANGES.find((one) => types.has(one)) ?? "";
  return {
    events: types.get(EVENTS) ?? 0,
    json: named.length > 0 ? Math.max(...named) : (types.get(range) ?? 0),
  };
}

function readRange(text: string): [type: string, quality: number] {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith("q="));
  return [type, given === undefined ? 1 : Number(given.slice(2)) || 0];
}
