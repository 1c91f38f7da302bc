import { LRUCache } from "lru-cache";
import type { PrismaClient } from "../../generated/prisma/client.js";

/** Roles may be this old: a change takes effect within 5 s on every instance (contract §3.3). */
const MAX_AGE_MS = 3_000;
/** More callers than a process answers in that time; room for them is reserved when it starts. */
const MAX_REMEMBERED = 10_000;

/** What an admin may do: everything in its company, or the roles of its admin type. */
export interface AdminGrant {
  readonly all: boolean;
  readonly roles: ReadonlySet<string>;
}

/** Grants of admins and the standing of clients, remembered for a moment. */
export class RoleDirectory {
  private readonly grants = new LRUCache<string, AdminGrant>({ max: MAX_REMEMBERED, ttl: MAX_AGE_MS });
  private readonly clients = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: MAX_AGE_MS });

  constructor(private readonly client: PrismaClient) {}

  /** @returns `null` when the admin is gone: its tokens are worth nothing any more. */
  async grantOf(companyId: number, adminId: number): Promise<AdminGrant | null> {
    const key = `${companyId}:${adminId}`;
    const cached = this.grants.get(key);
    if (cached !== undefined) return cached;
    const admin = await this.client.admin.findFirst({
      where: { companyId, id: adminId, deletedAt: null, company: { deletedAt: null } },
      select: {
        isOwner: true,
        isFullAdmin: true,
        adminType: { select: { roles: { select: { role: true } } } },
      },
    });
    if (admin === null) return null;
    const grant: AdminGrant = {
      all: admin.isOwner || admin.isFullAdmin,
      roles: new Set(admin.adminType?.roles.map(({ role }) => role) ?? []),
    };
    this.grants.set(key, grant);
    return grant;
  }

  async clientExists(companyId: number, clientId: number): Promise<boolean> {
    const key = `${companyId}:${clientId}`;
    if (this.clients.has(key)) return true;
    const row = await this.client.client.findFirst({
      where: { companyId, id: clientId, deletedAt: null, company: { deletedAt: null } },
      select: { id: true },
    });
    if (row !== null) this.clients.set(key, true);
    return row !== null;
  }

  /** Admins and clients remembered now. */
  get size(): number {
    return this.grants.size + this.clients.size;
  }

  /** Makes a change of roles take effect on this instance at once. */
  forgetCompany(companyId: number): void {
    for (const directory of [this.grants, this.clients]) {
      for (const key of directory.keys()) if (key.startsWith(`${companyId}:`)) directory.delete(key);
    }
  }
}
