import { fleetCrud } from "./fleet.resource.js";

/** Resolvers of fleets. */
export const fleetResolvers = [...fleetCrud] as const;
