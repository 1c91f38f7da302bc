import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(["company", "settings"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    companies: typeof PERMISSIONS;
  }
}
