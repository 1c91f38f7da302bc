import "./audit.permissions.js";
import { AuditEntryResolver } from "./audit-entry.resolver.js";

/** Resolvers of the audit trail. */
export const auditResolvers = [AuditEntryResolver] as const;
