import { formatMoment } from "../../../core/time/moments.js";
import { nothingAsked, oneOf, usesOf, type Seen } from "./coupon-seen.js";
import type { Candidate, Situation } from "./coupon-facts.js";

/** Judges the whitelists of clients and of sources such as `web`; an empty list lets in everybody. */
export function listed({ whitelist, config }: Candidate, { client, source }: Situation): Seen {
  const sources = config.sourceWhitelist ?? [];
  const needs: { passed: boolean; actual: string; required: string }[] = [];
  if (whitelist.length > 0) {
    const passed = client !== null && whitelist.includes(client.id);
    needs.push({ passed, actual: clientName(client), required: "a client of the coupon's list" });
  }
  if (sources.length > 0) {
    const passed = source !== null && sources.includes(source);
    needs.push({
      passed,
      actual: source === null ? "no source" : `source ${source}`,
      required: `source ${oneOf(sources)}`,
    });
  }
  if (needs.length === 0) return nothingAsked(clientName(client));
  return {
    passed: needs.every(({ passed }) => passed),
    actual: needs.map(({ actual }) => actual).join(", "),
    required: needs.map(({ required }) => required).join(" and "),
  };
}

/** Judges whether the client registered between two moments, both included. */
export function registered({ config }: Candidate, { client }: Situation): Seen {
  const since = momentOrNull(config.usersRegisteredSince);
  const until = momentOrNull(config.usersRegisteredUntil);
  const actual = client === null ? "no client" : formatMoment(client.registeredAt);
  if (since === null && until === null) return nothingAsked(actual);
  const moment = client?.registeredAt ?? null;
  const required = [
    ...(since === null ? [] : [`since ${formatMoment(since)}`]),
    ...(until === null ? [] : [`until ${formatMoment(until)}`]),
  ].join(" and ");
  return {
    passed: moment !== null && (since === null || moment >= since) && (until === null || moment <= until),
    actual,
    required,
  };
}

/** Judges whether the purchase has to be the client's first, or must not be. */
export function firstPurchase({ config, hasOrdered }: Candidate, { client }: Situation): Seen {
  const { onlyFirstPurchase, excludeFirstPurchase } = config;
  const actual =
    client === null ? "no client" : hasOrdered === true ? "a later purchase" : "the first purchase";
  if (onlyFirstPurchase !== true && excludeFirstPurchase !== true) return nothingAsked(null);
  const required = [
    ...(onlyFirstPurchase === true ? ["the first purchase"] : []),
    ...(excludeFirstPurchase === true ? ["a purchase after the first"] : []),
  ].join(" and ");
  const passed =
    client !== null &&
    (onlyFirstPurchase !== true || hasOrdered !== true) &&
    (excludeFirstPurchase !== true || hasOrdered === true);
  return { passed, actual, required };
}

/** Judges how often the client used the coupon. Nobody can count the uses of a client who is not named. */
export function underLimit({ config, clientUses }: Candidate, { client }: Situation): Seen {
  const { limit } = config;
  if (limit == null) return nothingAsked(null);
  const required = `less than ${usesOf(limit)} by the client`;
  if (client === null)
    return { passed: false, actual: "no client", required: `${required}, so a client must be named` };
  return { passed: clientUses < limit, actual: usesOf(clientUses), required };
}

function momentOrNull(text: string | null | undefined): Date | null {
  return text == null ? null : new Date(text);
}

function clientName(client: Situation["client"]): string {
  return client === null ? "no client" : `client ${client.id}`;
}
