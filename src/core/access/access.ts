import { Extensions } from "type-graphql";
import type { Area, Permission } from "./permissions.js";

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
      /** Name of an argument with a client's id: that client itself needs no permission. */
      readonly orClient?: string;
      /** Name of an argument with an admin's id: that admin itself needs no permission. */
      readonly orAdmin?: string;
      /** Whether clients of the company need no permission. */
      readonly orAnyClient?: boolean;
    };

const declareAccess = (access: Access): MethodDecorator & PropertyDecorator => Extensions({ access });

/**
 * Lets in admins whose type has the role, full administrators and the platform; the options let others in, too.
 */
export const RequirePermission = (
  permission: Permission,
  options: { orClient?: string; orAdmin?: string; orAnyClient?: boolean } = {},
) => declareAccess({ kind: "permission", permission, ...options });

/** The extension of a field that only readers of an area may see. */
export const READERS_OF = "readersOf";

/**
 * Shows a field of an open type only to those who may see or edit the area in the row's company; for anybody else it is
 * refused with FORBIDDEN.
 */
export const ReadersOnly = (area: Area): MethodDecorator & PropertyDecorator =>
  Extensions({ [READERS_OF]: area });

/** Lets in the platform alone. */
export const PlatformOnly = () => declareAccess({ kind: "platform" });

/** Lets in clients alone: not even the platform acts for a client here. */
export const ClientOnly = () => declareAccess({ kind: "client" });

/** Lets in everybody with a valid token. */
export const SignedIn = () => declareAccess({ kind: "signedIn" });

/**
 * Lets in everybody. A token that is sent must be valid, unless the operation is about getting a new one
 * (`ignoresToken`).
 */
export const Open = (options: { ignoresToken?: boolean } = {}) =>
  declareAccess({ kind: "open", ignoresToken: options.ignoresToken ?? false });
