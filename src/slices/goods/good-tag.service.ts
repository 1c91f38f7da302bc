import { type GoodTag, goodTagList } from "./good-tag.model.js";
import { referenceService } from "../../core/resources/resource-service.js";

export const goodTagService = referenceService<GoodTag>("GoodTag", goodTagList);

/** @throws DomainError NOT_FOUND. */
export const getGoodTag = goodTagService.get;
