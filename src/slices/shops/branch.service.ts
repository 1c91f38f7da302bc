import { NO_JSON } from "../../core/db/db.js";
import { type Branch, branchList } from "./branch.model.js";
import { refuseUnsettled } from "../balance/settlement.service.js";
import { resourceService, type Values } from "../../core/resources/resource-service.js";

export const branchService = resourceService<Branch>("Branch", branchList, {
  refuseRemoval: refuseUnsettled("branch"),
  prepare: (_scope, input) => withNullHours(input),
});

/** @throws DomainError NOT_FOUND. */
export const getBranch = branchService.get;

/**
 * Puts null opening hours as a null column: for Prisma plain null is ambiguous, since JSON has a null of its own.
 */
function withNullHours(input: Values): Values {
  return input["openingHours"] === null ? { ...input, openingHours: NO_JSON } : input;
}
