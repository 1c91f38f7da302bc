import type { Access } from "../../core/access/access.js";
import type { Caller } from "../../core/access/caller.js";
import { DomainError } from "../../core/errors/domain-error.js";
import type { Runtime } from "../../core/operations/operation-context.js";

/**
 * Checks that the caller may run an operation with this access in this company.
 *
 * @param companyId is `undefined` for operations without a company.
 * @throws DomainError UNAUTHENTICATED, FORBIDDEN.
 */
export async function assertAllowed(
  access: Access,
  companyId: number | undefined,
  args: Readonly<Record<string, unknown>>,
  { caller, runtime }: { readonly caller: Caller; readonly runtime: Pick<Runtime, "roles"> },
): Promise<void> {
  if (access.kind === "open" && (access.ignoresToken || caller.kind === "anonymous")) return;
  if (caller.kind === "anonymous") throw new DomainError("UNAUTHENTICATED", "This operation needs a token.");
  if (caller.kind === "invalid")
    throw new DomainError("UNAUTHENTICATED", "The token is expired or not valid.");
  if (caller.kind === "platform") {
    if (access.kind === "client") throw forbidden("Only the client itself may do this.");
    return;
  }
  const grant = caller.kind === "admin" ? await runtime.roles.grantOf(caller.companyId, caller.id) : null;
  const known =
    caller.kind === "admin" ? grant !== null : await runtime.roles.clientExists(caller.companyId, caller.id);
  if (!known) throw new DomainError("UNAUTHENTICATED", "The token's owner does not exist any more.");
  if (access.kind === "open") return;
  if (access.kind === "platform") throw forbidden("Only the platform may do this.");
  if (companyId !== undefined && companyId !== caller.companyId)
    throw forbidden("The token is for another company.");
  if (access.kind === "signedIn") return;
  if (access.kind === "client") {
    if (caller.kind === "client") return;
    throw forbidden("Only the client itself may do this.");
  }
  const allowed =
    grant === null
      ? access.orAnyClient === true || (access.orClient !== undefined && args[access.orClient] === caller.id)
      : grant.all ||
        grant.roles.has(access.permission) ||
        (access.orAdmin !== undefined && args[access.orAdmin] === caller.id);
  if (!allowed) throw forbidden(`This needs the permission ${access.permission}.`);
}

function forbidden(message: string): DomainError {
  return new DomainError("FORBIDDEN", message);
}
