import { Mutation, Query, Resolver } from "type-graphql";
import { Open, RequirePermission } from "../../core/access/access.js";
import { Company, EntityId, Input, WithDeleted } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { GoodInput, RestoreGoodInput, UpdateGoodInput } from "./good.inputs.js";
import { Good } from "./good.model.js";
import * as goodService from "./good.service.js";

@Resolver(() => Good)
export class GoodResolver {
  @Open()
  @Query(() => Good, { description: "One good. NOT_FOUND when there is none." })
  good(
    @Company() company: CompanyScope,
    @EntityId("id", "Good") id: number,
    @WithDeleted("goods") withDeleted: boolean,
  ) {
    return goodService.getGood(company, id, { withDeleted, select: company.selected("Good") });
  }

  @RequirePermission("can_edit_goods")
  @Mutation(() => Good, { description: "Creates a good of the whole company." })
  createGood(
    @Company() company: CompanyScope,
    @Input(() => GoodInput, { description: "The good." }) input: GoodInput,
  ) {
    return goodService.createGood(company, input);
  }

  @RequirePermission("can_edit_goods")
  @Mutation(() => Good, {
    description: "Creates a good of the shop that the branch belongs to, on sale at that branch.",
  })
  createGoodForBranch(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @Input(() => GoodInput, { description: "The good." }) input: GoodInput,
  ) {
    return goodService.createGoodForBranch(company, branchId, input);
  }

  @RequirePermission("can_edit_goods")
  @Mutation(() => Good, { description: "Creates a good of one shop." })
  createGoodForBranchGroup(
    @Company() company: CompanyScope,
    @EntityId("branchGroupId", "BranchGroup") branchGroupId: number,
    @Input(() => GoodInput, { description: "The good." }) input: GoodInput,
  ) {
    return goodService.createGoodForBranchGroup(company, branchGroupId, input);
  }

  @RequirePermission("can_edit_goods")
  @Mutation(() => Good, { description: "Changes a good; what is absent stays as it is." })
  updateGood(
    @Company() company: CompanyScope,
    @EntityId("id", "Good") id: number,
    @Input(() => UpdateGoodInput, { description: "The changes." }) input: UpdateGoodInput,
  ) {
    return goodService.updateGood(company, id, input);
  }

  @RequirePermission("can_edit_goods")
  @Mutation(() => Good, { description: "Deletes a good; it can be restored." })
  deleteGood(@Company() company: CompanyScope, @EntityId("id", "Good") id: number) {
    return goodService.deleteGood(company, id);
  }

  @RequirePermission("can_edit_goods")
  @Mutation(() => Good, { description: "Brings a deleted good back. INVALID_STATE when it is not deleted." })
  restoreGood(
    @Company() company: CompanyScope,
    @EntityId("id", "Good", { includesDeleted: true }) id: number,
    @Input(() => RestoreGoodInput, { nullable: true, description: "A new name, if it gets one." })
    input: RestoreGoodInput | null | undefined,
  ) {
    return goodService.restoreGood(company, id, input ?? {});
  }
}
