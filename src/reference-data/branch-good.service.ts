import { type BranchGood, branchGoodList } from "./branch-good.model.js";
import { referenceService } from "./reference-service.js";

export const branchGoodService = referenceService<BranchGood>("BranchGood", branchGoodList, {
  unique: "goodId",
});

/** @throws DomainError NOT_FOUND. */
export const getBranchGood = branchGoodService.get;
