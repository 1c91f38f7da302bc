import "./webhooks.permissions.js";
import { webhookCrud, WebhookResolver } from "./webhook.resolver.js";

/** Resolvers of webhooks. */
export const webhooksResolvers = [...webhookCrud, WebhookResolver] as const;
