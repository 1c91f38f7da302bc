import { Args, Mutation, Query, Resolver } from "type-graphql";
import { Open, RequirePermission } from "../../core/access/access.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { PropertyInput } from "./property.inputs.js";
import { Property, propertyList } from "./property.model.js";
import * as propertyService from "./property.service.js";

const { Args: PropertiesArgs, Connection: PropertyConnection } = propertyList;
type PropertiesArgs = InstanceType<typeof PropertiesArgs>;

@Resolver(() => Property)
export class PropertyResolver {
  @Open()
  @Query(() => PropertyConnection, { description: "The company's properties, newest first unless ordered." })
  properties(@Company() company: CompanyScope, @Args(() => PropertiesArgs) args: PropertiesArgs) {
    return propertyService.listProperties(company, args);
  }

  @RequirePermission("access_properties")
  @Query(() => PropertyConnection, {
    description:
      "Properties of the shop that the branch belongs to; those of the whole company for a branch without a shop.",
  })
  propertiesOfBranch(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @Args(() => PropertiesArgs) args: PropertiesArgs,
  ) {
    return propertyService.listPropertiesOfBranch(company, branchId, args);
  }

  @RequirePermission("access_properties")
  @Query(() => PropertyConnection, { description: "Properties of one shop." })
  propertiesOfBranchGroup(
    @Company() company: CompanyScope,
    @EntityId("branchGroupId", "BranchGroup") branchGroupId: number,
    @Args(() => PropertiesArgs) args: PropertiesArgs,
  ) {
    return propertyService.listPropertiesOfBranchGroup(company, branchGroupId, args);
  }

  @Open()
  @Query(() => Property, { description: "One property. NOT_FOUND when there is none." })
  property(@Company() company: CompanyScope, @EntityId("id", "Property") id: number) {
    return propertyService.getProperty(company, id);
  }

  @RequirePermission("can_edit_properties")
  @Mutation(() => Property, { description: "Creates a property of the whole company." })
  createProperty(
    @Company() company: CompanyScope,
    @Input(() => PropertyInput, { description: "The property." }) input: PropertyInput,
  ) {
    return propertyService.createProperty(company, input);
  }

  @RequirePermission("can_edit_properties")
  @Mutation(() => Property, {
    description:
      "Creates a property of the shop that the branch belongs to; of the whole company for a branch without a shop.",
  })
  createPropertyForBranch(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @Input(() => PropertyInput, { description: "The property." }) input: PropertyInput,
  ) {
    return propertyService.createPropertyForBranch(company, branchId, input);
  }

  @RequirePermission("can_edit_properties")
  @Mutation(() => Property, { description: "Creates a property of one shop." })
  createPropertyForBranchGroup(
    @Company() company: CompanyScope,
    @EntityId("branchGroupId", "BranchGroup") branchGroupId: number,
    @Input(() => PropertyInput, { description: "The property." }) input: PropertyInput,
  ) {
    return propertyService.createPropertyForBranchGroup(company, branchGroupId, input);
  }

  @RequirePermission("can_edit_properties")
  @Mutation(() => Property, {
    description: "Changes a property; its choices are replaced as a set, matched by id.",
  })
  updateProperty(
    @Company() company: CompanyScope,
    @EntityId("id", "Property") id: number,
    @Input(() => PropertyInput, { description: "The changes." }) input: PropertyInput,
  ) {
    return propertyService.updateProperty(company, id, input);
  }

  @RequirePermission("can_edit_properties")
  @Mutation(() => Property, {
    description: "Removes a property, also from every good that has it; answers what it was.",
  })
  deleteProperty(@Company() company: CompanyScope, @EntityId("id", "Property") id: number) {
    return propertyService.deleteProperty(company, id);
  }
}
