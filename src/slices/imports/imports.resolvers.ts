import "./imports.permissions.js";
import { ImportJobResolver } from "./import-job.resolver.js";

/** Resolvers of imports. */
export const importsResolvers = [ImportJobResolver] as const;
