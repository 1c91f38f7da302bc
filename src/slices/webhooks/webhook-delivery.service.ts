import type { Row } from "../../core/db/db.js";
import { invalidState, notFound } from "../../core/errors/domain-error.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listPage } from "../../core/lists/list-page.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { getWebhook } from "./webhook.service.js";
import { webhookDeliveryList, type WebhookDelivery } from "./webhook-delivery.model.js";
import { addTestEvent, sendAgain } from "./webhook-delivery.sql.js";

/** A page of the messages of a webhook. @throws DomainError NOT_FOUND. */
export async function listDeliveries(
  { db, companyId }: CompanyScope,
  webhookId: number,
  args: ListArguments,
): Promise<Connection<WebhookDelivery>> {
  await getWebhook({ db, companyId }, webhookId);
  return listPage(
    webhookDeliveryList,
    { delegate: db.webhookDelivery, where: { companyId, webhookId } },
    args,
  );
}

/** @throws DomainError NOT_FOUND; INVALID_STATE while the webhook is disabled. */
export function redeliver(scope: CompanyScope, id: number): Promise<Row<"WebhookDelivery">> {
  return scope.transaction(async (inside) => {
    const { webhookId } = await getDelivery(inside, BigInt(id));
    const { isEnabled } = await getWebhook(inside, webhookId);
    if (!isEnabled) throw invalidState("The webhook is disabled; enable it first.", "disabled", ["update"]);
    await sendAgain(inside, BigInt(id));
    return getDelivery(inside, BigInt(id));
  });
}

/** Adds a message about the webhook itself. @throws DomainError NOT_FOUND. */
export function sendTestEvent(scope: CompanyScope, webhookId: number): Promise<Row<"WebhookDelivery">> {
  return scope.transaction(async (inside) => {
    await getWebhook(inside, webhookId);
    return getDelivery(inside, await addTestEvent(inside, webhookId));
  });
}

async function getDelivery({ db, companyId }: CompanyScope, id: bigint): Promise<Row<"WebhookDelivery">> {
  const delivery = await db.webhookDelivery.findFirst({ where: { companyId, id } });
  if (delivery === null) throw notFound("WebhookDelivery");
  return delivery;
}
