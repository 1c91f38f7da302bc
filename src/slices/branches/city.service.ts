import { type City, cityList } from "./city.model.js";
import { referenceService } from "./reference-service.js";

export const cityService = referenceService<City>("City", cityList);

/** @throws DomainError NOT_FOUND. */
export const getCity = cityService.get;
