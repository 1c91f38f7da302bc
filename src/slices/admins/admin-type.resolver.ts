import { Args, Ctx, Mutation, Query, Resolver } from "type-graphql";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { CreateAdminTypeInput, ROLES, UpdateAdminTypeInput } from "./admin-type.inputs.js";
import { AdminType, adminTypeList } from "./admin-type.model.js";
import * as adminTypeService from "./admin-type.service.js";

const { Args: AdminTypesArgs, Connection: AdminTypeConnection } = adminTypeList;
type AdminTypesArgs = InstanceType<typeof AdminTypesArgs>;

const GRANT_NOTE = "FORBIDDEN for a role that the caller does not hold, unless a full administrator.";
const TAKING_NOTE =
  "FORBIDDEN for a type with a role that the caller does not hold, unless a full administrator.";
const CONTENT_NOTE =
  "VALIDATION_FAILED with rule `unique` for a key that stands twice in one list of entries.";
const EFFECT_NOTE = "It takes effect within 5 seconds everywhere.";

@Resolver(() => AdminType)
export class AdminTypeResolver {
  @RequirePermission("access_admin_types")
  @Query(() => AdminTypeConnection, {
    description: "The company's admin types, newest first unless ordered.",
  })
  adminTypes(@Company() company: CompanyScope, @Args(() => AdminTypesArgs) args: AdminTypesArgs) {
    return adminTypeService.listAdminTypes(company, args);
  }

  @RequirePermission("access_admin_types")
  @Query(() => AdminType, { description: "One admin type. NOT_FOUND when there is none." })
  adminType(@Company() company: CompanyScope, @EntityId("id", "AdminType") id: number) {
    return adminTypeService.getAdminType(company, id);
  }

  @RequirePermission("can_edit_admin_types")
  @Audited()
  @Mutation(() => AdminType, { description: `Creates an admin type. ${CONTENT_NOTE} ${GRANT_NOTE}` })
  createAdminType(
    @Company() company: CompanyScope,
    @Input(() => CreateAdminTypeInput, { description: "The admin type." }) input: CreateAdminTypeInput,
  ) {
    return adminTypeService.createAdminType(company, input);
  }

  @RequirePermission("can_edit_admin_types")
  @Audited()
  @Mutation(() => AdminType, {
    description:
      `Changes an admin type; content and roles are replaced as a whole. ${EFFECT_NOTE} ${CONTENT_NOTE} ` +
      `${GRANT_NOTE} Taking a role away is ${TAKING_NOTE}`,
  })
  async updateAdminType(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("id", "AdminType") id: number,
    @Input(() => UpdateAdminTypeInput, { description: "The changes." }) input: UpdateAdminTypeInput,
  ) {
    const adminType = await adminTypeService.updateAdminType(company, id, input);
    context.runtime.roles.forgetCompany(company.companyId);
    return adminType;
  }

  @RequirePermission("can_edit_admin_types")
  @Audited()
  @Mutation(() => AdminType, {
    description: `Removes an admin type and answers it as it was. ${TAKING_NOTE} CONFLICT while admins are linked to it.`,
  })
  deleteAdminType(@Company() company: CompanyScope, @EntityId("id", "AdminType") id: number) {
    return adminTypeService.deleteAdminType(company, id);
  }

  @RequirePermission("can_edit_admin_types")
  @Audited()
  @Mutation(() => AdminType, {
    description: `Adds roles to an admin type; those it has already stay. ${EFFECT_NOTE} ${GRANT_NOTE}`,
  })
  async addAdminTypeRoles(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("adminTypeId", "AdminType") adminTypeId: number,
    @Input(() => [String], { description: "Roles such as `can_edit_coupons`.", schema: ROLES })
    input: string[],
  ) {
    const adminType = await adminTypeService.addRoles(company, adminTypeId, input);
    context.runtime.roles.forgetCompany(company.companyId);
    return adminType;
  }

  @RequirePermission("can_edit_admin_types")
  @Audited()
  @Mutation(() => AdminType, {
    description: `Takes roles from an admin type; those it does not have are ignored. ${EFFECT_NOTE} ${TAKING_NOTE}`,
  })
  async removeAdminTypeRoles(
    @Ctx() { runtime }: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("adminTypeId", "AdminType") adminTypeId: number,
    @Input(() => [String], { description: "Roles such as `can_edit_coupons`.", schema: ROLES })
    input: string[],
  ) {
    const adminType = await adminTypeService.removeRoles(company, adminTypeId, input);
    runtime.roles.forgetCompany(company.companyId);
    return adminType;
  }
}
