import { Arg, Args, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { NotAudited } from "../../core/operations/audited.js";
import { Company, EntityId } from "../../core/operations/operation-arguments.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { DELIVERY_DAYS, WebhookDelivery, webhookDeliveryList } from "./webhook-delivery.model.js";
import { messageId } from "./webhook-delivery.rules.js";
import * as deliveryService from "./webhook-delivery.service.js";
import { eventOf } from "./webhook.rules.js";

const { Args: DeliveriesArgs, Connection: DeliveryConnection } = webhookDeliveryList;
type DeliveriesArgs = InstanceType<typeof DeliveriesArgs>;

const IS_RECORD = "a delivery is a record itself";

@Resolver(() => WebhookDelivery)
export class WebhookDeliveryResolver {
  @RequirePermission("access_webhooks")
  @Query(() => DeliveryConnection, {
    description:
      "A webhook's messages, the latest first unless ordered. Those that are delivered or dead are kept for " +
      `${DELIVERY_DAYS} days.`,
  })
  webhookDeliveries(
    @Company() company: CompanyScope,
    @EntityId("webhookId", "Webhook") webhookId: number,
    @Args(() => DeliveriesArgs) args: DeliveriesArgs,
  ) {
    return deliveryService.listDeliveries(company, webhookId, args);
  }

  @RequirePermission("can_edit_webhooks")
  @NotAudited(IS_RECORD)
  @Mutation(() => WebhookDelivery, {
    description:
      "Sends a message again, under the same `webhook-id`, and for another three days where that fails; one that waits for its " +
      "next attempt is sent now. NOT_FOUND; INVALID_STATE while the webhook is disabled.",
  })
  redeliver(
    @Company() company: CompanyScope,
    @Arg("deliveryId", () => SafeInt, { description: "Id of the delivery." }) deliveryId: number,
  ) {
    return deliveryService.redeliver(company, deliveryId);
  }

  @RequirePermission("can_edit_webhooks")
  @NotAudited(IS_RECORD)
  @Mutation(() => WebhookDelivery, {
    description:
      "Sends a message of the type `webhook.test`, whose `id` is that of the webhook. It waits for no other message, and is " +
      "tried once where the webhook is disabled. The answer comes before it is sent; `webhookDeliveries` has what came of it.",
  })
  sendTestEvent(@Company() company: CompanyScope, @EntityId("webhookId", "Webhook") webhookId: number) {
    return deliveryService.sendTestEvent(company, webhookId);
  }

  @FieldResolver(() => String, { description: "The type of the message, such as `good.updated`." })
  event(@Root() { type, action }: WebhookDelivery): string {
    return eventOf(type, action);
  }

  @FieldResolver(() => String, { description: "The header `webhook-id` of all its attempts." })
  messageId(@Root() delivery: WebhookDelivery): string {
    return messageId(delivery);
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      "When it is sent next, unless an earlier message of the row is still to be sent; null once it is delivered or dead.",
  })
  nextAttemptAt(@Root() { status, nextAt }: WebhookDelivery): Date | null {
    return status === "pending" ? nextAt : null;
  }
}
