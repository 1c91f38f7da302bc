import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(["admins", "admin_types"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    admins: typeof PERMISSIONS;
  }
}
