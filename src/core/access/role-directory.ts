import type { Db } from "../db/db.js";
import type { Sql } from "../db/sql.js";
import { Remembered } from "../remembered.js";
import { addressTest } from "./network.js";
import type { KeyCaller, RoleHolder } from "./caller.js";
import type { Principal } from "./tokens.js";

/** How old remembered roles and logins may be: a change has to take effect within 5 s on every instance (contract §3.3). */
const MAX_AGE_MS = 3_000;
/** More callers than a process answers in that time; room for them is reserved when it starts. */
const ROOM = { most: 10_000, maxAgeMs: MAX_AGE_MS };

/** The shops and branches to which somebody is bound. */
export interface ShopBounds {
  /** Shops, with all their branches. */
  readonly branchGroupIds: readonly number[];
  /** Branches besides. */
  readonly branchIds: readonly number[];
  /** The shops of these branches, in the same order: their rows are read, not written. */
  readonly shopsOfBranches: readonly (number | null)[];
}

/** What an admin or a key may do: everything in its company, or some roles. */
export interface AdminGrant {
  readonly all: boolean;
  readonly roles: ReadonlySet<string>;
  /** The largest amount that it posts at once; any when absent. */
  readonly mostPostedE2?: bigint | null;
  /** Whether it has yet to enrol the second factor that its type requires, and may do nothing else. */
  readonly lacksSecondFactor?: boolean;
  /** The shops and branches that it reaches; all when absent. */
  readonly bounds?: ShopBounds | null;
  /** The admin types that it may give to others although these hold more; none when absent. */
  readonly assignable?: readonly number[];
}

/** The admin or client whom a token speaks for, and the login that it was issued for; without one it has no `sid`. */
export type TokenOwner = Omit<Extract<Principal, { kind: "admin" | "client" }>, "kind">;

/** A key for machines by the hash of its secret, or by its id where a token of the command line speaks for it. */
export type NamedKey = Pick<KeyCaller, "companyId"> &
  ({ readonly secretHash: string } | { readonly id: number; readonly secretHash?: undefined });

/** A key that is good. */
export interface StoredKey {
  readonly id: number;
  readonly companyId: number;
  /** The admin who made it, or the key by which it was made; `null` for the platform. */
  readonly makerId: number | null;
  /** Networks in CIDR that it may be used from; none for any. */
  readonly networks: readonly string[];
  readonly grant: AdminGrant;
}

/** A key that is good, and a test of the address that it comes from. */
export interface KnownKey extends StoredKey {
  mayComeFrom(address: string): boolean;
}

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
  /** `null` when there is no such key, it is revoked or has expired, or who made it may do nothing any more. */
  keyOf(read: ReadRows, key: NamedKey): Promise<StoredKey | null>;
}

/** What operations may ask of the directory. */
export type RoleDirectoryView = Pick<RoleDirectory, "grantOf" | "clientExists" | "forgetCompany">;

/** Remembers for a few seconds what admins may do by their logins and keys by themselves, and which clients exist. */
export class RoleDirectory {
  private readonly grants = new Remembered<string, AdminGrant>(ROOM);
  private readonly clients = new Remembered<string, true>(ROOM);
  private readonly keys = new Remembered<string, KnownKey>(ROOM);

  constructor(
    private readonly client: Db,
    private readonly rows: Rows,
    private readonly stored: StoredCallers,
  ) {}

  /**
   * What an admin may do by its token, or a key.
   *
   * @returns `null` when the admin or its company is deleted, the login of the token has ended, or the key is not good: it is
   *   worth nothing any more; a promise only where it has to be read.
   */
  grantOf(holder: RoleHolder): AdminGrant | Promise<AdminGrant | null> {
    if (holder.kind === "key") return this.findKey(holder).then((key) => key?.grant ?? null);
    return this.grants.find(keyOf(holder), () => this.readGrantOf(this.client, holder));
  }

  /** Returns a key for machines; `null` for one that is not good, or not any more. */
  async findKey(named: NamedKey): Promise<KnownKey | null> {
    return this.keys.find(nameOfKey(named), async () => {
      const stored = await this.readKey(this.client, named);
      return stored === null ? null : { ...stored, mayComeFrom: addressTest(stored.networks) };
    });
  }

  /** Whether the client of a token is there: it and its company are not deleted, and the login of the token goes on. */
  async clientExists(client: TokenOwner): Promise<boolean> {
    const read = async (): Promise<true | null> => (await this.readClientExists(this.client, client)) || null;
    return (await this.clients.find(keyOf(client), read)) === true;
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
      grantOf: async (holder) => {
        const isRemembered = isKnown(holder.companyId);
        if (holder.kind === "key") {
          const known = isRemembered ? this.keys.get(nameOfKey(holder)) : undefined;
          return (known ?? (await this.readKey(transaction, holder)))?.grant ?? null;
        }
        const known = isRemembered ? this.grants.get(keyOf(holder)) : undefined;
        return known ?? this.readGrantOf(transaction, holder);
      },
      clientExists: async (one) =>
        (isKnown(one.companyId) && this.clients.get(keyOf(one)) === true) ||
        this.readClientExists(transaction, one),
      forgetCompany: (companyId) => {
        changed.add(companyId);
        afterCommit(() => this.forgetCompany(companyId));
      },
    };
  }

  private readGrantOf(client: Db, admin: TokenOwner): Promise<AdminGrant | null> {
    return this.stored.grantOf((statement) => this.rows(client, statement), admin);
  }

  private readKey(client: Db, key: NamedKey): Promise<StoredKey | null> {
    return this.stored.keyOf((statement) => this.rows(client, statement), key);
  }

  /** Most requests to an event that draws are of a client who is not remembered, so this goes past Prisma's engine. */
  private readClientExists(client: Db, one: TokenOwner): Promise<boolean> {
    return this.stored.clientExists((statement) => this.rows(client, statement), one);
  }

  /** How many admins, clients and keys are remembered now. */
  get size(): number {
    return this.grants.size + this.clients.size + this.keys.size;
  }

  /** Forgets a company's admins, clients and keys, so that a change takes effect on this instance at once. */
  forgetCompany(companyId: number): void {
    for (const remembered of [this.grants, this.clients, this.keys])
      remembered.forgetWhere((key) => key.startsWith(`${companyId}:`));
  }
}

function keyOf({ companyId, id, sessionId = "" }: TokenOwner): string {
  return `${companyId}:${id}:${sessionId}`;
}

function nameOfKey(key: NamedKey): string {
  return `${key.companyId}:${key.secretHash ?? `#${key.id}`}`;
}
