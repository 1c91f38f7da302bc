import type { Db } from "../../core/db/db.js";

/** Names an admin, who need not exist. */
export interface NamedAdmin {
  readonly companyId: number;
  readonly adminId: number;
}

/** An admin with the e-mail of a login. */
export interface LoginCandidate extends NamedAdmin {
  /** The argon2id hash. */
  readonly passwordHash: string;
}

/**
 * Admins who have this e-mail and a password: of all companies, or of the one with this domain or host of its custom
 * domain. The statement names no company, since nobody is signed in yet.
 *
 * @param preferred comes first when it is among them; then who was there first, so that nobody is crowded out by
 *   others who take the same e-mail.
 */
export function findLoginCandidates(
  client: Pick<Db, "$queryRaw">,
  wanted: { email: string; domain: string | null; preferred: NamedAdmin | null; most: number },
): Promise<LoginCandidate[]> {
  const { email, domain, preferred, most } = wanted;
  const { companyId, adminId } = preferred ?? { companyId: 0, adminId: 0 };
  return client.$queryRaw<LoginCandidate[]>`
    /* all companies */
    SELECT a.company_id AS "companyId", a.id AS "adminId", a.password_hash AS "passwordHash"
      FROM admins a
      JOIN companies c ON c.id = a.company_id AND c.deleted_at IS NULL
     WHERE lower(a.email) = lower(${email}) AND a.deleted_at IS NULL AND a.suspended_at IS NULL AND a.password_hash IS NOT NULL
       AND (${domain}::text IS NULL OR lower(c.domain) = lower(${domain}) OR c.custom_domain_host = lower(${domain}))
     ORDER BY a.company_id = ${companyId} AND a.id = ${adminId} DESC, a.created_at, a.company_id
     LIMIT ${most}`;
}

/**
 * Writes to the trails of their companies that somebody was refused to sign in as these admins. In a distributed database each entry is
 * written where the company's row is, and so has an id behind those of entries before it.
 */
export async function recordRefusedSignIns(
  client: Pick<Db, "$queryRaw">,
  admins: readonly NamedAdmin[],
  { requestId, address, device }: { requestId: string; address: string; device: string | null },
): Promise<void> {
  const companyIds = admins.map(({ companyId }) => companyId);
  const adminIds = admins.map(({ adminId }) => adminId);
  await client.$queryRaw`
    /* all companies */
    SELECT record_refused_sign_in(c.id, r.admin_id, ${requestId}, ${address}, ${device})::text
      FROM unnest(${companyIds}::int[], ${adminIds}::int[]) AS r (company_id, admin_id) JOIN companies c ON c.id = r.company_id`;
}

/** Writes to the trails and journals of all admins with an e-mail that it has no attempts left, once until these end to count. */
export async function recordLockOut(
  client: Pick<Db, "$queryRaw">,
  email: string,
  resetsAt: Date,
  attempt: { operation: string; requestId: string; address: string; device: string | null },
): Promise<void> {
  const { operation, requestId, address, device } = attempt;
  await client.$queryRaw`
    /* all companies */
    SELECT record_lock_out(${email}, ${resetsAt}::timestamptz, ${operation}, ${requestId}, ${address}, ${device})::text`;
}
