import "./clients.permissions.js";
import { ClientAdminResolver } from "./client-admin.resolver.js";
import { ClientDataResolver } from "./client-data.resolver.js";
import { ClientSegmentResolver, clientSegmentCrud } from "./segments/segment.resolver.js";
import { clientCrud, clientUpsert, RestoreClientResolver } from "./client.resource.js";

/** Resolvers of clients. */
export const clientsResolvers = [
  ...clientCrud,
  clientUpsert,
  RestoreClientResolver,
  ClientAdminResolver,
  ClientDataResolver,
  ...clientSegmentCrud,
  ClientSegmentResolver,
] as const;
