import type { SealedSource } from "./core/sealed-source.js";
import { secondFactorSecrets } from "./slices/auth/second-factor-secrets.sql.js";
import { settingsSecrets } from "./slices/companies/rotate-secrets.sql.js";
import { webhookSecrets } from "./slices/webhooks/webhook-secrets.sql.js";

/** All places where secrets are stored: settings of companies, second factors and webhooks. */
export const SEALED_SOURCES: readonly SealedSource[] = [settingsSecrets, secondFactorSecrets, webhookSecrets];
