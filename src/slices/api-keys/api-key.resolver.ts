import {
  Arg,
  Args,
  Ctx,
  Extensions,
  FieldResolver,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { ARGUMENT_SCHEMA, Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { DateTime } from "../../core/scalars/date-time.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { CreateApiKeyInput, UpdateApiKeyInput } from "./api-key.inputs.js";
import { ApiKey, apiKeyList } from "./api-key.model.js";
import * as apiKeyService from "./api-key.service.js";

const { Args: ApiKeysArgs, Connection: ApiKeyConnection } = apiKeyList;
type ApiKeysArgs = InstanceType<typeof ApiKeysArgs>;

const USUAL_OVERLAP_HOURS = 24;
const MOST_OVERLAP_HOURS = 720;

const HOLDS_MORE_NOTE =
  "FORBIDDEN for a key with roles that the caller does not hold, unless a full administrator.";
const BOUNDS_NOTE =
  "A key gives no key more networks or a later end than it has, and gets at none that has them: FORBIDDEN.";
const STATE_NOTE = "INVALID_STATE for a revoked key.";
const UNKNOWN_NOTE = "VALIDATION_FAILED with rule `unknown` for a role that is none.";

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @RequirePermission("access_api_keys")
  @Query(() => ApiKeyConnection, {
    description: "The company's keys for machines, revoked ones too, newest first unless ordered.",
  })
  apiKeys(@Company() company: CompanyScope, @Args(() => ApiKeysArgs) args: ApiKeysArgs) {
    return apiKeyService.listApiKeys(company, args);
  }

  @RequirePermission("access_api_keys")
  @Query(() => ApiKey, { description: "One key for machines. NOT_FOUND when there is none." })
  apiKey(@Company() company: CompanyScope, @EntityId("id", "ApiKey") id: number) {
    return apiKeyService.getApiKey(company, id);
  }

  @RequirePermission("can_edit_api_keys")
  @Audited()
  @Mutation(() => ApiKey, {
    description:
      "Makes a key for machines; its `key` is answered this once. It holds its roles as long as the caller does: less when the " +
      "caller does, and nothing while the caller is suspended or deleted, within 5 seconds. FORBIDDEN for a role that the caller " +
      `does not hold, unless a full administrator. ${BOUNDS_NOTE} ${UNKNOWN_NOTE}`,
  })
  createApiKey(
    @Company() company: CompanyScope,
    @Input(() => CreateApiKeyInput, { description: "The key." }) input: CreateApiKeyInput,
  ) {
    return apiKeyService.createApiKey(company, input);
  }

  @RequirePermission("can_edit_api_keys")
  @Audited()
  @Mutation(() => ApiKey, {
    description:
      "Changes a key; roles and networks are replaced as a whole, and take effect within 5 seconds. FORBIDDEN for a new role that " +
      `the caller or whoever made the key does not hold. ${HOLDS_MORE_NOTE} ${BOUNDS_NOTE} ${UNKNOWN_NOTE} ${STATE_NOTE}`,
  })
  async updateApiKey(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("id", "ApiKey") id: number,
    @Input(() => UpdateApiKeyInput, { description: "The changes." }) input: UpdateApiKeyInput,
  ) {
    return forgetting(context, company, await apiKeyService.updateApiKey(company, id, input));
  }

  @RequirePermission("can_edit_api_keys")
  @Audited()
  @Mutation(() => ApiKey, {
    description:
      "Revokes a key for good: it is refused everywhere within 5 seconds, and so are the keys that were made by it. One that is " +
      `revoked stays as it is. ${HOLDS_MORE_NOTE} ${BOUNDS_NOTE}`,
  })
  async revokeApiKey(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("apiKeyId", "ApiKey") apiKeyId: number,
  ) {
    return forgetting(context, company, await apiKeyService.revokeApiKey(company, apiKeyId));
  }

  @RequirePermission("can_edit_api_keys")
  @Audited()
  @Extensions({
    [`${ARGUMENT_SCHEMA}overlapHours`]: { nullable: true, minimum: 0, maximum: MOST_OVERLAP_HOURS },
  })
  @Mutation(() => ApiKey, {
    description:
      "Gives a key another `key`, which is answered this once. The one that it had is good for `overlapHours` more, so that " +
      `machines can change; one from before an earlier rotation no more. ${HOLDS_MORE_NOTE} ${BOUNDS_NOTE} ${STATE_NOTE}`,
  })
  async rotateApiKey(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("apiKeyId", "ApiKey") apiKeyId: number,
    @Arg("overlapHours", () => Int, {
      nullable: true,
      description: `How long the present key is good beside the new one, 0 to ${MOST_OVERLAP_HOURS} hours; ${USUAL_OVERLAP_HOURS} when absent.`,
    })
    overlapHours: number | null,
  ) {
    const hours = overlapHours ?? USUAL_OVERLAP_HOURS;
    return forgetting(context, company, await apiKeyService.rotateApiKey(company, apiKeyId, hours));
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description: "When it was used last, to the minute; null when it never was.",
  })
  lastUsedAt(@Root() { id, companyId }: ApiKey, @Ctx() context: OperationContext): Promise<Date | null> {
    return apiKeyService.lastUseOf(context.companyScope(companyId), id);
  }
}

/** Lets a change of what keys hold take effect at once in this process. */
function forgetting<T>({ runtime }: OperationContext, { companyId }: CompanyScope, answer: T): T {
  runtime.roles.forgetCompany(companyId);
  return answer;
}
