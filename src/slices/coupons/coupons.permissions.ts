import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(["coupons"], ["can_redeem_coupons"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    coupons: typeof PERMISSIONS;
  }
}
