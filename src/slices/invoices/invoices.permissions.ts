import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(["invoices"], ["can_refund_invoices"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    invoices: typeof PERMISSIONS;
  }
}
