import { Int, Mutation, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { ChangesRow } from "../../core/operations/changed-row.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { GoodMaterialInput } from "./good.inputs.js";
import { Good } from "./good.model.js";
import * as goodLinksService from "./good-links.service.js";
import { GoodMaterial } from "./good-material.model.js";

/** JSON Schema of a list of ids of goods; an id of no good is refused with rule `exists` at its place. */
export const GOOD_IDS = { items: { minimum: 1, existingId: "Good" } };

/** The good that arguments name, for what is a part of it. */
export const goodOf = ({ goodId }: Readonly<Record<string, unknown>>): number => goodId as number;

@Resolver(() => Good)
export class GoodLinksResolver {
  @RequirePermission("can_edit_goods")
  @Audited()
  @Mutation(() => Good, { description: "Gives a good its type, in place of another." })
  linkGoodType(
    @Company() company: CompanyScope,
    @EntityId("goodId", "Good") goodId: number,
    @EntityId("goodTypeId", "GoodType") goodTypeId: number,
  ) {
    return goodLinksService.linkGoodType(company, goodId, goodTypeId);
  }

  @RequirePermission("can_edit_goods")
  @Audited()
  @Mutation(() => Good, {
    description: "Takes the type off a good. NOT_FOUND when the good is not of that type.",
  })
  unlinkGoodType(
    @Company() company: CompanyScope,
    @EntityId("goodId", "Good") goodId: number,
    @EntityId("goodTypeId", "GoodType") goodTypeId: number,
  ) {
    return goodLinksService.unlinkGoodType(company, goodId, goodTypeId);
  }

  @RequirePermission("can_edit_goods")
  @Audited()
  @ChangesRow("Good", goodOf)
  @Mutation(() => GoodMaterial, {
    description: "Says how much of a material a good needs; replaces what was said.",
  })
  linkGoodMaterial(
    @Company() company: CompanyScope,
    @EntityId("goodId", "Good") goodId: number,
    @EntityId("materialId", "Material") materialId: number,
    @Input(() => GoodMaterialInput, { description: "How much of it." }) input: GoodMaterialInput,
  ) {
    return goodLinksService.linkGoodMaterial(company, goodId, materialId, input);
  }

  @RequirePermission("can_edit_goods")
  @Audited()
  @ChangesRow("Good", goodOf)
  @Mutation(() => GoodMaterial, { description: "Takes a material off a good; answers what it was." })
  unlinkGoodMaterial(
    @Company() company: CompanyScope,
    @EntityId("goodId", "Good") goodId: number,
    @EntityId("materialId", "Material") materialId: number,
  ) {
    return goodLinksService.unlinkGoodMaterial(company, goodId, materialId);
  }

  @RequirePermission("can_edit_goods")
  @Audited()
  @ChangesRow("GoodTag", ({ goodTagId }) => goodTagId as number)
  @Mutation(() => [Good], {
    description: "Makes these the only goods with a tag; answers them in the order given.",
  })
  replaceGoodsOfTag(
    @Company() company: CompanyScope,
    @EntityId("goodTagId", "GoodTag") goodTagId: number,
    @Input(() => [Int], { description: "Ids of goods.", schema: GOOD_IDS }) input: number[],
  ) {
    return goodLinksService.replaceGoodsOfTag(company, goodTagId, input);
  }

  @RequirePermission("can_edit_goods")
  @Audited()
  @Mutation(() => [Good], {
    description: "Puts goods into a category beside those that are there; answers the goods given.",
  })
  addGoodsToCategory(
    @Company() company: CompanyScope,
    @EntityId("categoryId", "Category") categoryId: number,
    @Input(() => [Int], { description: "Ids of goods.", schema: GOOD_IDS }) input: number[],
  ) {
    return goodLinksService.addGoodsToCategory(company, categoryId, input);
  }
}
