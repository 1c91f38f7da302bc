import type { SealedSource } from "./core/sealed-source.js";
import { secondFactorSecrets } from "./slices/auth/second-factor-secrets.sql.js";
import { settingsSecrets } from "./slices/companies/rotate-secrets.sql.js";

/** All places where secrets are stored: settings of companies, and second factors. */
export const SEALED_SOURCES: readonly SealedSource[] = [settingsSecrets, secondFactorSecrets];
