import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions([], ["can_issue_client_tokens"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    auth: typeof PERMISSIONS;
  }
}
