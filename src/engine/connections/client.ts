import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { PrismaClient } from "../../generated/prisma/client.js";
import {
  askForSessions,
  DEFAULT_STATEMENT_TIMEOUT_MS,
  openPool,
  WAITING_SHARE,
  type SessionKind,
  type SessionLimits,
} from "./pool.js";
import { slowStatements, type SlowStatementOptions } from "./slow-statements.js";
import { Sessions } from "./end-sessions.js";
import { DEFAULT_LEASE_MS } from "./replica-lease.js";
import { forgetPrimary } from "./hosts.js";
import { LostPrimary } from "./lost-primary.js";
import { FreshReplicas, type ReplicaState } from "./fresh-replicas.js";
import { RowReader, setReader } from "../reads/row-reader.js";
import {
  observeStatements,
  tellOf,
  type StatementListener,
  type StatementObserver,
  type StatementWatch,
} from "../reads/statement-observer.js";
import { MOST_PREPARED, StatementNames, UNNAMED } from "../reads/statement-names.js";
import { spreadChanges } from "../audit/journal-news.js";
import { hearTrail, type TrailListener } from "../audit/trail-news.js";
import { ConnectionRoute } from "../writes/connection-route.js";
import { setOperations } from "../writes/operations.js";
import { lateClient, type LateClient } from "../writes/late-client.js";
import { PoolOperations } from "../writes/pool-operations.js";
import { Transactions } from "../writes/transaction-operations.js";
import { tenantGuard } from "../tenancy/tenant-guard.js";
import { watchConnections } from "./watch-connections.js";

export interface DatabaseOptions {
  url: string;
  replicaUrls?: string[];
  /** For how long a replica may be read after it has confirmed that it has all that the primary had. */
  replicaLeaseMs?: number;
  /** The primary without a pooler before it; by default that is `url`. */
  directUrl?: string | null;
  poolSize?: number;
  /** Whether statements are prepared; by default that is found out. */
  prepared?: boolean | null;
  /** Whether one plan of a statement is kept unless another choice is made for it, see `plan-choice.ts`; it is by default. */
  keepsPlans?: boolean;
  /** Whether a row that several requests have is frozen, so that whoever changes it fails. It costs reads a tenth. */
  freezesRows?: boolean;
  /** The server cancels a statement that takes longer than this. */
  statementTimeoutMs?: number;
  /** The server ends a transaction in which nothing was sent for this long. */
  idleTransactionMs?: number | undefined;
  /** The observer is called before every statement of Prisma and of the row readers is sent. */
  onQuery?: StatementObserver;
  /** The function is called with errors of connections that are lost while nobody uses them. */
  onConnectionError?: (error: Error) => void;
  /** Which statements are reported as slow, and to whom; none by default. */
  slowStatements?: SlowStatementOptions | null;
  /** The function gets a line, and whether the replica is read, when it comes into use, goes out of it, or does not come into it. */
  onReplica?: (message: string, isRead: boolean) => void;
}

/** The databases of a process, each with its pool. */
export interface Database {
  /** The URL of the primary. */
  readonly url: string;
  /** The URL of the primary without a pooler before it, for what needs a session of its own. */
  readonly directUrl: string;
  /** Whether statements are prepared. */
  readonly isPreparing: boolean;
  /** Whether the sessions of all servers keep statements that are prepared, as far as was found out. */
  readonly keepsStatements: boolean;
  /** Whether the rows of the primary are spread over workers by their companies. */
  readonly isDistributed: boolean;
  /** The client of the primary. */
  readonly writer: PrismaClient;
  /** The connections of the primary, for statements written by hand. */
  readonly pool: pg.Pool;
  /**
   * Returns the client of a replica that has all that was answered, each in turn; that of the primary when there is none.
   */
  reader(): PrismaClient;
  /**
   * Waits until what is committed now is seen by every read that begins afterwards, on any replica and by any process. Call
   * it before an answer that shows a state of the primary.
   *
   * @returns `null` when there is nothing to wait for.
   */
  settled(): Promise<void> | null;
  /** Takes the replica of a client out of use: it has not answered a read. */
  refused(client: PrismaClient): void;
  /** The replicas, and which of them are read now. */
  replicas(): ReplicaState[];
  /** Returns the number of statements that have a name, see `statement-names.ts`. */
  statementNames(): number;
  /** Calls the listener after every statement with its duration and its text, until the returned function is called. */
  onStatement(listener: StatementListener): () => void;
  /** Calls the listener when long entries were written into the audit trail, with whom they cost and their bytes. */
  onTrail(listener: TrailListener): () => void;
  /**
   * Asks the primary for an answer.
   *
   * @throws Error when the primary does not answer within two seconds.
   */
  ping(): Promise<void>;
  /**
   * Asks the primary and its replicas for an answer. What was found to be another database than the primary's is no replica.
   *
   * @throws Error when nobody answers.
   */
  pingAny(): Promise<void>;
  /** Ends all statements on the primary, and lets no further one begin: afterwards nothing more takes effect. */
  endStatements(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Prisma's own limit on a transaction, as a multiple of the statement's. The server's limit (`transaction_timeout`,
 * see `pool.ts`) is shorter, since Prisma's does not cancel the statement that the server is running.
 */
const TRANSACTION_FACTOR = 2;
/** A read waits no longer for a connection to a replica: the primary does it then. */
const REPLICA_CONNECT_MS = 1_000;
const PING_TIMEOUT_MS = 2000;
/** Prisma keeps this many plans of queries, and as many of batches; each takes 10 kB or more. */
const MOST_PLANS = 400;

/** Opens the pools. A database that cannot be reached is noticed by `ping` and by the first statement, not here. */
export async function createDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, replicaUrls = [] } = options;
  const { replicaLeaseMs = DEFAULT_LEASE_MS, onReplica = () => undefined } = options;
  const directUrl = options.directUrl ?? url;
  const listeners = new Set<StatementListener>();
  const trail = new Set<TrailListener>();
  const servers = await Promise.all(
    [url, ...replicaUrls].map(async (one, place) => {
      const limits = limitsOf(options, place === 0 ? undefined : REPLICA_CONNECT_MS);
      return { url: one, isPrimary: place === 0, limits, kind: await askForSessions(one, limits) };
    }),
  );
  const keepsStatements = servers.every(({ kind }) => kind.mayPrepare);
  const isPreparing = options.prepared ?? keepsStatements;
  const names = isPreparing ? new StatementNames() : null;
  const [primary, ...replicas] = servers.map((server) =>
    connect(server, options, { listeners, trail, names }),
  );
  if (primary === undefined) throw new Error("no database");
  const fresh = new FreshReplicas({
    primaryUrl: directUrl,
    urls: replicaUrls,
    leaseMs: replicaLeaseMs,
    onLost: (place) => replicas[place]?.sessions.cut(),
    tryOut: async (place) => {
      replicas[place]?.sessions.mend();
      await replicas[place]?.pool.query("SELECT 1");
    },
    onPromoted: (reason) => {
      forgetPrimary(directUrl);
      primary.lost?.cut(reason);
    },
    say: onReplica,
  });

  return {
    url,
    directUrl,
    isPreparing,
    keepsStatements,
    isDistributed: primary.isDistributed,
    writer: primary.client,
    pool: primary.pool,
    statementNames: () => names?.size ?? 0,
    reader: () => (replicas[fresh.next() ?? -1] ?? primary).client,
    settled: () => fresh.settled(),
    refused: (client) => {
      const place = replicas.findIndex((one) => one.client === client);
      // A read that found all connections busy says nothing of the replica.
      const pool = replicas[place]?.pool;
      if (pool !== undefined && pool.totalCount < pool.options.max) fresh.refused(place);
    },
    replicas: () => fresh.states(),
    onStatement: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onTrail: (listener) => {
      trail.add(listener);
      return () => void trail.delete(listener);
    },
    ping: () => ping(primary.pool),
    pingAny: async () => {
      const states = fresh.states();
      const own = replicas.filter((_, place) => states[place]?.isForeign === false);
      await Promise.any([primary, ...own].map(({ pool }) => ping(pool)));
    },
    endStatements: () => primary.sessions.end(),
    close: async () => {
      await fresh.close();
      primary.lost?.close();
      for (const { closeClient, pool } of [primary, ...replicas]) {
        await closeClient();
        await pool.end();
      }
    },
  };
}

/** Things that all pools of a process share. */
interface Shared {
  readonly listeners: ReadonlySet<StatementListener>;
  readonly trail: ReadonlySet<TrailListener>;
  /** Prisma and the row readers share one set of names; `null` means that nothing is prepared. */
  readonly names: StatementNames | null;
}

/** A server, or a pooler before it. */
interface Server {
  readonly url: string;
  readonly isPrimary: boolean;
  readonly limits: SessionLimits;
  readonly kind: SessionKind;
}

/** What is connected with a server. */
interface Connected {
  readonly client: PrismaClient;
  readonly closeClient: LateClient["close"];
  readonly pool: pg.Pool;
  readonly isDistributed: boolean;
  readonly sessions: Sessions;
  /** `null` for a replica. */
  readonly lost: LostPrimary | null;
}

function limitsOf(options: DatabaseOptions, connectMs: number | undefined): SessionLimits {
  const { statementTimeoutMs = DEFAULT_STATEMENT_TIMEOUT_MS, idleTransactionMs } = options;
  return { statementTimeoutMs, idleTransactionMs, connectMs };
}

function connect(
  { url, isPrimary, limits, kind }: Server,
  options: DatabaseOptions,
  { listeners, trail, names }: Shared,
): Connected {
  const { poolSize = 16, onQuery, onConnectionError: onError = () => undefined } = options;
  const { statementTimeoutMs } = limits;
  const prepared = names !== null;
  const { pool, keepsPlans } = openPool(url, poolSize, onError, {
    ...limits,
    mayKeepPlans: prepared && !kind.isDistributed && options.keepsPlans !== false,
    options: kind.options,
  });
  hearTrail(pool, (payer, bytes) => {
    for (const listener of trail) listener(payer, bytes);
  });
  spreadChanges(pool);
  const patienceMs = Math.round(statementTimeoutMs * WAITING_SHARE);
  const watch: StatementWatch = {
    before: onQuery ?? (() => undefined),
    after: tellOf(listeners),
  };
  const route = new ConnectionRoute();
  const adapter = new PrismaPg(route.poolOf(pool), {
    statementNameGenerator: ({ sql }) => names?.of(sql) ?? UNNAMED,
  });
  const { client, close: closeClient } = lateClient(
    () =>
      new PrismaClient({
        adapter: observeStatements(adapter, watch),
        errorFormat: "minimal",
        queryPlanCacheMaxSize: MOST_PLANS,
        transactionOptions: {
          maxWait: patienceMs,
          timeout: statementTimeoutMs * TRANSACTION_FACTOR,
        },
      }),
  );
  const sessions = new Sessions(url, pool);
  const lost = isPrimary ? new LostPrimary(url, sessions, onError) : null;
  const slow = options.slowStatements == null ? null : slowStatements(pool, options.slowStatements);
  watchConnections(pool, {
    mostPrepared: prepared ? MOST_PREPARED : 0,
    keepsPlans,
    guard: tenantGuard(),
    sessions,
    followers: [
      ...(lost === null ? [] : [(_text: string, now: number) => lost.begin(now)]),
      ...(slow === null ? [] : [slow]),
    ],
  });
  const mostMs = statementTimeoutMs * TRANSACTION_FACTOR;
  setReader(
    client,
    RowReader.onPool({
      pool,
      watch,
      names,
      keepsPlans,
      readsTogether: !kind.isDistributed,
      freezesRows: options.freezesRows === true,
      patienceMs,
    }),
  );
  const transactions = new Transactions({ client, route, pool, watch, names, keepsPlans, mostMs });
  setOperations(client, new PoolOperations(client, (work) => transactions.run(work)));
  return { client, closeClient, pool, isDistributed: kind.isDistributed, sessions, lost };
}

async function ping(pool: pg.Pool): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the database does not answer")), PING_TIMEOUT_MS);
  });
  try {
    await Promise.race([pool.query("SELECT 1"), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
