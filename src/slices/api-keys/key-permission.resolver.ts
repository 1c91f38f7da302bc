import { Arg, Ctx, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { invalidField } from "../../core/errors/domain-error.js";
import { Company, EntityId } from "../../core/operations/operation-arguments.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { grantOfKey } from "../auth/stored-keys.sql.js";
import { getApiKey } from "./api-key.service.js";
import { KeyPermissionExplanation } from "./key-permission.model.js";
import { judgeKey } from "./key-permission.rules.js";

@Resolver()
export class KeyPermissionResolver {
  @RequirePermission("access_api_keys")
  @Query(() => KeyPermissionExplanation, {
    description:
      "Why a key for machines may or may not run an operation, by what is stored now; a change takes effect within 5 seconds. " +
      "VALIDATION_FAILED on `operation`, rule `unknown`, for a name that is no query or mutation.",
  })
  async explainKeyPermission(
    @Ctx() { runtime, at }: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("apiKeyId", "ApiKey") apiKeyId: number,
    @Arg("operation", () => String, { description: "Name of a query or mutation, such as `updateGood`." })
    operation: string,
  ): Promise<KeyPermissionExplanation> {
    const key = await getApiKey(company, apiKeyId);
    const access = runtime.accessOf(operation);
    if (access === undefined) throw invalidField("operation", "unknown", "is no query or mutation");
    const grant = await grantOfKey(company, apiKeyId);
    return { operation, apiKeyId, ...judgeKey(access, key, grant, at) };
  }
}
