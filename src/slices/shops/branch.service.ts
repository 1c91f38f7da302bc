import { Prisma } from "../../generated/prisma/client.js";
import { type Branch, branchList } from "./branch.model.js";
import { resourceService, type Values } from "../../core/resources/resource-service.js";

export const branchService = resourceService<Branch>("Branch", branchList, {
  prepare: (_scope, input) => withNullHours(input),
});

/** @throws DomainError NOT_FOUND. */
export const getBranch = branchService.get;

/** Prisma tells the null of the column from the null of JSON. */
function withNullHours(input: Values): Values {
  return input["openingHours"] === null ? { ...input, openingHours: Prisma.DbNull } : input;
}
