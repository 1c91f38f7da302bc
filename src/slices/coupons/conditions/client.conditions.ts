import { defineEnum } from "../../../core/enums.js";
import type { FieldError } from "../../../core/errors/domain-error.js";
import { formatMoment } from "../../../core/time/moments.js";
import { condition, isNamed, nothingAsked, oneOf, usesOf } from "./condition.js";
import { choice, flag, moment, rowIds, texts, whole } from "./config-key.js";
import type { Situation } from "./judged.js";

/** Conditions of the client who buys. */

export const FirstPurchaseModeEnum = defineEnum("FirstPurchaseMode", ["company", "branch_group", "branch"], {
  description: "Where a purchase has to be a client's first one.",
  values: { company: "In the company.", branch_group: "In the shop.", branch: "In the branch." },
});

/** The whitelists of clients and of sources such as `web`; an empty list lets in everybody. */
export const WHITELIST = condition({
  keys: {
    sourceWhitelist: texts({ description: "Sources of orders that it is for; empty: all.", max: 64 }),
  },
  name: "whitelist",
  description: "Client and source are on its lists, where it has lists.",
  code: "COUPON_NOT_WHITELISTED",
  title: "The coupon is for others",
  ofGiftCards: "always",
  holds({ whitelist, config: { sourceWhitelist: sources } }, { client, source }) {
    const isOn = !isNamed(whitelist) || (client !== null && whitelist.includes(client.id));
    return isOn && (!isNamed(sources) || (source !== null && sources.includes(source)));
  },
  words({ whitelist, config }, { client, source }) {
    const sources = config.sourceWhitelist ?? [];
    const needs: { actual: string; required: string }[] = [];
    if (whitelist.length > 0)
      needs.push({ actual: clientName(client), required: "a client of the coupon's list" });
    if (sources.length > 0)
      needs.push({
        actual: source === null ? "no source" : `source ${source}`,
        required: `source ${oneOf(sources)}`,
      });
    if (needs.length === 0) return nothingAsked(clientName(client));
    return {
      actual: needs.map(({ actual }) => actual).join(", "),
      required: needs.map(({ required }) => required).join(" and "),
    };
  },
});

const MOST_SEGMENTS = 50;

/** The client is in one of some segments. Nobody knows that of a client who is not named. */
export const SEGMENTS = condition({
  keys: {
    segmentIds: rowIds("ClientSegment", {
      description: "Segments of clients that it is for, each client of one of them; empty: all clients.",
      sent: `Segments of clients that it is for, at most ${MOST_SEGMENTS}; empty: all clients. A segment without clients is nobody.`,
      most: MOST_SEGMENTS,
    }),
  },
  name: "segments",
  description: "The client is in one of its segments, where it has any.",
  code: "COUPON_NOT_WHITELISTED",
  title: "The coupon is for certain segments of clients",
  ofGiftCards: "always",
  holds: ({ config, inSegments }, { client }) =>
    !isNamed(config.segmentIds) || (client !== null && inSegments),
  words({ config }, { client }) {
    const wanted = config.segmentIds ?? [];
    if (wanted.length === 0) return nothingAsked(clientName(client));
    return { actual: clientName(client), required: `a client of segment ${oneOf(wanted)}` };
  },
});

/** The client is in none of some segments. */
export const EXCLUDED_SEGMENTS = condition({
  keys: {
    excludedSegmentIds: rowIds("ClientSegment", {
      description: "Segments of clients that it is not for.",
      sent: `Segments of clients that it is not for, at most ${MOST_SEGMENTS}.`,
      most: MOST_SEGMENTS,
    }),
  },
  name: "excluded_segments",
  description: "The client is in none of the segments that it excludes; who is not named is in none.",
  code: "COUPON_BLACKLISTED",
  title: "The coupon excludes some segments of clients",
  ofGiftCards: "always",
  holds: ({ config, inExcludedSegments }) => !isNamed(config.excludedSegmentIds) || !inExcludedSegments,
  words({ config }, { client }) {
    const excluded = config.excludedSegmentIds ?? [];
    if (excluded.length === 0) return nothingAsked(clientName(client));
    return { actual: clientName(client), required: `nobody of segment ${oneOf(excluded)}` };
  },
});

/** The client registered between two moments, both included. */
export const REGISTRATION = condition({
  keys: {
    usersRegisteredSince: moment({ description: "For clients who registered then or later." }),
    usersRegisteredUntil: moment({
      description: "For clients who registered then or before.",
      throughDay: true,
      sent: "For clients who registered then or before, a date alone is all of its day; earlier than `usersRegisteredSince` it cannot be set ready.",
    }),
  },
  name: "registration",
  description: "The client registered within its dates.",
  code: "COUPON_REGISTRATION",
  title: "The client registered outside the coupon's time",
  ofGiftCards: "always",
  hopeless({ config }): FieldError | null {
    const { usersRegisteredSince: since, usersRegisteredUntil: until } = config;
    if (since == null || until == null || new Date(since) <= new Date(until)) return null;
    return {
      field: "config.usersRegisteredUntil",
      rule: "after",
      message: "must not be earlier than the moment since which clients have to be registered",
    };
  },
  holds({ config }, { client }) {
    const since = momentOrNull(config.usersRegisteredSince);
    const until = momentOrNull(config.usersRegisteredUntil);
    if (since === null && until === null) return true;
    if (client === null) return false;
    const { registeredAt } = client;
    return (since === null || registeredAt >= since) && (until === null || registeredAt <= until);
  },
  words({ config }, { client }) {
    const since = momentOrNull(config.usersRegisteredSince);
    const until = momentOrNull(config.usersRegisteredUntil);
    const actual = client === null ? "no client" : formatMoment(client.registeredAt);
    if (since === null && until === null) return nothingAsked(actual);
    const required = [
      ...(since === null ? [] : [`since ${formatMoment(since)}`]),
      ...(until === null ? [] : [`until ${formatMoment(until)}`]),
    ].join(" and ");
    return { actual, required };
  },
});

/** The purchase has to be the client's first, or must not be. */
export const FIRST_PURCHASE = condition({
  keys: {
    onlyFirstPurchase: flag({ description: "Whether it is for the client's first purchase alone." }),
    excludeFirstPurchase: flag({
      description: "Whether it is not for the client's first purchase.",
      sent: "Whether it is not for the client's first purchase; along with `onlyFirstPurchase` it cannot be set ready.",
    }),
    firstPurchaseMode: choice(FirstPurchaseModeEnum, {
      description: "Where a purchase has to be the first one; null: company.",
      sent: "Where a purchase has to be the first one; company unless set.",
    }),
  },
  name: "first_purchase",
  description: "It is the first purchase, or is not, as asked.",
  code: "COUPON_FIRST_PURCHASE",
  title: "The coupon asks whether it is the first purchase",
  hopeless({ config }): FieldError | null {
    if (config.onlyFirstPurchase !== true || config.excludeFirstPurchase !== true) return null;
    return {
      field: "config.excludeFirstPurchase",
      rule: "mismatch",
      message: "leaves no purchase for a coupon that is for the first one only",
    };
  },
  holds({ config: { onlyFirstPurchase, excludeFirstPurchase }, hasOrdered }, { client }) {
    if (onlyFirstPurchase !== true && excludeFirstPurchase !== true) return true;
    return (
      client !== null &&
      (onlyFirstPurchase !== true || hasOrdered !== true) &&
      (excludeFirstPurchase !== true || hasOrdered === true)
    );
  },
  words({ config, hasOrdered }, { client }) {
    const { onlyFirstPurchase, excludeFirstPurchase } = config;
    const actual =
      client === null ? "no client" : hasOrdered === true ? "a later purchase" : "the first purchase";
    if (onlyFirstPurchase !== true && excludeFirstPurchase !== true) return nothingAsked(null);
    const required = [
      ...(onlyFirstPurchase === true ? ["the first purchase"] : []),
      ...(excludeFirstPurchase === true ? ["a purchase after the first"] : []),
    ].join(" and ");
    return { actual, required };
  },
});

export const CouponLimitPeriodEnum = defineEnum("CouponLimitPeriod", ["life", "day", "week", "month"], {
  description: "The time for which a limit of each client's uses counts, by the company's clock.",
  values: {
    life: "The life of the coupon.",
    day: "A day.",
    week: "A week from Monday.",
    month: "A month.",
  },
});

/** Each client has so many uses. Nobody can count the uses of a client who is not named. */
export const LIMIT = condition({
  keys: {
    limit: whole({
      description: "How often each client may use it.",
      sent: "How often each client may use it; null: as often as there are uses.",
      whileRunning: true,
      min: 0,
    }),
    limitPeriod: choice(CouponLimitPeriodEnum, {
      description: "The time for which `limit` counts, by the company's clock; null: the life of the coupon.",
      whileRunning: true,
    }),
  },
  name: "limit",
  description: "The client is named and has uses left, where each has so many.",
  code: "COUPON_LIMIT",
  title: "The coupon limits the uses of each client",
  // An admin is no client.
  ofGiftCards: "of_clients",
  holds: ({ config: { limit }, clientUses }, { client }) =>
    limit == null || (client !== null && clientUses < limit),
  words({ config, clientUses }, { client }) {
    const { limit } = config;
    if (limit == null) return nothingAsked(null);
    const { limitPeriod } = config;
    const time = limitPeriod == null || limitPeriod === "life" ? "" : ` this ${limitPeriod}`;
    const required = `less than ${usesOf(limit)} by the client${time}`;
    if (client === null) return { actual: "no client", required: `${required}, so a client must be named` };
    return { actual: usesOf(clientUses), required };
  },
});

function momentOrNull(text: string | null | undefined): Date | null {
  return text == null ? null : new Date(text);
}

function clientName(client: Situation["client"]): string {
  return client === null ? "no client" : `client ${client.id}`;
}
