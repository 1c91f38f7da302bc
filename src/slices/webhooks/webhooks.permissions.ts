import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(["webhooks"], []);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    webhooks: typeof PERMISSIONS;
  }
}
