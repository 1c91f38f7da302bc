import { type City, cityList } from "./city.model.js";
import { resourceService } from "../../core/resources/resource-service.js";

export const cityService = resourceService<City>("City", cityList);

/** @throws DomainError NOT_FOUND. */
export const getCity = cityService.get;
