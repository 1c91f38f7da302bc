import "./admins.permissions.js";
import { AdminActionsResolver } from "./admin-actions.resolver.js";
import { AdminLoginResolver } from "./admin-login.resolver.js";
import { AdminResolver } from "./admin.resolver.js";
import { AdminAvatarResolver } from "./admin-avatar.resolver.js";
import { AdminType } from "./admin-type.model.js";
import { Admin } from "./admin.model.js";
import { AdminStateResolver } from "./admin-state.resolver.js";
import { AdminTypeResolver } from "./admin-type.resolver.js";
import { bulkResolver } from "../../core/operations/bulk-operation.js";
import { deleteAdmin, setOnline } from "./admin.service.js";
import { deleteAdminType } from "./admin-type.service.js";
import { PermissionExplanationResolver } from "./permission-explanation.resolver.js";

const BULK = [
  bulkResolver(
    {
      name: "deleteAdmins",
      type: Admin,
      description: "Deletes admins, each as `deleteAdmin` does.",
      each: deleteAdmin,
    },
    { permission: "can_edit_admins" },
  ),
  bulkResolver(
    {
      name: "setAdminsOffline",
      type: Admin,
      description: "Shows admins as offline, each as `setAdminOffline` does.",
      each: (scope, id) => setOnline(scope, id, false),
    },
    { permission: "can_edit_admins" },
  ),
  bulkResolver(
    {
      name: "deleteAdminTypes",
      type: AdminType,
      description: "Removes admin types, each as `deleteAdminType` does.",
      each: deleteAdminType,
    },
    { permission: "can_edit_admin_types" },
  ),
] as const;

/** Resolvers of admins and admin types. */
export const adminsResolvers = [
  AdminResolver,
  AdminActionsResolver,
  AdminAvatarResolver,
  AdminLoginResolver,
  AdminStateResolver,
  AdminTypeResolver,
  PermissionExplanationResolver,
  ...BULK,
] as const;
