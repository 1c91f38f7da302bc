import { Ctx, Mutation, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { CreateWebhookInput, UpdateWebhookInput } from "./webhook.inputs.js";
import { Webhook, webhookList } from "./webhook.model.js";
import * as webhookService from "./webhook.service.js";

export const webhookCrud = resourceResolvers({
  model: "Webhook",
  type: Webhook,
  list: webhookList,
  plural: "webhooks",
  area: "webhooks",
  descriptions: {
    delete: "Deletes a webhook with its messages; answers what it was. Nothing more is sent.",
  },
});

const RULES =
  "VALIDATION_FAILED with rule `address` for a `url` that is neither a public address of https nor one that the operator " +
  "allows, with rule `exists` for a type whose changes are not kept, with rule `query` for a query that cannot run.";

@Resolver(() => Webhook)
export class WebhookResolver {
  @RequirePermission("can_edit_webhooks")
  @Audited({ byService: true })
  @Mutation(() => Webhook, {
    description: `Creates a webhook, which is sent what changes from now on. The answer alone has its \`secret\`. ${RULES}`,
  })
  createWebhook(
    @Company() company: CompanyScope,
    @Input(() => CreateWebhookInput, { description: "The webhook." }) input: CreateWebhookInput,
    @Ctx() context: OperationContext,
  ) {
    return webhookService.createWebhook(company, input, context);
  }

  @RequirePermission("can_edit_webhooks")
  @Audited({ byService: true })
  @Mutation(() => Webhook, {
    description:
      "Changes a webhook; what is absent stays as it is. Whoever changes `url`, `types` or `query` becomes its author. One that " +
      `is enabled again goes on where it stopped. ${RULES}`,
  })
  updateWebhook(
    @Company() company: CompanyScope,
    @EntityId("id", "Webhook") id: number,
    @Input(() => UpdateWebhookInput, { description: "The changes." }) input: UpdateWebhookInput,
    @Ctx() context: OperationContext,
  ) {
    return webhookService.updateWebhook(company, id, input, context);
  }

  @RequirePermission("can_edit_webhooks")
  @Audited()
  @Mutation(() => Webhook, {
    description:
      "Gives a webhook a new secret, which this answer alone has. For 24 hours messages are signed by the one before, too.",
  })
  rotateWebhookSecret(
    @Company() company: CompanyScope,
    @EntityId("webhookId", "Webhook") webhookId: number,
    @Ctx() { runtime }: OperationContext,
  ) {
    return webhookService.rotateSecret(company, webhookId, runtime.secrets);
  }
}
