import { LRUCache } from "lru-cache";
import { Prisma, type PrismaClient } from "../../generated/prisma/client.js";

/** How old remembered roles may be: a change has to take effect within 5 s on every instance (contract §3.3). */
const MAX_AGE_MS = 3_000;
/** More callers than a process answers in that time; room for them is reserved when it starts. */
const MAX_REMEMBERED = 10_000;

/** What an admin may do: everything in its company, or the roles of its admin type. */
export interface AdminGrant {
  readonly all: boolean;
  readonly roles: ReadonlySet<string>;
}

/** Runs a hand-written statement past Prisma's engine, within a transaction by Prisma. */
type Rows = (client: PrismaClient, statement: Prisma.Sql) => Promise<unknown[]>;

/** What operations may ask of the directory. */
export type RoleDirectoryView = Pick<RoleDirectory, "grantOf" | "clientExists" | "forgetCompany">;

/** Remembers for a few seconds what admins may do and which clients exist. */
export class RoleDirectory {
  private readonly grants = new LRUCache<string, AdminGrant>({ max: MAX_REMEMBERED, ttl: MAX_AGE_MS });
  private readonly clients = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: MAX_AGE_MS });

  constructor(
    private readonly client: PrismaClient,
    private readonly rows: Rows,
  ) {}

  /** @returns `null` when the admin or its company is deleted: its tokens are worth nothing any more. */
  async grantOf(companyId: number, adminId: number): Promise<AdminGrant | null> {
    const key = `${companyId}:${adminId}`;
    const cached = this.grants.get(key);
    if (cached !== undefined) return cached;
    const grant = await readGrant(this.client, companyId, adminId);
    if (grant !== null) this.grants.set(key, grant);
    return grant;
  }

  /** Whether the client is there; a deleted one is not, nor is one of a deleted company. */
  async clientExists(companyId: number, clientId: number): Promise<boolean> {
    const key = `${companyId}:${clientId}`;
    if (this.clients.has(key)) return true;
    const exists = await this.readClientExists(this.client, companyId, clientId);
    if (exists) this.clients.set(key, true);
    return exists;
  }

  /**
   * Returns the directory as a transaction sees it: what is not remembered is read over the transaction's own
   * connection, and is not remembered, since the transaction may be undone.
   *
   * @param afterCommit takes what is to be done once the transaction has taken effect.
   */
  within(transaction: PrismaClient, afterCommit: (task: () => void) => void): RoleDirectoryView {
    const changed = new Set<number>();
    const isKnown = (companyId: number): boolean => !changed.has(companyId);
    return {
      grantOf: async (companyId, adminId) =>
        (isKnown(companyId) ? this.grants.get(`${companyId}:${adminId}`) : undefined) ??
        readGrant(transaction, companyId, adminId),
      clientExists: async (companyId, clientId) =>
        (isKnown(companyId) && this.clients.has(`${companyId}:${clientId}`)) ||
        this.readClientExists(transaction, companyId, clientId),
      forgetCompany: (companyId) => {
        changed.add(companyId);
        afterCommit(() => this.forgetCompany(companyId));
      },
    };
  }

  /** When an event draws, most requests are of a client who is not remembered, so this goes past Prisma's engine. */
  private async readClientExists(
    client: PrismaClient,
    companyId: number,
    clientId: number,
  ): Promise<boolean> {
    const rows = await this.rows(
      client,
      Prisma.sql`
        SELECT p.id FROM clients p JOIN companies c ON c.id = p.company_id AND c.deleted_at IS NULL
         WHERE p.company_id = ${companyId} AND p.id = ${clientId} AND p.deleted_at IS NULL`,
    );
    return rows.length > 0;
  }

  /** How many admins and clients are remembered now. */
  get size(): number {
    return this.grants.size + this.clients.size;
  }

  /** Forgets a company's admins and clients, so that a change takes effect on this instance at once. */
  forgetCompany(companyId: number): void {
    for (const directory of [this.grants, this.clients]) {
      for (const key of directory.keys()) if (key.startsWith(`${companyId}:`)) directory.delete(key);
    }
  }
}

/** Reads what an admin may do as it is stored; `null` when the admin or its company is deleted. */
export async function readGrant(
  client: Pick<PrismaClient, "admin">,
  companyId: number,
  adminId: number,
): Promise<AdminGrant | null> {
  const admin = await client.admin.findFirst({
    where: { companyId, id: adminId, deletedAt: null, company: { deletedAt: null } },
    select: {
      isOwner: true,
      isFullAdmin: true,
      adminType: { select: { roles: { select: { role: true } } } },
    },
  });
  if (admin === null) return null;
  return {
    all: admin.isOwner || admin.isFullAdmin,
    roles: new Set(admin.adminType?.roles.map(({ role }) => role) ?? []),
  };
}
