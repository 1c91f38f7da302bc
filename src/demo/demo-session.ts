import type { DemoSession } from "../api/explorers/explorers.js";
import type { DemoFigures, DemoLogin } from "../api/explorers/home-page.js";
import { issueAccessToken, type TokenKeys } from "../core/access/tokens.js";
import type { Db } from "../core/db/db.js";

interface DemoSwitches {
  readonly isProduction: boolean;
  readonly demoData: boolean;
}

/** The owner of the demo company, with a fresh token. */
export interface DemoOwner {
  readonly companyId: number;
  readonly email: string;
  readonly token: string;
}

/**
 * Who may be signed in for everybody to try the service: `null` in production, without demo data, where tokens come
 * from elsewhere, and in a database that holds no demo company, whoever else owns one there.
 */
export async function demoOwner(config: DemoSwitches, db: Db, keys: TokenKeys): Promise<DemoOwner | null> {
  if (config.isProduction || !config.demoData || keys.secret === null) return null;
  const { readCompany } = await import("./read-company.js");
  const { profile, admins } = readCompany("avila");
  const { domain } = profile;
  const company = await db.company.findFirst({ where: { domain, email: profile.email, deletedAt: null } });
  if (company === null) return null;
  const inCompany = { companyId: company.id };
  const owner = await db.admin.findFirst({
    where: { ...inCompany, isOwner: true, deletedAt: null, email: `${admins[0]?.mailbox}@${domain}` },
    select: { id: true, email: true },
  });
  if (owner === null) return null;
  const token = await issueAccessToken(keys, { kind: "admin", id: owner.id, ...inCompany });
  return { ...inCompany, email: owner.email, token };
}

/** What the page at `/` says of the demo: nothing where `demoOwner` is `null`. */
export async function demoHome(
  config: DemoSwitches,
  db: Db,
  keys: TokenKeys,
): Promise<{ companies: readonly DemoFigures[]; login: DemoLogin | null }> {
  const owner = await demoOwner(config, db, keys);
  if (owner === null) return { companies: [], login: null };
  const [{ demoFigures }, { DEMO_PASSWORD }] = await Promise.all([
    import("./demo-figures.js"),
    import("./load.js"),
  ]);
  return { companies: await demoFigures(db), login: { email: owner.email, password: DEMO_PASSWORD } };
}

/** Fresh tokens of the demo company's owner and of a client of it; `null` where `demoOwner` is. */
export async function demoSession(
  config: DemoSwitches,
  db: Db,
  keys: TokenKeys,
): Promise<DemoSession | null> {
  const owner = await demoOwner(config, db, keys);
  if (owner === null) return null;
  const { companyId, token, email } = owner;
  const client = await db.client.findFirst({
    where: { companyId, deletedAt: null },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  if (client === null) return null;
  const clientToken = await issueAccessToken(keys, { kind: "client", id: client.id, companyId });
  return { token, email, clientToken };
}
