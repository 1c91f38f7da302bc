import "./webhooks.permissions.js";
import { WebhookDeliveryResolver } from "./webhook-delivery.resolver.js";
import { webhookCrud, WebhookResolver } from "./webhook.resolver.js";

/** Resolvers of webhooks. */
export const webhooksResolvers = [...webhookCrud, WebhookResolver, WebhookDeliveryResolver] as const;
