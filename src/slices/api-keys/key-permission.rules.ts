import type { Access } from "../../core/access/access.js";
import type { AdminGrant } from "../../core/access/role-directory.js";
import { judgeAccess } from "../admins/permission-explanation.rules.js";
import type { ApiKeyStateEnum, KeyPermissionExplanation } from "./key-permission.model.js";

/** A key as it is stored. */
interface StoredState {
  readonly roles: readonly string[];
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
}

/**
 * Judges as the guard does whether a key may run an operation with this access in its own company.
 *
 * @param grant what it holds now; `null` for one that is not good.
 */
export function judgeKey(
  access: Access,
  key: StoredState,
  grant: AdminGrant | null,
  at: Date,
): Omit<KeyPermissionExplanation, "operation" | "apiKeyId"> {
  const roles = key.roles.filter((role) => grant?.roles.has(role) === true).toSorted();
  const {
    allowed,
    access: kind,
    permission,
    missing,
  } = judgeAccess(access, {
    isOwner: false,
    isFullAdmin: false,
    roles,
  });
  const isForPeople =
    (access.kind === "signedIn" || access.kind === "permission") && access.forPeople === true;
  return {
    allowed: allowed && !isForPeople && grant !== null,
    state: stateOf(key, grant, at),
    access: kind,
    isForPeople,
    permission,
    missing,
    roles,
    lostRoles: key.roles.filter((role) => !roles.includes(role)).toSorted(),
  };
}

function stateOf(
  { revokedAt, expiresAt }: StoredState,
  grant: AdminGrant | null,
  at: Date,
): keyof typeof ApiKeyStateEnum {
  if (revokedAt !== null) return "revoked";
  if (expiresAt !== null && expiresAt <= at) return "expired";
  return grant === null ? "maker_gone" : "good";
}
