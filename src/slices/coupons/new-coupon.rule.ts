import type { StoredRule } from "../../core/operations/operation-arguments.js";
import { promoCodeIsFree } from "./promo-code.rule.js";
import { excludedPlacesExist } from "./target-blacklist.rule.js";

/** Finds of a new coupon what only stored rows show: a promo code that is taken, excluded places that do not exist. */
export const newCouponFits: StoredRule = async (input, context, args) => [
  ...(await promoCodeIsFree(input, context, args)),
  ...(await excludedPlacesExist(input, context, args)),
];
