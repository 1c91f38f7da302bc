import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import { listGoods } from "./good-list.service.js";
import { Mutation, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { upsertResolver } from "../../core/operations/upsert-operation.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { GoodKeyEnum } from "./good-key.js";
import { lockUpserted, upsertGood } from "./good-upsert.service.js";
import { CreateGoodInput, RestoreGoodInput, UpdateGoodInput, UpsertGoodInput } from "./good.inputs.js";
import { Good, goodList } from "./good.model.js";
import * as goodService from "./good.service.js";

/** Lists, shows, creates, changes and deletes goods. */
export const goodCrud = resourceResolvers({
  model: "Good",
  type: Good,
  list: goodList,
  plural: "goods",
  area: "goods",
  openTo: "everyone",
  create: CreateGoodInput,
  update: UpdateGoodInput,
  descriptions: { create: "Creates a good of the whole company." },
  bulk: [
    {
      name: "updateGoods",
      description: "Changes goods alike, such as their price, each as `updateGood` does.",
      input: UpdateGoodInput,
      each: goodService.updateGood,
    },
    {
      name: "restoreGoods",
      description: "Brings deleted goods back, each as `restoreGood` does.",
      each: (scope, id) => goodService.restoreGood(scope, id, {}),
    },
  ],
  service: {
    list: listGoods,
    get: (scope, id, withDeleted) =>
      goodService.getGood(scope, id, { withDeleted, select: scope.selected("Good") }),
    create: goodService.createGood,
    update: goodService.updateGood,
    remove: goodService.deleteGood,
  },
});

export const goodUpsert = upsertResolver(
  {
    name: "upsertGoods",
    description:
      "Creates or changes goods, a value for each row. By `id` nothing is created: NOT_FOUND. A wrong field refuses its row alone, as far as " +
      "fewer than 25 are wrong.",
    type: Good,
    field: "good",
    by: GoodKeyEnum,
    input: UpsertGoodInput,
    lock: lockUpserted,
    each: upsertGood,
  },
  { permission: "can_edit_goods" },
);

@Resolver(() => Good)
export class GoodResolver {
  @RequirePermission("can_edit_goods")
  @Audited()
  @Mutation(() => Good, {
    description: "Creates a good of the shop that the branch belongs to, on sale at that branch.",
  })
  createGoodForBranch(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @Input(() => CreateGoodInput, { description: "The good." }) input: CreateGoodInput,
  ) {
    return goodService.createGoodForBranch(company, branchId, input);
  }

  @RequirePermission("can_edit_goods")
  @Audited()
  @Mutation(() => Good, { description: "Creates a good of one shop." })
  createGoodForBranchGroup(
    @Company() company: CompanyScope,
    @EntityId("branchGroupId", "BranchGroup") branchGroupId: number,
    @Input(() => CreateGoodInput, { description: "The good." }) input: CreateGoodInput,
  ) {
    return goodService.createGoodForBranchGroup(company, branchGroupId, input);
  }

  @RequirePermission("can_edit_goods")
  @Audited()
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
