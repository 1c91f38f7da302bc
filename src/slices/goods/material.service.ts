import { type Material, materialList } from "./material.model.js";
import { resourceService } from "../../core/resources/resource-service.js";

export const materialService = resourceService<Material>("Material", materialList);

/** @throws DomainError NOT_FOUND. */
export const getMaterial = materialService.get;
