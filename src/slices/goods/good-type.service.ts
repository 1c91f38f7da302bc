import { type GoodType, goodTypeList } from "./good-type.model.js";
import { resourceService } from "../../core/resources/resource-service.js";

export const goodTypeService = resourceService<GoodType>("GoodType", goodTypeList);

/** @throws DomainError NOT_FOUND. */
export const getGoodType = goodTypeService.get;
