import { serviceCrud } from "./service.resource.js";
import { serviceChargeCrud } from "./service-charge.resource.js";

/** Resolvers of services and their charges. */
export const servicesResolvers = [...serviceCrud, ...serviceChargeCrud] as const;
