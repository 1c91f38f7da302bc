import { type GoodTag, goodTagList } from "./good-tag.model.js";
import { resourceService } from "../../core/resources/resource-service.js";

export const goodTagService = resourceService<GoodTag>("GoodTag", goodTagList);

/** @throws DomainError NOT_FOUND. */
export const getGoodTag = goodTagService.get;
