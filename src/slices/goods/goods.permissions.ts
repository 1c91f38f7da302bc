import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(["goods"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    goods: typeof PERMISSIONS;
  }
}
