import { LRUCache } from "lru-cache";
import type { Db } from "../db/db.js";
import type { Sql } from "../db/sql.js";
import type { Principal } from "./tokens.js";

/** How old remembered roles and logins may be: a change has to take effect within 5 s on every instance (contract §3.3). */
const MAX_AGE_MS = 3_000;
/** More callers than a process answers in that time; room for them is reserved when it starts. */
const MAX_REMEMBERED = 10_000;

/** What an admin may do: everything in its company, or the roles of its admin type. */
export interface AdminGrant {
  readonly all: boolean;
  readonly roles: ReadonlySet<string>;
  /** The largest amount that it posts at once; any when absent. */
  readonly mostPostedE2?: bigint | null;
  /** Whether it has yet to enrol the second factor that its type requires, and may do nothing else. */
  readonly lacksSecondFactor?: boolean;
}

/** The admin or client whom a token speaks for, and the login that it was issued for; without one it has no `sid`. */
export type TokenOwner = Omit<Exclude<Principal, { kind: "platform" }>, "kind">;

/** Runs a hand-written statement past Prisma's engine, within a transaction by Prisma. */
type Rows = (client: Db, statement: Sql) => Promise<unknown[]>;

/** Runs a statement on the database that is asked. */
export type ReadRows = (statement: Sql) => Promise<unknown[]>;

/** Reads what is stored of those whom tokens speak for. The slices that have the tables provide it. */
export interface StoredCallers {
  /** `null` when the admin or its company is deleted, or the login of the token has ended. */
  grantOf(read: ReadRows, admin: TokenOwner): Promise<AdminGrant | null>;
  /** Whether the client and its company are not deleted, and the login of the token goes on. */
  clientExists(read: ReadRows, client: TokenOwner): Promise<boolean>;
}

/** What operations may ask of the directory. */
export type RoleDirectoryView = Pick<RoleDirectory, "grantOf" | "clientExists" | "forgetCompany">;

/** Remembers for a few seconds what admins may do by their logins, and which clients exist. */
export class RoleDirectory {
  private readonly grants = new LRUCache<string, AdminGrant>({ max: MAX_REMEMBERED, ttl: MAX_AGE_MS });
  private readonly clients = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: MAX_AGE_MS });

  constructor(
    private readonly client: Db,
    private readonly rows: Rows,
    private readonly stored: StoredCallers,
  ) {}

  /**
   * What an admin may do by its token.
   *
   * @returns `null` when the admin or its company is deleted, or the login of the token has ended: it is worth nothing any
   *   more.
   */
  async grantOf(admin: TokenOwner): Promise<AdminGrant | null> {
    const key = keyOf(admin);
    const cached = this.grants.get(key);
    if (cached !== undefined) return cached;
    const grant = await this.readGrantOf(this.client, admin);
    if (grant !== null) this.grants.set(key, grant);
    return grant;
  }

  /** Whether the client of a token is there: it and its company are not deleted, and the login of the token goes on. */
  async clientExists(client: TokenOwner): Promise<boolean> {
    const key = keyOf(client);
    if (this.clients.has(key)) return true;
    const exists = await this.readClientExists(this.client, client);
    if (exists) this.clients.set(key, true);
    return exists;
  }

  /**
   * Returns the directory as a transaction sees it: what is not remembered is read over the transaction's own
   * connection, and is not remembered, since the transaction may be undone.
   *
   * @param afterCommit takes what is to be done after the transaction commits.
   */
  within(transaction: Db, afterCommit: (task: () => void) => void): RoleDirectoryView {
    const changed = new Set<number>();
    const isKnown = (companyId: number): boolean => !changed.has(companyId);
    return {
      grantOf: async (admin) =>
        (isKnown(admin.companyId) ? this.grants.get(keyOf(admin)) : undefined) ??
        this.readGrantOf(transaction, admin),
      clientExists: async (one) =>
        (isKnown(one.companyId) && this.clients.has(keyOf(one))) || this.readClientExists(transaction, one),
      forgetCompany: (companyId) => {
        changed.add(companyId);
        afterCommit(() => this.forgetCompany(companyId));
      },
    };
  }

  private readGrantOf(client: Db, admin: TokenOwner): Promise<AdminGrant | null> {
    return this.stored.grantOf((statement) => this.rows(client, statement), admin);
  }

  /** Most requests to an event that draws are of a client who is not remembered, so this goes past Prisma's engine. */
  private readClientExists(client: Db, one: TokenOwner): Promise<boolean> {
    return this.stored.clientExists((statement) => this.rows(client, statement), one);
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

function keyOf({ companyId, id, sessionId = "" }: TokenOwner): string {
  return `${companyId}:${id}:${sessionId}`;
}
