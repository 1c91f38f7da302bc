import { referenceService } from "../../core/resources/resource-service.js";
import { type ServiceCharge, serviceChargeList } from "./service-charge.model.js";

export const serviceChargeService = referenceService<ServiceCharge>("ServiceCharge", serviceChargeList);
