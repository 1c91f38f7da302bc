import type { Access } from "../../core/access/access.js";
import type {
  AccessKindEnum,
  PermissionExplanation,
  PermissionSourceEnum,
} from "./permission-explanation.model.js";

/** What an admin holds, by where it comes from. */
export interface Holdings {
  readonly isOwner: boolean;
  readonly isFullAdmin: boolean;
  readonly roles: readonly string[];
}

type Judgement = Pick<
  PermissionExplanation,
  "allowed" | "access" | "permission" | "isAllowedForItself" | "heldBy" | "missing"
>;

/** Judges as the guard does whether an admin may run an operation with this access in its own company. */
export function judgeAccess(access: Access, held: Holdings): Judgement {
  const kind = kindOf(access);
  const none = { permission: null, isAllowedForItself: false, heldBy: null, missing: [] };
  if (access.kind !== "permission")
    return { ...none, access: kind, allowed: access.kind === "open" || access.kind === "signedIn" };
  const { permission, orAdmin, fullAdmins = false } = access;
  const source = sourceOf(permission, held);
  return {
    access: kind,
    allowed: fullAdmins ? source !== null && source !== "type" : source !== null,
    permission,
    isAllowedForItself: orAdmin !== undefined,
    heldBy: source,
    missing: source === null ? [permission] : [],
  };
}

function sourceOf(
  permission: string,
  { isOwner, isFullAdmin, roles }: Holdings,
): keyof typeof PermissionSourceEnum | null {
  if (isOwner) return "owner";
  if (isFullAdmin) return "full_administrator";
  return roles.includes(permission) ? "type" : null;
}

function kindOf(access: Access): keyof typeof AccessKindEnum {
  if (access.kind === "signedIn") return "signed_in";
  return access.kind === "permission" && access.fullAdmins === true ? "full_administrator" : access.kind;
}
