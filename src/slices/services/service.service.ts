import { referenceService } from "../../core/resources/resource-service.js";
import { type Service, serviceList } from "./service.model.js";

export const serviceService = referenceService<Service>("Service", serviceList);

/** @throws DomainError NOT_FOUND. */
export const getService = serviceService.get;
