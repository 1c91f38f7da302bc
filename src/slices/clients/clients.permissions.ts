import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(["clients"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    clients: typeof PERMISSIONS;
  }
}
