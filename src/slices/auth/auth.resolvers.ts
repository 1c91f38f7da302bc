import "./auth.errors.js";
import "./auth.permissions.js";
import { AuthResolver } from "./auth.resolver.js";
import { SecondFactorResolver } from "./second-factor.resolver.js";
import { SessionResolver } from "./session.resolver.js";

/** Resolvers of logins and tokens. */
export const authResolvers = [AuthResolver, SessionResolver, SecondFactorResolver] as const;
