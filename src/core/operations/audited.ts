import { Extensions } from "type-graphql";

/** The extension of a mutation that says how it is recorded. */
export const AUDIT = "audit";

/** How a mutation is recorded; `because` says why the audit trail has nothing of it. */
export type AuditRule =
  | { readonly isAudited: true; readonly byService: boolean }
  | { readonly isAudited: false; readonly because: string };

/**
 * Writes every row that the mutation changes to the audit trail, in the transaction of the change: the engine opens it and
 * gives the database who acts, so services have nothing to remember. Each mutation has this or `@NotAudited()`, or the
 * schema does not build.
 *
 * @param options.byService whether the service opens the transaction by `scope.transaction`, and changes nothing outside of
 *   it: what it does before takes too long for one, such as a hash, or has to stay when it fails.
 */
export const Audited = ({ byService = false }: { byService?: boolean } = {}): MethodDecorator =>
  Extensions({ [AUDIT]: { isAudited: true, byService } satisfies AuditRule });

/** Keeps the mutation out of the audit trail: it changes nothing, or what it writes is a record already. */
export const NotAudited = (because: string): MethodDecorator =>
  Extensions({ [AUDIT]: { isAudited: false, because } satisfies AuditRule });
