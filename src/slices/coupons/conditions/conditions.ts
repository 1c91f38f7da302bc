import { AMOUNT_LIMIT, CLIENT_AMOUNT_LIMIT, DISCOUNT } from "./amount.conditions.js";
import {
  EXCLUDED_SEGMENTS,
  FIRST_PURCHASE,
  LIMIT,
  REGISTRATION,
  SEGMENTS,
  WHITELIST,
} from "./client.conditions.js";
import { COMBINATION } from "./combination.conditions.js";
import type { ConditionRule } from "./condition.js";
import type { ConfigKey, StoredConfig } from "./config-key.js";
import { GOODS } from "./goods.conditions.js";
import { CURRENCY, TARGET, TARGET_BLACKLIST } from "./place.conditions.js";
import { DAYS, HOURS, MIN_PURCHASE, ONLY_DELIVERIES } from "./purchase.conditions.js";
import { CODE, RUNNING, TOTAL_COUNT } from "./use.conditions.js";

/**
 * The conditions of coupons, in the order in which they are judged. What else knows conditions follows from them: the config
 * as it is sent, merged, stored and shown, the reasons, the rules of an explanation, the checks of `setReady`.
 */
export const CONDITIONS = [
  RUNNING,
  TOTAL_COUNT,
  CODE,
  TARGET,
  GOODS,
  CURRENCY,
  WHITELIST,
  SEGMENTS,
  TARGET_BLACKLIST,
  EXCLUDED_SEGMENTS,
  MIN_PURCHASE,
  DAYS,
  HOURS,
  REGISTRATION,
  FIRST_PURCHASE,
  ONLY_DELIVERIES,
  LIMIT,
  AMOUNT_LIMIT,
  CLIENT_AMOUNT_LIMIT,
  COMBINATION,
  DISCOUNT,
] as const;

type Defined = (typeof CONDITIONS)[number];
type Rule = Exclude<Defined["rule"], null>;

/** The rule that there is a coupon at all, which is judged before all others. */
export const FOUND = {
  name: "found",
  description: "There is such a coupon, not deleted.",
  code: "COUPON_NOT_FOUND",
  title: "No such coupon",
} as const;

export type CouponRule = typeof FOUND.name | Rule["name"];
/** Why a coupon does not apply: the code of the refusal. */
export type CouponReason = typeof FOUND.code | Rule["code"];

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The keys of the config, as the conditions define them. */
export type KeysOfConfig = Intersection<Defined["keys"]>;
export type NameOfKey = keyof KeysOfConfig;

/** A rule that judges by the whole config. */
export type CouponConditionRule = ConditionRule<CouponRule, CouponReason, StoredConfig<KeysOfConfig>>;

/** All rules but `FOUND`, in the order in which they are judged. */
export const RULES: readonly CouponConditionRule[] = CONDITIONS.flatMap(({ rule }) =>
  rule === null ? [] : [rule],
);

/** The order in which clients know the keys; keys that come later follow these. */
const SHOWN_FIRST: readonly NameOfKey[] = [
  "limit",
  "amountLimitE2",
  "maxDiscountE2",
  "usableInPromos",
  "avoidSameTargetPromos",
  "usersRegisteredSince",
  "usersRegisteredUntil",
  "onlyFirstPurchase",
  "excludeFirstPurchase",
  "onlyDeliveries",
  "companyAssumptionPrc",
  "days",
  "hourBeg",
  "hourEnd",
  "applyForUnit",
  "applyAfterTax",
  "customDiscountTag",
  "sourceWhitelist",
  "targetBlacklist",
  "firstPurchaseMode",
  "collisionSlot",
  "feeRules",
];

const defined: Readonly<Record<NameOfKey, ConfigKey<unknown, unknown>>> = Object.assign(
  {},
  ...CONDITIONS.map(({ keys }) => keys),
) as KeysOfConfig;

/** The keys of the config in the order in which they are shown. */
export const CONFIG_KEYS = [...new Set([...SHOWN_FIRST, ...(Object.keys(defined) as NameOfKey[])])].map(
  (name) => ({ name, key: defined[name] }),
);
