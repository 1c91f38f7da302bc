import "./api-keys.permissions.js";
import { ApiKeyResolver } from "./api-key.resolver.js";
import { KeyPermissionResolver } from "./key-permission.resolver.js";

/** Resolvers of keys for machines. */
export const apiKeysResolvers = [ApiKeyResolver, KeyPermissionResolver] as const;
