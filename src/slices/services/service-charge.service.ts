import { resourceService } from "../../core/resources/resource-service.js";
import { type ServiceCharge, serviceChargeList } from "./service-charge.model.js";

export const serviceChargeService = resourceService<ServiceCharge>("ServiceCharge", serviceChargeList);

/** @throws DomainError NOT_FOUND. */
export const getServiceCharge = serviceChargeService.get;
