import { type Material, materialList } from "./material.model.js";
import { referenceService } from "../../core/resources/resource-service.js";

export const materialService = referenceService<Material>("Material", materialList);
