import { type Fleet, fleetList } from "./fleet.model.js";
import { resourceService } from "../../core/resources/resource-service.js";

export const fleetService = resourceService<Fleet>("Fleet", fleetList);

/** @throws DomainError NOT_FOUND. */
export const getFleet = fleetService.get;
