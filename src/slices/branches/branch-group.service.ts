import { type BranchGroup, branchGroupList } from "./branch-group.model.js";
import { referenceService } from "../../core/resources/resource-service.js";

export const branchGroupService = referenceService<BranchGroup>("BranchGroup", branchGroupList);

/** @throws DomainError NOT_FOUND. */
export const getBranchGroup = branchGroupService.get;
