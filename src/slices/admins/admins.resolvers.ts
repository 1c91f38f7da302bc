import { AdminResolver } from "./admin.resolver.js";
import { AdminAvatarResolver } from "./admin-avatar.resolver.js";
import { AdminTypeResolver } from "./admin-type.resolver.js";

/** Resolvers of admins and admin types. */
export const adminsResolvers = [AdminResolver, AdminAvatarResolver, AdminTypeResolver] as const;
