import { Extensions } from "type-graphql";
import type { Permission } from "./permissions.js";

/**
 * Who may run an operation (contract §3.3). Every query and mutation declares exactly one;
 * the schema does not build otherwise.
 */
export type Access =
  | { readonly kind: "open"; readonly ignoresToken: boolean }
  | { readonly kind: "signedIn" }
  | { readonly kind: "platform" }
  | { readonly kind: "client" }
  | {
      readonly kind: "permission";
      readonly permission: Permission;
      /** Argument with a client id: that client itself needs no permission. */
      readonly orClient?: string;
      /** Any client of the company needs no permission. */
      readonly orAnyClient?: boolean;
    };

const declareAccess = (access: Access): MethodDecorator & PropertyDecorator => Extensions({ access });

/** Admins whose type has the role, full administrators, the platform; and the clients named by the options. */
export const RequirePermission = (
  permission: Permission,
  options: { orClient?: string; orAnyClient?: boolean } = {},
) => declareAccess({ kind: "permission", permission, ...options });

/** The platform principal alone. */
export const PlatformOnly = () => declareAccess({ kind: "platform" });

/** A client's own token alone: not even the platform acts for a client here. */
export const ClientOnly = () => declareAccess({ kind: "client" });

/** Anyone with a valid token. */
export const SignedIn = () => declareAccess({ kind: "signedIn" });

/**
 * Anyone. A token that is sent all the same must be valid, unless the operation is about
 * getting a new one (`ignoresToken`).
 */
export const Open = (options: { ignoresToken?: boolean } = {}) =>
  declareAccess({ kind: "open", ignoresToken: options.ignoresToken ?? false });
