import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(["fleet"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    fleet: typeof PERMISSIONS;
  }
}
