import { referenceService } from "../../core/resources/resource-service.js";
import { type Service, serviceList } from "./service.model.js";

export const serviceService = referenceService<Service>("Service", serviceList);
