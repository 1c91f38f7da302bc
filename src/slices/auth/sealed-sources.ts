import { settingsSecrets, type SealedSource } from "../companies/rotate-secrets.sql.js";
import { secondFactorSecrets } from "./second-factor-secrets.sql.js";

/** All places where secrets are stored: settings of companies, and second factors. */
export const SEALED_SOURCES: readonly SealedSource[] = [settingsSecrets, secondFactorSecrets];
