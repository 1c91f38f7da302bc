import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(["banners"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    promotedBanners: typeof PERMISSIONS;
  }
}
