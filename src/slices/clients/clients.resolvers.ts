import { clientCrud, RestoreClientResolver } from "./client.resource.js";

/** Resolvers of clients. */
export const clientsResolvers = [...clientCrud, RestoreClientResolver] as const;
