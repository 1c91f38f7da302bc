import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(["forms"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    forms: typeof PERMISSIONS;
  }
}
