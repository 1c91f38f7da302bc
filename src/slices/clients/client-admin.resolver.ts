import { Int, Mutation, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { ChangesRow } from "../../core/operations/changed-row.js";
import { Company, EntityId, Input, Offset } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { Admin } from "../admins/admin.model.js";
import * as clientAdminService from "./client-admin.service.js";

const EXISTING_ADMINS = { items: { minimum: 1, existingId: "Admin" } };

@Resolver(() => Admin)
export class ClientAdminResolver {
  @RequirePermission("access_admins", { orClient: "clientId" })
  @Query(() => [Admin], {
    description:
      "The admins who look after a client, the main admin first, then by their ids, at most 10,000. The client itself " +
      "needs no permission.",
  })
  clientAdmins(
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client") clientId: number,
    @Offset() offset: number,
  ) {
    return clientAdminService.listClientAdmins(company, clientId, offset);
  }

  @RequirePermission("access_admins", { orClient: "clientId" })
  @Query(() => Int, { description: "How many admins look after a client." })
  clientAdminsCount(@Company() company: CompanyScope, @EntityId("clientId", "Client") clientId: number) {
    return clientAdminService.clientAdminsCount(company, clientId);
  }

  @RequirePermission("access_admins", { orClient: "clientId" })
  @Query(() => Admin, { description: "The main admin of a client. NOT_FOUND when it has none." })
  mainAdminOfClient(@Company() company: CompanyScope, @EntityId("clientId", "Client") clientId: number) {
    return clientAdminService.getMainAdmin(company, clientId);
  }

  @RequirePermission("can_edit_admins")
  @Audited()
  @ChangesRow("Client", ({ clientId }) => clientId as number)
  @Mutation(() => [Admin], {
    description:
      "Replaces the admins who look after a client, and answers them. The main admin stays it when it is among them; " +
      "otherwise the client has none until `setMainAdmin`. VALIDATION_FAILED with rule `exists` for an id that is none.",
  })
  setClientAdmins(
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client") clientId: number,
    @Input(() => [Int], { description: "Ids of all these admins.", schema: EXISTING_ADMINS }) input: number[],
  ) {
    return clientAdminService.setClientAdmins(company, clientId, input);
  }

  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Admin, {
    description:
      "Makes an admin the main admin of a client, in place of another, who stays one of its admins. An admin who did " +
      "not look after the client does from then on.",
  })
  setMainAdmin(
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client") clientId: number,
    @EntityId("adminId", "Admin") adminId: number,
  ) {
    return clientAdminService.setMainAdmin(company, clientId, adminId);
  }
}
