import type { PrismaClient } from "../../generated/prisma/client.js";

/** An admin with the e-mail of a login. */
export interface LoginCandidate {
  readonly companyId: number;
  readonly adminId: number;
  /** The argon2id hash. */
  readonly passwordHash: string;
}

/**
 * Admins who have this e-mail and a password: of all companies, or of the one with this domain or host of its custom
 * domain. The statement names no company, since nobody is signed in yet. Who was there first comes first, so that nobody
 * is crowded out by others who take the same e-mail.
 */
export function findLoginCandidates(
  client: Pick<PrismaClient, "$queryRaw">,
  { email, domain, most }: { email: string; domain: string | null; most: number },
): Promise<LoginCandidate[]> {
  return client.$queryRaw<LoginCandidate[]>`
    /* all companies */
    SELECT a.company_id AS "companyId", a.id AS "adminId", a.password_hash AS "passwordHash"
      FROM admins a
      JOIN companies c ON c.id = a.company_id AND c.deleted_at IS NULL
     WHERE lower(a.email) = lower(${email}) AND a.deleted_at IS NULL AND a.password_hash IS NOT NULL
       AND (${domain}::text IS NULL OR lower(c.domain) = lower(${domain}) OR c.custom_domain_host = lower(${domain}))
     ORDER BY a.created_at, a.company_id
     LIMIT ${most}`;
}
