import "./audit.permissions.js";
import "./audit.errors.js";
import { ChangeResolver } from "./change.resolver.js";
import { AuditEntryResolver } from "./audit-entry.resolver.js";

/** Resolvers of the audit trail. */
export const auditResolvers = [AuditEntryResolver, ChangeResolver] as const;
