import { definePermissions } from "../../core/access/permissions.js";

export const PERMISSIONS = definePermissions(["chat_rooms"]);

declare module "../../core/access/permissions.js" {
  interface SlicePermissions {
    chatRooms: typeof PERMISSIONS;
  }
}
