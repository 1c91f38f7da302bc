import { Extensions } from "type-graphql";

/** The extension of a mutation that says how it is recorded. */
export const AUDIT = "audit";

/** How a mutation is recorded; `because` says why the audit trail has nothing of it. */
export type AuditRule =
  { readonly isAudited: true } | { readonly isAudited: false; readonly because: string };

/**
 * Writes every row that the mutation changes to the audit trail, in the transaction of the change: the engine opens it and
 * tells the database who acts, so services have nothing to remember. Each mutation has this or `@NotAudited()`, or the
 * schema does not build.
 */
export const Audited = (): MethodDecorator =>
  Extensions({ [AUDIT]: { isAudited: true } satisfies AuditRule });

/** Keeps the mutation out of the audit trail: it changes nothing, or what it writes is a record already. */
export const NotAudited = (because: string): MethodDecorator =>
  Extensions({ [AUDIT]: { isAudited: false, because } satisfies AuditRule });
