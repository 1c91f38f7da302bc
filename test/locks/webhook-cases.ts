import { sql } from "../../src/core/db/sql.js";
import { placeOf } from "../../src/slices/webhooks/webhook-secret.js";
import { claimMessages, lockState } from "../../src/slices/webhooks/webhook-work.sql.js";
import { rotateSecrets } from "../../src/slices/companies/rotate-secrets.service.js";
import { SEALED_SOURCES } from "../../src/sealed-sources.js";
import { type Cases, held, inCompany, type Scene } from "./lock-case.js";

/** Webhooks, their places in the journal and their messages. */
export const WEBHOOK_CASES: Cases = {
  "slices/webhooks/webhook-secrets.sql.ts : webhook_states": inCompany(async (scene) => {
    const webhook = await newWebhook(scene);
    const { secrets, database } = scene.gateway;
    return held({ company_id: scene.company.id, webhook_id: webhook.id }, () =>
      rotateSecrets(
        database.pool,
        { sources: SEALED_SOURCES, secrets, prefix: "sealed by another key" },
        () => undefined,
      ),
    );
  }),
  "slices/webhooks/webhook-work.sql.ts lockState: webhook_states": inCompany(async (scene) => {
    const webhook = await newWebhook(scene);
    const { company, gateway } = scene;
    return held({ company_id: company.id, webhook_id: webhook.id }, () =>
      lockState(gateway.db, company.id, webhook.id),
    );
  }),
  "slices/webhooks/webhook-work.sql.ts claimMessages: webhook_deliveries": inCompany(async (scene) => {
    const webhook = await newWebhook(scene);
    const { gateway, own, company } = scene;
    const message = await gateway.db.webhookDelivery.create({
      data: {
        ...{ ...own, webhookId: webhook.id, type: "Good", action: "updated", entityId: 1n, fields: [] },
        ...{ at: new Date(), retryUntil: new Date(Date.now() + 60_000) },
      },
    });
    const work = { companyId: company.id, id: webhook.id, authorKind: "platform", authorId: null };
    const view = { types: ["Good"], reach: { isBound: false, reached: () => sql`true` } };
    return held(scene.keyOf(message), () => claimMessages(gateway.database.pool, work, view, 1));
  }),
};

/** A webhook that nobody sends messages of. */
async function newWebhook({ gateway, company, own }: Scene): Promise<{ id: number }> {
  const url = "https://example.com/";
  const webhook = await gateway.db.webhook.create({ data: { ...own, url, authorKind: "platform" } });
  const secret = gateway.secrets.seal("whsec_secret", placeOf(company.id, webhook.id, "present"));
  const at = new Date();
  await gateway.db.webhookState.create({
    data: { ...own, webhookId: webhook.id, transaction: 0n, entryId: 0n, entryAt: at, seenAt: at, secret },
  });
  return webhook;
}
