import { ClientAddressResolver } from "./client-address.resolver.js";

/** Resolvers of clients' addresses. */
export const clientAddressesResolvers = [ClientAddressResolver] as const;
