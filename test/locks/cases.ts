import { COUPON_CASES } from "./coupon-cases.js";
import { ENGINE_CASES } from "./engine-cases.js";
import { GOODS_CASES } from "./goods-cases.js";
import type { Cases } from "./lock-case.js";
import { PEOPLE_CASES } from "./people-cases.js";
import { SHOP_CASES } from "./shop-cases.js";
import { WEBHOOK_CASES } from "./webhook-cases.js";

/** A case for each row lock, by its name. */
export const CASES: Cases = {
  ...COUPON_CASES,
  ...ENGINE_CASES,
  ...GOODS_CASES,
  ...PEOPLE_CASES,
  ...SHOP_CASES,
  ...WEBHOOK_CASES,
};
