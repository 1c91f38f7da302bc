import type { GraphQLResolveInfo, GraphQLInputObjectType } from "graphql";
import { Info, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { snakeCaseOf } from "../../core/names.js";
import { Company, EntityId } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { getAdmin } from "../admins/admin.service.js";
import { grantOf } from "../auth/stored-callers.sql.js";
import type { UpdateSettingsInput } from "./company-settings.inputs.js";

@Resolver()
export class AllowedSettingsResolver {
  @RequirePermission("access_admins", { orAdmin: "adminId" })
  @Query(() => [String], {
    description:
      "Keys of the company's settings that an admin may change, as REST writes them: all of them with " +
      "`can_edit_settings`, else none, as for who is bound to shops or branches. `<bank>_settings` stands for the key of any bank. The admin itself needs no " +
      "permission to ask.",
  })
  async adminAllowedSettings(
    @Company() company: CompanyScope,
    @EntityId("adminId", "Admin") adminId: number,
    @Info() { schema }: GraphQLResolveInfo,
  ): Promise<string[]> {
    await getAdmin(company, adminId);
    const grant = await grantOf(company, adminId);
    const mayEdit = grant !== null && (grant.all || grant.roles.has("can_edit_settings"));
    if (!mayEdit || grant.bounds != null) return [];
    return Object.keys((schema.getType("UpdateSettingsInput") as GraphQLInputObjectType).getFields()).map(
      keyOf,
    );
  }
}

/** Stands for the keys of all banks, which REST writes among the others (contract §9.2). */
const KEY_OF_BANKS = "<bank>_settings";

/** The key of a setting: `payInStore` → `pay_in_store`, `messengerAToken` → `messenger_a_token`. */
function keyOf(name: string): string {
  return name === ("bankSettings" satisfies keyof UpdateSettingsInput) ? KEY_OF_BANKS : snakeCaseOf(name);
}
