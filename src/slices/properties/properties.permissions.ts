import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(["properties"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    properties: typeof PERMISSIONS;
  }
}
