import "./clients.permissions.js";
import { ClientAdminResolver } from "./client-admin.resolver.js";
import { clientCrud, RestoreClientResolver } from "./client.resource.js";

/** Resolvers of clients. */
export const clientsResolvers = [...clientCrud, RestoreClientResolver, ClientAdminResolver] as const;
