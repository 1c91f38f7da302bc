import { formatAmount, smallest } from "../../../core/money.js";
import { condition, nothingAsked, unjudged } from "./condition.js";
import { amount, flag, percentage, text } from "./config-key.js";
import type { JudgedCoupon } from "./judged.js";

/** What bounds and shapes the amounts that a coupon gives. */

/** What is left of the budget is the company's business: a client hears of its own discount alone. */
export const AMOUNT_LIMIT = condition({
  keys: {
    amountLimitE2: amount({
      description: "What all its discounts may come to in its life, in hundredths.",
      sent: "What all its discounts may come to in its life, in hundredths; null: no limit.",
      whileRunning: true,
      min: 1,
    }),
  },
  name: "amount_limit",
  description: "The discount fits into what is left of `amountLimitE2`, and of the budget of its campaign.",
  code: "COUPON_AMOUNT_LIMIT",
  title: "The coupon has too little left to give",
  holds: (coupon, _situation, discountE2) => fitsInto(budgetRoomOf(coupon), discountE2),
  words(coupon, { isForClient }, discountE2) {
    const actual = formatAmount(discountE2);
    const room = budgetRoomOf(coupon);
    if (room === null) return nothingAsked(actual);
    const required = isForClient
      ? "at most what the coupon has left"
      : `at most ${formatAmount(room < 0n ? 0n : room)}`;
    return { actual, required };
  },
});

/** What the coupon gives each client together is bounded; nobody knows what a client who is not named got. */
export const CLIENT_AMOUNT_LIMIT = condition({
  keys: {
    clientAmountLimitE2: amount({
      description: "What its discounts may come to for each client, in hundredths.",
      sent: "What its discounts may come to for each client, in hundredths; null: no limit.",
      whileRunning: true,
      min: 1,
    }),
  },
  name: "client_amount_limit",
  description: "The client is named and has as much left of `clientAmountLimitE2`.",
  code: "COUPON_AMOUNT_LIMIT",
  title: "The client has too little left of the coupon",
  holds(coupon, { client }, discountE2) {
    const room = clientRoomOf(coupon);
    return room === null || (client !== null && fitsInto(room, discountE2));
  },
  words(coupon, { client }, discountE2) {
    const room = clientRoomOf(coupon);
    const actual = client === null ? "no client" : formatAmount(discountE2);
    if (room === null) return nothingAsked(actual);
    return { actual, required: `at most ${formatAmount(room < 0n ? 0n : room)} for the client` };
  },
});

function fitsInto(room: bigint | null, discountE2: bigint): boolean {
  return room === null || discountE2 <= room;
}

type BoundCoupon = JudgedCoupon<{
  readonly amountLimitE2?: number | null;
  readonly clientAmountLimitE2?: number | null;
}>;

/** What is left of the coupon for the order by its own budget, its campaign's and the client's; `null` without such limits. */
export function roomOf(coupon: BoundCoupon): bigint | null {
  return lessOf(budgetRoomOf(coupon), clientRoomOf(coupon));
}

function lessOf(one: bigint | null, other: bigint | null): bigint | null {
  return one === null || other === null ? (one ?? other) : smallest(one, other);
}

/** What is left of `client_amount_limit_e2` for the order; `null` without that limit. */
function clientRoomOf({
  config,
  clientGivenE2,
}: JudgedCoupon<{ readonly clientAmountLimitE2?: number | null }>): bigint | null {
  return config.clientAmountLimitE2 == null ? null : BigInt(config.clientAmountLimitE2) - clientGivenE2;
}

/**
 * What is left for the order of `amount_limit_e2` and of the budget of the coupon's campaign, whichever is less, with what the
 * order holds itself; `null` without either.
 */
function budgetRoomOf({
  config,
  spentAmountE2,
  heldAmountE2,
  expiredE2,
  campaignRoomE2,
  hold,
}: JudgedCoupon<{ readonly amountLimitE2?: number | null }>): bigint | null {
  const ownE2 =
    config.amountLimitE2 == null
      ? null
      : BigInt(config.amountLimitE2) - spentAmountE2 - (heldAmountE2 - expiredE2);
  const roomE2 = lessOf(ownE2, campaignRoomE2);
  return roomE2 === null ? null : roomE2 + (hold?.amountE2 ?? 0n);
}

/** The keys that decide how much a coupon gives, which `coupon-discount.rules.ts` works out. */
export const DISCOUNT = unjudged({
  maxDiscountE2: amount({
    description: "Largest discount of one use, in hundredths.",
    sent: "Largest discount of one use, in hundredths; null: no limit, 0: it gives nothing.",
    whileRunning: true,
  }),
  companyAssumptionPrc: percentage({
    description: "Percent of the discount that the company bears, 0 to 100; the shop bears the rest.",
    sent: "Percent of the discount that the company bears; the shop bears the rest.",
    whileRunning: true,
  }),
  applyForUnit: flag({
    description:
      "Whether the flat discount is given for each unit of the items, of a coupon for services for each unit of these; once " +
      "without items.",
  }),
  applyAfterTax: flag({
    description:
      "Whether the amount with taxes counts as the subtotal: for the discount, the smallest purchase and the prices of " +
      "fee rules.",
  }),
  customDiscountTag: text({
    description:
      "Tag that apps show instead of the discount, at most 10 characters; only kept, it changes no discount.",
    sent: "Tag that apps show instead of the discount; only kept, it changes no discount.",
    whileRunning: true,
    max: 10,
  }),
});
