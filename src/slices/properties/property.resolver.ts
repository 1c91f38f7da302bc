import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import { Args, Mutation, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { PropertyInput } from "./property.inputs.js";
import { Property, propertyList } from "./property.model.js";
import * as propertyService from "./property.service.js";

const { Args: PropertiesArgs, Connection: PropertyConnection } = propertyList;
type PropertiesArgs = InstanceType<typeof PropertiesArgs>;

/** Lists, shows, creates, changes and deletes properties. */
export const propertyCrud = resourceResolvers({
  model: "Property",
  type: Property,
  list: propertyList,
  plural: "properties",
  area: "properties",
  openTo: "everyone",
  create: PropertyInput,
  update: PropertyInput,
  descriptions: {
    create: "Creates a property of the whole company.",
    update: "Changes a property; its choices are replaced as a set, matched by id.",
    delete: "Removes a property, also from every good that has it; answers what it was.",
  },
  service: {
    list: propertyService.listProperties,
    get: propertyService.getProperty,
    create: propertyService.createProperty,
    update: propertyService.updateProperty,
    remove: propertyService.deleteProperty,
  },
});

@Resolver(() => Property)
export class PropertyResolver {
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

  @RequirePermission("can_edit_properties")
  @Audited()
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
  @Audited()
  @Mutation(() => Property, { description: "Creates a property of one shop." })
  createPropertyForBranchGroup(
    @Company() company: CompanyScope,
    @EntityId("branchGroupId", "BranchGroup") branchGroupId: number,
    @Input(() => PropertyInput, { description: "The property." }) input: PropertyInput,
  ) {
    return propertyService.createPropertyForBranchGroup(company, branchGroupId, input);
  }
}
