import { type BranchGroup, branchGroupList } from "./branch-group.model.js";
import { resourceService } from "../../core/resources/resource-service.js";

export const branchGroupService = resourceService<BranchGroup>("BranchGroup", branchGroupList);

/** @throws DomainError NOT_FOUND. */
export const getBranchGroup = branchGroupService.get;
