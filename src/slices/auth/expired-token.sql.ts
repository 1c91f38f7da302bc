import { deletion } from "../../core/jobs/sweep.js";

const EXPIRED = { where: "expires_at <= now()", orderBy: "expires_at", most: 1_000 };

/** Removes refresh tokens that have expired. */
export const expiredRefreshTokens = deletion({ model: "RefreshToken", ...EXPIRED });

/** Removes tokens to set a password that have expired. */
export const expiredSetupTokens = deletion({ model: "PasswordSetupToken", ...EXPIRED });
