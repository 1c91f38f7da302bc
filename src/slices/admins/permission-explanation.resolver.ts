import { Arg, Ctx, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { invalidField } from "../../core/errors/domain-error.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { Company, EntityId } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { getAdminType, rolesOf } from "./admin-type.service.js";
import { getAdmin } from "./admin.service.js";
import { PermissionExplanation } from "./permission-explanation.model.js";
import { judgeAccess } from "./permission-explanation.rules.js";

@Resolver()
export class PermissionExplanationResolver {
  @RequirePermission("access_admins", { orAdmin: "adminId" })
  @Query(() => PermissionExplanation, {
    description:
      "Why an admin may or may not run an operation, by what is stored now; a change takes effect within 5 seconds. " +
      "VALIDATION_FAILED on `operation`, rule `unknown`, for a name that is no query or mutation.",
  })
  async explainPermission(
    @Ctx() { runtime }: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("adminId", "Admin") adminId: number,
    @Arg("operation", () => String, { description: "Name of a query or mutation, such as `updateGood`." })
    operation: string,
  ): Promise<PermissionExplanation> {
    const { isOwner, isFullAdmin, adminTypeId } = await getAdmin(company, adminId);
    const access = runtime.accessOf(operation);
    if (access === undefined) throw invalidField("operation", "unknown", "is no query or mutation");
    const roles = adminTypeId === null ? [] : (await rolesOf(company, adminTypeId)).toSorted();
    const type = adminTypeId === null ? null : await getAdminType(company, adminTypeId);
    const held = { isOwner, isFullAdmin, roles };
    const bounds = isOwner || isFullAdmin ? null : type;
    return {
      operation,
      adminId,
      adminTypeId,
      adminTypeName: type?.name ?? null,
      branchGroupIds: bounds?.branchGroupIds ?? [],
      branchIds: bounds?.branchIds ?? [],
      ...held,
      ...judgeAccess(access, held),
    };
  }
}
