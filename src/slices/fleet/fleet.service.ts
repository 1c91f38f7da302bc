import { type Fleet, fleetList } from "./fleet.model.js";
import { referenceService } from "../../core/resources/resource-service.js";

export const fleetService = referenceService<Fleet>("Fleet", fleetList);
