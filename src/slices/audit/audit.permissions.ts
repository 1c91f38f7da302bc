import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions([], ["access_audit_entries"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    audit: typeof PERMISSIONS;
  }
}
