import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions([], ["can_import_goods"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    imports: typeof PERMISSIONS;
  }
}
