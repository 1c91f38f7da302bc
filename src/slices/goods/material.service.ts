import { type Material, materialList } from "./material.model.js";
import { referenceService } from "./reference-service.js";

export const materialService = referenceService<Material>("Material", materialList);

/** @throws DomainError NOT_FOUND. */
export const getMaterial = materialService.get;
