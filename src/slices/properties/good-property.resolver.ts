import { Args, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import { Open, RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { ChangesRow } from "../../core/operations/changed-row.js";
import { Company, EntityId, Input, Offset } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { goodList } from "../goods/good.model.js";
import { GoodProperty, GoodPropertyOptionsData, goodPropertyList } from "./good-property.model.js";
import { describeOptions } from "./good-property.rules.js";
import * as goodPropertyService from "./good-property.service.js";
import { SyncGoodPropertyInput, UpdateGoodPropertyInput } from "./property.inputs.js";

const { Args: GoodPropertiesArgs, Connection: GoodPropertyConnection } = goodPropertyList;
type GoodPropertiesArgs = InstanceType<typeof GoodPropertiesArgs>;
const { Args: GoodsArgs, Connection: GoodConnection } = goodList;
type GoodsArgs = InstanceType<typeof GoodsArgs>;

/** The properties of a good are a part of it. */
const goodOf = ({ goodId }: Readonly<Record<string, unknown>>): number => goodId as number;

@Resolver(() => GoodProperty)
export class GoodPropertyResolver {
  @Open()
  @Query(() => GoodProperty, {
    description: "One property of a good. NOT_FOUND, also when the good was deleted.",
  })
  goodProperty(@Company() company: CompanyScope, @EntityId("id", "GoodProperty") id: number) {
    return goodPropertyService.getGoodProperty(company, id);
  }

  @Open()
  @Query(() => GoodPropertyConnection, {
    description: "Properties of all goods of the company, newest first.",
  })
  goodProperties(@Company() company: CompanyScope, @Args(() => GoodPropertiesArgs) args: GoodPropertiesArgs) {
    return goodPropertyService.listGoodProperties(company, args);
  }

  @Open()
  @Query(() => [GoodProperty], {
    description: "Properties of all goods at once, at most 10,000; for old clients.",
  })
  legacyGoodProperties(@Company() company: CompanyScope, @Offset() offset: number) {
    return goodPropertyService.listAllGoodProperties(company, offset);
  }

  @RequirePermission("access_properties")
  @Query(() => GoodPropertyConnection, {
    description: "Properties of one good, in their order unless ordered.",
  })
  propertiesOfGood(
    @Company() company: CompanyScope,
    @EntityId("goodId", "Good") goodId: number,
    @Args(() => GoodPropertiesArgs) args: GoodPropertiesArgs,
  ) {
    return goodPropertyService.listPropertiesOfGood(company, goodId, args);
  }

  @RequirePermission("access_properties")
  @Query(() => GoodConnection, { description: "Goods that have a property." })
  goodsOfProperty(
    @Company() company: CompanyScope,
    @EntityId("propertyId", "Property") propertyId: number,
    @Args(() => GoodsArgs) args: GoodsArgs,
  ) {
    return goodPropertyService.listGoodsOfProperty(company, propertyId, args);
  }

  @RequirePermission("can_edit_properties")
  @Audited()
  @ChangesRow("Good", goodOf)
  @Mutation(() => [GoodProperty], {
    description:
      "Replaces the good's whole set of properties, in the order given; what is absent of one gets its default.",
  })
  syncGoodProperties(
    @Company() company: CompanyScope,
    @EntityId("goodId", "Good") goodId: number,
    @Input(() => [SyncGoodPropertyInput], {
      description: "The whole set, each property once.",
      schema: { uniqueBy: "propertyId" },
    })
    input: SyncGoodPropertyInput[],
  ) {
    return goodPropertyService.syncGoodProperties(company, goodId, input);
  }

  @RequirePermission("can_edit_properties")
  @Audited()
  @ChangesRow("Good", goodOf)
  @Mutation(() => GoodProperty, { description: "Changes one property of a good." })
  updateGoodProperty(
    @Company() company: CompanyScope,
    @EntityId("goodId", "Good") goodId: number,
    @EntityId("propertyId", "Property") propertyId: number,
    @Input(() => UpdateGoodPropertyInput, { description: "The changes." }) input: UpdateGoodPropertyInput,
  ) {
    return goodPropertyService.updateGoodProperty(company, goodId, propertyId, input);
  }

  @FieldResolver(() => GoodPropertyOptionsData, { description: "The mask taken apart, with names." })
  optionsData(@Root() { options }: GoodProperty): GoodPropertyOptionsData {
    return describeOptions(options);
  }
}
