import { issueAccessToken, type TokenKeys } from "../core/auth/tokens.js";
import type { Config } from "../core/config/config.js";
import type { PrismaClient } from "../generated/prisma/client.js";

/** What the explorers need to run their examples. */
export interface DemoSession {
  readonly token: string;
  readonly email: string;
}

/**
 * A fresh token of the demo company's owner; `null` in production, without demo data, and in a database whose
 * companies are not the demo's.
 */
export async function demoSession(
  config: Config,
  db: PrismaClient,
  keys: TokenKeys,
): Promise<DemoSession | null> {
  if (config.isProduction || !config.demoData || keys.secret === null) return null;
  const { AVILA } = await import("../demo/data/avila.js");
  const { domain, email } = AVILA.profile;
  const company = await db.company.findFirst({ where: { domain, email, deletedAt: null } });
  if (company === null) return null;
  const owner = await db.admin.findFirst({
    where: { companyId: company.id, isOwner: true, deletedAt: null },
    orderBy: { id: "asc" },
    select: { id: true, email: true },
  });
  if (owner === null) return null;
  const token = await issueAccessToken(keys, { kind: "admin", id: owner.id, companyId: company.id });
  return { token, email: owner.email };
}
