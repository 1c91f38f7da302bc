import type { Access } from "../../core/access/access.js";
import { isRoleHolder, type Caller, type KeyCaller } from "../../core/access/caller.js";
import { DomainError, forbidden, fullAdministratorsOnly } from "../../core/errors/domain-error.js";
import type { AdminGrant } from "../../core/access/role-directory.js";
import type { Runtime } from "../../core/operations/operation-context.js";

/**
 * Checks that the caller may run an operation with this access in this company.
 *
 * @param companyId is `undefined` for operations without a company.
 * @returns what an admin or a key holds; `null` for everybody else, and where the token does not matter. It is a promise only
 *   where something has to be read.
 * @throws DomainError UNAUTHENTICATED, FORBIDDEN.
 */
export function assertAllowed(
  access: Access,
  companyId: number | undefined,
  args: Readonly<Record<string, unknown>>,
  { caller, runtime }: { readonly caller: Caller; readonly runtime: Pick<Runtime, "roles"> },
): AdminGrant | null | Promise<AdminGrant | null> {
  if (access.kind === "open" && (access.ignoresToken || caller.kind === "anonymous")) return null;
  if (caller.kind === "anonymous") throw new DomainError("UNAUTHENTICATED", "This operation needs a token.");
  if (caller.kind === "invalid")
    throw new DomainError("UNAUTHENTICATED", "The token is expired or not valid.");
  if (caller.kind === "platform") {
    if (access.kind === "client") throw clientsOnly();
    return null;
  }
  const { roles } = runtime;
  const held = isRoleHolder(caller) ? roles.grantOf(caller) : roles.clientExists(caller);
  return held instanceof Promise
    ? held.then((known) => assertHolderAllowed({ access, companyId, args, caller }, known))
    : assertHolderAllowed({ access, companyId, args, caller }, held);
}

/** The call of somebody of a company. */
interface HoldersCall {
  readonly access: Access;
  readonly companyId: number | undefined;
  readonly args: Readonly<Record<string, unknown>>;
  readonly caller: Exclude<Caller, { kind: "anonymous" | "invalid" | "platform" }>;
}

/** @param held is what an admin or a key holds, `null` for nothing, or whether the client exists. */
function assertHolderAllowed(
  { access, companyId, args, caller }: HoldersCall,
  held: AdminGrant | boolean | null,
): AdminGrant | null {
  if (held === null || held === false)
    throw new DomainError("UNAUTHENTICATED", caller.kind === "key" ? KEY_IS_OVER : LOGIN_IS_OVER);
  const grant = held === true ? null : held;
  if (caller.kind === "key") assertKeyFits(caller, access);
  if (access.kind === "open") return grant;
  if (grant?.lacksSecondFactor === true && !(access.kind === "signedIn" && access.enrols === true))
    throw forbidden("The admin type requires a second factor: enrol one by enrolTotp and confirmTotp.");
  if (access.kind === "platform")
    throw forbidden("Only the platform may do this.", { principal: "platform" });
  if (companyId !== undefined && companyId !== caller.companyId)
    throw forbidden("The token is for another company.");
  if (access.kind === "signedIn") return grant;
  if (access.kind === "client") {
    const own = access.itself;
    if (caller.kind === "client" && (own === undefined || args[own] === caller.id)) return grant;
    throw clientsOnly();
  }
  const { permission, orClient, orAdmin, orAnyClient, fullAdmins } = access;
  const itself = { admin: orAdmin, client: orClient, key: undefined }[caller.kind];
  const allowed =
    (grant === null ? orAnyClient === true : grant.all || grant.roles.has(permission)) ||
    (itself !== undefined && args[itself] === caller.id);
  if (!allowed) throw forbidden(`This needs the permission ${permission}.`, { permission });
  if (fullAdmins === true && grant?.all !== true)
    throw fullAdministratorsOnly("Only a full administrator may do this.");
  return grant;
}

const LOGIN_IS_OVER = "The login of the token has ended, or its owner was deleted.";
const KEY_IS_OVER = "The key is revoked or has expired, or who made it may do nothing any more.";

/** Asserts that a key is used from one of its networks, and not to sign in. @throws DomainError FORBIDDEN. */
function assertKeyFits({ isElsewhere }: KeyCaller, access: Access): void {
  if (isElsewhere) throw forbidden("The key may not be used from this address.");
  if ((access.kind === "signedIn" || access.kind === "permission") && access.forPeople === true)
    throw forbidden("Keys sign nobody in: only an admin who has signed in may do this.", {
      principal: "admin",
    });
}

function clientsOnly(): DomainError {
  return forbidden("Only the client itself may do this.", { principal: "client" });
}
