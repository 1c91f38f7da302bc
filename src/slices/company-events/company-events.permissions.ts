import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(["company_events"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    companyEvents: typeof PERMISSIONS;
  }
}
