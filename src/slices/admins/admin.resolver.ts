import { Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId, Input, WithDeleted } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { AdminSettings } from "./admin-settings.model.js";
import { describeAdminSettings } from "./admin-settings.rules.js";
import { CreateAdminInput, UpdateAdminInput } from "./admin.inputs.js";
import { Admin, adminList } from "./admin.model.js";
import * as adminService from "./admin.service.js";
import { grantOfCaller } from "./role-grants.js";

const { Args: AdminsArgs, Connection: AdminConnection } = adminList;
type AdminsArgs = InstanceType<typeof AdminsArgs>;

const GRANT_NOTE =
  "FORBIDDEN when the type has a role that the caller does not hold, unless a full administrator.";
const REMOVAL_NOTE = "FORBIDDEN for an admin who holds more than the caller, unless a full administrator.";
const EFFECT_NOTE = "It takes effect within 5 seconds everywhere.";

@Resolver(() => Admin)
export class AdminResolver {
  @RequirePermission("access_admins")
  @Query(() => AdminConnection, { description: "The company's admins, newest first unless ordered." })
  admins(@Company() company: CompanyScope, @Args(() => AdminsArgs) args: AdminsArgs) {
    return adminService.listAdmins(company, args);
  }

  @RequirePermission("access_admins")
  @Query(() => Admin, { description: "One admin. NOT_FOUND when there is none." })
  admin(
    @Company() company: CompanyScope,
    @EntityId("id", "Admin") id: number,
    @WithDeleted("admins") withDeleted: boolean,
  ) {
    return adminService.getAdmin(company, id, { withDeleted });
  }

  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Admin, {
    description:
      "Creates an admin; without a password the answer carries a token to set one. VALIDATION_FAILED with rule " +
      `\`unique\` for an e-mail that is taken. ${GRANT_NOTE}`,
  })
  async createAdmin(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @Input(() => CreateAdminInput, { description: "The admin." }) input: CreateAdminInput,
  ) {
    return adminService.createAdmin(company, await grantOfCaller(context), input);
  }

  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Admin, { description: "Changes an admin." })
  updateAdmin(
    @Company() company: CompanyScope,
    @EntityId("id", "Admin") id: number,
    @Input(() => UpdateAdminInput, { description: "The changes." }) input: UpdateAdminInput,
  ) {
    return adminService.updateAdmin(company, id, input);
  }

  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Admin, {
    description:
      `Deletes an admin, whose tokens stop working. ${REMOVAL_NOTE} INVALID_STATE for the owner of the company ` +
      "and for the last full administrator.",
  })
  async deleteAdmin(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("id", "Admin") id: number,
  ) {
    const admin = await adminService.deleteAdmin(company, await grantOfCaller(context), id);
    context.runtime.roles.forgetCompany(company.companyId);
    return admin;
  }

  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Admin, {
    description: `Gives an admin another admin type. ${EFFECT_NOTE} ${GRANT_NOTE} ${REMOVAL_NOTE}`,
  })
  async linkAdminType(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("adminId", "Admin") adminId: number,
    @EntityId("adminTypeId", "AdminType") adminTypeId: number,
  ) {
    const grant = await grantOfCaller(context);
    const admin = await adminService.linkAdminType(company, grant, adminId, adminTypeId);
    context.runtime.roles.forgetCompany(company.companyId);
    return admin;
  }

  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Admin, {
    description:
      `Takes the admin type from an admin. ${EFFECT_NOTE} NOT_FOUND when it has another or none. ` +
      REMOVAL_NOTE,
  })
  async unlinkAdminType(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("adminId", "Admin") adminId: number,
    @EntityId("adminTypeId", "AdminType") adminTypeId: number,
  ) {
    const grant = await grantOfCaller(context);
    const admin = await adminService.unlinkAdminType(company, grant, adminId, adminTypeId);
    context.runtime.roles.forgetCompany(company.companyId);
    return admin;
  }

  @FieldResolver(() => AdminSettings, { description: "Its settings." })
  settings(@Root() admin: { settings: unknown }): AdminSettings {
    return describeAdminSettings(admin.settings);
  }
}
