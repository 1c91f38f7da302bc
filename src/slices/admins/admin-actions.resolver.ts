import { Ctx, Mutation, Query, Resolver } from "type-graphql";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { notFound } from "../../core/errors/domain-error.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { Client } from "../clients/client.model.js";
import { getClient } from "../clients/client.service.js";
import { UpdateAdminSettingsInput } from "./admin-settings.inputs.js";
import { Admin } from "./admin.model.js";
import * as adminService from "./admin.service.js";

const GRANT_NOTE =
  "FORBIDDEN when the type has a role that the caller does not hold, unless a full administrator.";
const HOLDS_MORE_NOTE = "FORBIDDEN for an admin who holds more than the caller, unless a full administrator.";
const OTHERS_NOTE =
  "FORBIDDEN for another admin who holds more than the caller, unless a full administrator.";
const OWN_TYPE_NOTE = "Nobody but a full administrator changes their own type: FORBIDDEN.";
const EFFECT_NOTE = "It takes effect within 5 seconds everywhere.";
const ANEW_NOTE = "An admin who is granted more signs in anew: all its logins end.";

/** What is done with an admin besides the five plain operations. */
@Resolver(() => Admin)
export class AdminActionsResolver {
  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Admin, {
    description:
      `Gives an admin another admin type. ${EFFECT_NOTE} ${ANEW_NOTE} ${GRANT_NOTE} ${HOLDS_MORE_NOTE} ` +
      OWN_TYPE_NOTE,
  })
  async linkAdminType(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("adminId", "Admin") adminId: number,
    @EntityId("adminTypeId", "AdminType") adminTypeId: number,
  ) {
    return forgetting(context, company, await adminService.linkAdminType(company, adminId, adminTypeId));
  }

  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Admin, {
    description:
      `Takes the admin type from an admin. ${EFFECT_NOTE} Taken by who does not hold all that the type does, it still counts for ` +
      "who may change the admin. NOT_FOUND when it has another or none. " +
      `${HOLDS_MORE_NOTE} ${OWN_TYPE_NOTE}`,
  })
  async unlinkAdminType(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("adminId", "Admin") adminId: number,
    @EntityId("adminTypeId", "AdminType") adminTypeId: number,
  ) {
    return forgetting(context, company, await adminService.unlinkAdminType(company, adminId, adminTypeId));
  }

  @RequirePermission("can_edit_admins", { fullAdmins: true })
  @Audited()
  @Mutation(() => Admin, {
    description:
      "Makes an admin a full administrator, who has every permission; one that is stays as it is. Only full " +
      `administrators and the platform may: FORBIDDEN. ${EFFECT_NOTE} ${ANEW_NOTE}`,
  })
  async upgradeAdmin(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("adminId", "Admin") adminId: number,
  ) {
    return forgetting(context, company, await adminService.upgradeAdmin(company, adminId));
  }

  @RequirePermission("can_edit_admins", { fullAdmins: true })
  @Audited()
  @Mutation(() => Admin, {
    description:
      "Makes a full administrator an admin with the roles of its type again; one that is none stays as it is. Only " +
      "full administrators and the platform may: FORBIDDEN. INVALID_STATE for the owner of the company and for the " +
      `last full administrator. ${EFFECT_NOTE}`,
  })
  async downgradeAdmin(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("adminId", "Admin") adminId: number,
  ) {
    return forgetting(context, company, await adminService.downgradeAdmin(company, adminId));
  }

  @RequirePermission("can_edit_admins", { orAdmin: "adminId" })
  @Audited()
  @Mutation(() => Admin, {
    description: `Shows an admin as online; the admin itself needs no permission. Again: nothing changes. ${OTHERS_NOTE}`,
  })
  setAdminOnline(@Company() company: CompanyScope, @EntityId("adminId", "Admin") adminId: number) {
    return adminService.setOnline(company, adminId, true);
  }

  @RequirePermission("can_edit_admins", { orAdmin: "adminId" })
  @Audited()
  @Mutation(() => Admin, {
    description: `Shows an admin as offline; the admin itself needs no permission. Again: nothing changes. ${OTHERS_NOTE}`,
  })
  setAdminOffline(@Company() company: CompanyScope, @EntityId("adminId", "Admin") adminId: number) {
    return adminService.setOnline(company, adminId, false);
  }

  @RequirePermission("can_edit_admins", { orAdmin: "adminId" })
  @Audited()
  @Mutation(() => Admin, {
    description:
      "Changes settings of an admin; what is not named stays. Preferences are merged in their order into those that " +
      "are stored. The admin itself needs no permission. " +
      OTHERS_NOTE,
  })
  updateAdminSettings(
    @Company() company: CompanyScope,
    @EntityId("adminId", "Admin") adminId: number,
    @Input(() => UpdateAdminSettingsInput, { description: "The changes." }) input: UpdateAdminSettingsInput,
  ) {
    return adminService.updateAdminSettings(company, adminId, input);
  }

  @RequirePermission("access_clients")
  @Query(() => Client, {
    description: "The client that is the same person as an admin. NOT_FOUND when there is none.",
  })
  async adminClient(@Company() company: CompanyScope, @EntityId("adminId", "Admin") adminId: number) {
    const { clientId } = await adminService.getAdmin(company, adminId);
    if (clientId === null) throw notFound("Client");
    return getClient(company, clientId);
  }

  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Admin, {
    description: `Links an admin to the client that is the same person, in place of another. ${HOLDS_MORE_NOTE}`,
  })
  linkAdminClient(
    @Company() company: CompanyScope,
    @EntityId("adminId", "Admin") adminId: number,
    @EntityId("clientId", "Client") clientId: number,
  ) {
    return adminService.setClientOfAdmin(company, adminId, clientId);
  }

  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Admin, {
    description: `Takes an admin's client from it; without one nothing changes. ${HOLDS_MORE_NOTE}`,
  })
  unlinkAdminClient(@Company() company: CompanyScope, @EntityId("adminId", "Admin") adminId: number) {
    return adminService.setClientOfAdmin(company, adminId, null);
  }
}

/** Lets a change of what admins hold take effect at once in this process. */
function forgetting<T>({ runtime }: OperationContext, { companyId }: CompanyScope, answer: T): T {
  runtime.roles.forgetCompany(companyId);
  return answer;
}
