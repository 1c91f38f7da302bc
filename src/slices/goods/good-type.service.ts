import { type GoodType, goodTypeList } from "./good-type.model.js";
import { referenceService } from "../../core/resources/resource-service.js";

export const goodTypeService = referenceService<GoodType>("GoodType", goodTypeList);

/** @throws DomainError NOT_FOUND. */
export const getGoodType = goodTypeService.get;
