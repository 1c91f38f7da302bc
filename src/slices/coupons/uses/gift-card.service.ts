import { keepingRefusals } from "../attempts/coupon-attempt.service.js";
import { holderDeleted, tooMuchFor } from "../../balance/balance.service.js";
import { COUPON_ERRORS } from "../coupon.errors.js";
import { DomainError, invalidField } from "../../../core/errors/domain-error.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { shownTo } from "../checks/coupon-check.service.js";
import { assertAllowed, judgeGiftCard } from "../checks/coupon-judgement.rules.js";
import { NO_DISCOUNT } from "../amounts/coupon-discount.rules.js";
import { namedBy, situationOf } from "../checks/coupon-situation.js";
import type { Candidate } from "../checks/coupon-facts.js";
import type { RedeemCouponInput } from "./coupon-use.inputs.js";
import { readFacts } from "../checks/coupon-facts.sql.js";
import { balanceBeside, redeemCode, type WantedGiftCard } from "./use-coupon.sql.js";

/** A gift card, and what it added to the caller's balance. */
export interface RedeemedGiftCard {
  readonly coupon: Candidate;
  /** What was added to the balance, in hundredths; `null` when the card was only verified. */
  readonly addedE2: bigint | null;
  /** The balance after that, in hundredths; `null` when the card was only verified. */
  readonly balanceE2: bigint | null;
}

/** How often a gift card is judged anew because it changed in between. */
const MAX_ATTEMPTS = 5;

/**
 * Turns a gift card into balance of the calling client, or of the calling admin's account, exactly once. Without
 * `redeem` it only says whether that would work.
 *
 * @throws DomainError FORBIDDEN for the platform, which has no balance; INVALID_STATE for another coupon; COUPON_….
 */
export function redeemCoupon(scope: CompanyScope, input: RedeemCouponInput): Promise<RedeemedGiftCard> {
  const redeem = () => redeemCard(scope, input);
  return input.redeem === true ? keepingRefusals(scope, "use", { code: input.couponCode }, redeem) : redeem();
}

async function redeemCard(
  scope: CompanyScope,
  { couponCode, redeem = false }: RedeemCouponInput,
): Promise<RedeemedGiftCard> {
  const holder = redeem ? await holderOf(scope) : null;
  const named = namedBy(scope, {});
  const identity = redeem ? scope.takeIdentity() : null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const { rows, candidates } = await readFacts(scope, { by: "code", code: couponCode }, named);
    const [coupon = null] = candidates;
    if (coupon !== null && coupon.deletedAt === null && coupon.type !== "gift_card") {
      throw new DomainError(
        "INVALID_STATE",
        "Only gift cards are redeemed; other coupons are used by orders.",
      );
    }
    assertAllowed(judgeGiftCard(coupon, situationOf(scope, {}, { rows })), NO_DISCOUNT, false);
    if (holder === null)
      return { coupon: shownTo(scope, coupon as Candidate), addedE2: null, balanceE2: null };
    const wanted = { coupon: coupon as Candidate, clientId: named.clientId, ...holder, identity };
    const { outcome, amountE2, balanceE2 } = await redeemCode(scope, wanted);
    if (outcome === "redeemed") {
      const shown = shownTo(scope, wanted.coupon);
      return { coupon: { ...shown, spentCount: shown.spentCount + 1 }, addedE2: amountE2, balanceE2 };
    }
    if (outcome === "full") throw tooMuchFor(await balanceBeside(scope, wanted));
    if (outcome === "deleted") throw holderDeleted();
    if (outcome === "reused")
      throw invalidField("Idempotency-Key", "reused", "was sent with another request before");
    if (outcome !== "changed") throw new DomainError(outcome, `${COUPON_ERRORS[outcome].title}.`);
  }
  throw new DomainError("CONFLICT", "The gift card keeps changing; try again.", { retryAfterSeconds: 1 });
}

async function holderOf({
  caller,
  db,
  companyId,
}: CompanyScope): Promise<Pick<WantedGiftCard, "holderType" | "holderKey" | "authorId">> {
  if (caller.kind === "client") return { holderType: "client", holderKey: caller.id, authorId: null };
  if (caller.kind !== "admin") throw new DomainError("FORBIDDEN", "Only a client or an admin has a balance.");
  const admin = await db.admin.findFirstOrThrow({
    where: { companyId, id: caller.id },
    select: { accountId: true },
  });
  return { holderType: "account", holderKey: admin.accountId, authorId: caller.id };
}
