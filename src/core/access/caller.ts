import type { Principal } from "./tokens.js";

/** A key for machines, as it came with a request. */
export interface KeyCaller {
  readonly kind: "key";
  readonly id: number;
  readonly companyId: number;
  /** The admin who made the key, or the key by which it was made; `null` for the platform. */
  readonly makerId: number | null;
  /** The hash of the secret that came; absent for a token of the command line. */
  readonly secretHash?: string;
  /** Whether it came from an address outside of the networks of the key. */
  readonly isElsewhere: boolean;
}

/** Who asks: a signed-in principal, a key, nobody, or somebody whose token is expired or forged. */
export type Caller =
  | Exclude<Principal, { kind: "key" }>
  | KeyCaller
  | { readonly kind: "anonymous" }
  | { readonly kind: "invalid" };

/** A caller whose permissions are roles in its company. */
export type RoleHolder = Extract<Caller, { kind: "admin" | "key" }>;

export function isRoleHolder(caller: Caller): caller is RoleHolder {
  return caller.kind === "admin" || caller.kind === "key";
}

/** Returns the admin who answers for what the caller does: itself, or who made the key; `null` when it is no admin. */
export function answerableAdmin(caller: Caller): number | null {
  if (caller.kind === "key") return caller.makerId;
  return caller.kind === "admin" ? caller.id : null;
}
