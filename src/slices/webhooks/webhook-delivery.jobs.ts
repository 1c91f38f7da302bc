import { deletion, sweeping } from "../../core/jobs/sweep.js";
import { DELIVERY_DAYS } from "./webhook-delivery.model.js";

declare module "../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Removes messages of webhooks that are not kept any longer. */
    removeOldDeliveries: object;
  }
}

export const removeOldDeliveries = sweeping(
  deletion({
    model: "WebhookDelivery",
    where: `finished_at < now() - interval '${DELIVERY_DAYS} days'`,
    orderBy: "finished_at",
    most: 1_000,
  }),
);
