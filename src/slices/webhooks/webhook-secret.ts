import { randomBytes } from "node:crypto";
import type { SecretPlace } from "../../core/secrets.js";

const SECRET_BYTES = 24;

/** A new secret in the form of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** The place that a webhook's secret is sealed for; `webhook-secrets.sql.ts` makes the same names. */
export function placeOf(companyId: number, webhookId: number, which: "present" | "previous"): SecretPlace {
  return { companyId, name: `webhook.${webhookId}${which === "previous" ? ".previous" : ""}` };
}
