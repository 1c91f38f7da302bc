import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(
  ["balance"],
  ["can_adjust_balance", "can_transfer_balance", "can_give_change", "can_close_periods"],
);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    balance: typeof PERMISSIONS;
  }
}
