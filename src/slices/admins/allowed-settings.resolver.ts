import type { GraphQLResolveInfo, GraphQLInputObjectType } from "graphql";
import { Info, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Company, EntityId } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { getAdmin } from "./admin.service.js";
import { grantOf } from "./role-grants.js";

@Resolver()
export class AllowedSettingsResolver {
  @RequirePermission("access_admins", { orAdmin: "adminId" })
  @Query(() => [String], {
    description:
      "Keys of the company's settings that an admin may change, as REST writes them: all of them with " +
      "`can_edit_settings`, else none. The admin itself needs no permission to ask.",
  })
  async adminAllowedSettings(
    @Company() company: CompanyScope,
    @EntityId("adminId", "Admin") adminId: number,
    @Info() { schema }: GraphQLResolveInfo,
  ): Promise<string[]> {
    await getAdmin(company, adminId);
    const grant = await grantOf(company, adminId);
    const mayEdit = grant !== null && (grant.all || grant.roles.has("can_edit_settings"));
    if (!mayEdit) return [];
    return Object.keys((schema.getType("UpdateSettingsInput") as GraphQLInputObjectType).getFields()).map(
      keyOf,
    );
  }
}

/** The key of a setting: `payInStore` → `pay_in_store`, `messengerAToken` → `messenger_a_token`. */
function keyOf(name: string): string {
  return name
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=\d)/gu, "_")
    .toLowerCase();
}
