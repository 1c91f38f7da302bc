import { formatAmount, smallest } from "../../../core/money.js";
import type { Candidate, Situation } from "../checks/coupon-facts.js";
import { condition, nothingAsked, unjudged, type Seen } from "./condition.js";
import { amount, flag, percentage, text } from "./config-key.js";

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
  judge(coupon: Candidate, { isForClient }: Situation, discountE2: bigint): Seen {
    const actual = formatAmount(discountE2);
    const room = roomOf(coupon);
    if (room === null) return nothingAsked(actual);
    const required = isForClient
      ? "at most what the coupon has left"
      : `at most ${formatAmount(room < 0n ? 0n : room)}`;
    return { passed: discountE2 <= room, actual, required };
  },
});

/**
 * What is left for the order of `amount_limit_e2` and of the budget of the coupon's campaign, whichever is less, with what the
 * order holds itself; `null` without either.
 */
export function roomOf(coupon: Candidate): bigint | null {
  const { config, spentAmountE2, heldAmountE2, expiredE2, campaignRoomE2, hold } = coupon;
  const ownE2 =
    config.amountLimitE2 == null
      ? null
      : BigInt(config.amountLimitE2) - spentAmountE2 - (heldAmountE2 - expiredE2);
  const roomE2 =
    ownE2 === null || campaignRoomE2 === null ? (ownE2 ?? campaignRoomE2) : smallest(ownE2, campaignRoomE2);
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
  applyForUnit: flag({ description: "Whether the flat discount is given for each unit of the items." }),
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
