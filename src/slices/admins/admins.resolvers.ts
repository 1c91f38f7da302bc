import { AdminResolver } from "./admin.resolver.js";
import { AdminTypeResolver } from "./admin-type.resolver.js";

/** Resolvers of admins and admin types. */
export const adminsResolvers = [AdminResolver, AdminTypeResolver] as const;
