import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(["api_keys"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    apiKeys: typeof PERMISSIONS;
  }
}
