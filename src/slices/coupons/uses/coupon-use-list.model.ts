import { defineList } from "../../../core/lists/list-definition.js";
import { CouponRedemption } from "./coupon-use.model.js";

/** Uses of all coupons, those that were given back too. */
export const couponUseList = defineList(
  CouponRedemption,
  "CouponUse",
  {
    id: { kind: "safeInt" },
    couponId: { kind: "int", sortable: false },
    clientId: { kind: "int", nullable: true, sortable: false },
    orderId: { kind: "int", nullable: true, sortable: false },
    code: { kind: "code", nullable: true, sortable: false },
    createdAt: { kind: "dateTime" },
    returnedAt: { kind: "dateTime", nullable: true, sortable: false },
  },
  { deletedRowsOf: "coupons", deletedRows: "those of deleted coupons" },
);
