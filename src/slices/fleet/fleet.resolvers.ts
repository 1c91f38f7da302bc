import "./fleet.permissions.js";
import { fleetAssociationDeletion, FleetAssociationResolver } from "./fleet-association.resolver.js";
import { fleetCrud } from "./fleet.resource.js";

/** Resolvers of fleets and their associations. */
export const fleetResolvers = [...fleetCrud, FleetAssociationResolver, fleetAssociationDeletion] as const;
