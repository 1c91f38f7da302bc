import { type City, cityList } from "./city.model.js";
import { referenceService } from "../../core/resources/resource-service.js";

export const cityService = referenceService<City>("City", cityList);
