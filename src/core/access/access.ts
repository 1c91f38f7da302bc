import { Extensions } from "type-graphql";
import type { Area, Permission } from "./permissions.js";

/**
 * Who may run an operation (contract §3.3). Every query and mutation declares exactly one;
 * the schema does not build otherwise.
 */
export type Access =
  | { readonly kind: "open"; readonly ignoresToken: boolean }
  | {
      readonly kind: "signedIn";
      readonly ignoresKey: boolean;
      readonly enrols?: boolean;
      /** Says whether keys for machines are refused, since it is about a login. */
      readonly forPeople?: boolean;
    }
  | { readonly kind: "platform" }
  | {
      readonly kind: "client";
      /** Name of an argument with a client's id, which has to be the caller's. */
      readonly itself?: string;
    }
  | {
      readonly kind: "permission";
      readonly permission: Permission;
      /** Name of an argument with a client's id: that client itself needs no permission. */
      readonly orClient?: string;
      /** Name of an argument with an admin's id: that admin itself needs no permission. */
      readonly orAdmin?: string;
      /** Says whether clients of the company need no permission. */
      readonly orAnyClient?: boolean;
      /** Says whether only full administrators and the platform may: the permission by itself is not enough. */
      readonly fullAdmins?: boolean;
      /** Says whether an `Idempotency-Key` is not taken, since failures have to be counted. */
      readonly ignoresKey?: boolean;
      /** Says whether keys for machines are refused, since it is about a login. */
      readonly forPeople?: boolean;
    };

const declareAccess = (access: Access): MethodDecorator & PropertyDecorator => Extensions({ access });

/**
 * Lets in admins whose type has the role, full administrators and the platform; the options let others in, too.
 */
export const RequirePermission = (
  permission: Permission,
  options: {
    orClient?: string;
    orAdmin?: string;
    orAnyClient?: boolean;
    fullAdmins?: boolean;
    ignoresKey?: boolean;
    forPeople?: boolean;
  } = {},
) => declareAccess({ kind: "permission", permission, ...options });

/** The extension of a field that only readers of an area may see. */
export const READERS_OF = "readersOf";

/** Who may see a field: readers of an area and, where the row is a client, maybe that client itself. */
export interface Readers {
  readonly area: Area;
  readonly orItself: boolean;
}

/**
 * Shows a field of a type that others read, too, only to those who may see or edit the area in the row's company. For
 * anybody else it is null, refused with FORBIDDEN, whatever its type says.
 *
 * @param options.orItself whether the row is a client, which sees the field of its own.
 */
export const ReadersOnly = (
  area: Area,
  { orItself = false }: { orItself?: boolean } = {},
): MethodDecorator & PropertyDecorator => Extensions({ [READERS_OF]: { area, orItself } satisfies Readers });

/** Lets in the platform alone. */
export const PlatformOnly = () => declareAccess({ kind: "platform" });

/**
 * Lets in clients alone: not even the platform acts for a client here.
 *
 * @param options.itself names an argument with a client's id: that client alone is let in.
 */
export const ClientOnly = (options: { itself?: string } = {}) =>
  declareAccess({ kind: "client", ...options });

/** The argument with a client's id on which the access depends; `null` when it depends on none. */
export function clientArgument(access: Access): string | null {
  if (access.kind === "permission") return access.orClient ?? null;
  return access.kind === "client" ? (access.itself ?? null) : null;
}

/** The argument with the id of whom the access is about, a client or an admin; `null` when it depends on none. */
export function ownArgument(access: Access): string | null {
  return clientArgument(access) ?? (access.kind === "permission" ? (access.orAdmin ?? null) : null);
}

/**
 * Lets in everybody with a valid token.
 *
 * @param options.ignoresKey whether an `Idempotency-Key` is not accepted, since failures have to be counted.
 * @param options.forPeople whether keys for machines are refused, since it is about a login.
 * @param options.enrols whether that goes for admins, too, who have yet to enrol the second factor that their type requires.
 */
export const SignedIn = ({
  ignoresKey = false,
  enrols = false,
  forPeople = false,
}: { ignoresKey?: boolean; enrols?: boolean; forPeople?: boolean } = {}) =>
  declareAccess({ kind: "signedIn", ignoresKey, enrols, forPeople });

/**
 * Lets in everybody. A token that is sent must be valid, unless the operation is about getting a new one
 * (`ignoresToken`).
 */
export const Open = (options: { ignoresToken?: boolean } = {}) =>
  declareAccess({ kind: "open", ignoresToken: options.ignoresToken ?? false });
