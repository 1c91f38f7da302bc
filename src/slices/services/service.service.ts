import { resourceService } from "../../core/resources/resource-service.js";
import { type Service, serviceList } from "./service.model.js";

export const serviceService = resourceService<Service>("Service", serviceList);

/** @throws DomainError NOT_FOUND. */
export const getService = serviceService.get;
