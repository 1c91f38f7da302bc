import { AuthResolver } from "./auth.resolver.js";

/** Resolvers of logins and tokens. */
export const authResolvers = [AuthResolver] as const;
