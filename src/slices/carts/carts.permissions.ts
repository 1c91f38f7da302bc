import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(["carts"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    carts: typeof PERMISSIONS;
  }
}
