import { Int, Mutation, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { Provider } from "./provider.model.js";
import { setProviderBranchGroups } from "./provider.service.js";

const EXISTING_BRANCH_GROUPS = { items: { minimum: 1, existingId: "BranchGroup" } };

@Resolver(() => Provider)
export class ProviderBranchGroupsResolver {
  @RequirePermission("can_edit_company")
  @Audited()
  @Mutation(() => Provider, { description: "Replaces the shops whose orders a provider may take." })
  setProviderBranchGroups(
    @Company() company: CompanyScope,
    @EntityId("providerId", "Provider") providerId: number,
    @Input(() => [Int], { description: "Ids of all these shops.", schema: EXISTING_BRANCH_GROUPS })
    input: number[],
  ) {
    return setProviderBranchGroups(company, providerId, input);
  }
}
