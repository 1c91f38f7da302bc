import { issueAccessToken, type TokenKeys } from "../core/auth/tokens.js";
import type { Config } from "../core/config/config.js";
import type { PrismaClient } from "../generated/prisma/client.js";

/** What the explorers need to run their examples. */
export interface DemoSession {
  /** Of the owner, whose e-mail address stands beside it. */
  readonly token: string;
  readonly email: string;
  /** Of a client, for what clients alone may do. */
  readonly clientToken: string;
}

/**
 * Fresh tokens of the demo company's owner and of a client of it; `null` in production, without demo data, and in a database whose
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
  const client = await db.client.findFirst({
    where: { companyId: company.id, deletedAt: null },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  if (owner === null || client === null) return null;
  const inCompany = { companyId: company.id };
  return {
    token: await issueAccessToken(keys, { kind: "admin", id: owner.id, ...inCompany }),
    email: owner.email,
    clientToken: await issueAccessToken(keys, { kind: "client", id: client.id, ...inCompany }),
  };
}
