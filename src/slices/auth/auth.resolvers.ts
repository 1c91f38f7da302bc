import "./auth.permissions.js";
import { AuthResolver } from "./auth.resolver.js";
import { SessionResolver } from "./session.resolver.js";

/** Resolvers of logins and tokens. */
export const authResolvers = [AuthResolver, SessionResolver] as const;
