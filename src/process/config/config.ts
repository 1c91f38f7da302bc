import type { EcKey } from "../../core/access/signing-keys.js";
import { resolve } from "node:path";
import { DEFAULT_LEASE_MS } from "../../engine/connections/replica-lease.js";
import { DEFAULT_COST_LIMIT } from "../../engine/limits/cost-limit.js";
import {
  readCorsOrigin,
  readDatabaseUrl,
  readFetchAllow,
  readHost,
  readJwtPrivateKey,
  readJwtSecrets,
  readMetricsToken,
  readPublicUrl,
  readReplicaUrls,
  readSafelist,
  readSecretsKeys,
  readStorageUrl,
  readTracing,
  readTrustProxy,
} from "./read-variables.js";
import type { Quotas } from "../../core/quotas/quota.js";
import { readQuotas } from "./quotas.js";
import { VariableReader } from "./variable-reader.js";
import { canBeWritten } from "./writable-directory.js";

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
/** With `basic`, SQL statements are counted, but not by request; `full` costs some speed before Node 24. */
export const METRICS = ["off", "basic", "full"] as const;
export const ENVIRONMENTS = ["development", "test", "production"] as const;

/** The settings of the database. */
export interface DatabaseConfig {
  /** `null` means that the process runs its own PostgreSQL under `dataDir`. */
  url: string | null;
  /** The primary without a pooler before it, for migrations, for what is listened to and for locks of a session. */
  directUrl: string | null;
  replicaUrls: string[];
  /** For how long a replica may be read after it has confirmed that it has all that the primary had. */
  replicaLeaseMs: number;
  /** The number of connections of each pool; the primary and each replica have one. */
  poolSize: number;
  /** Says whether statements are prepared; `null`: that is found out at the start. */
  prepared: boolean | null;
  /** Says whether a row that several requests have is frozen. */
  freezesRows: boolean;
}

/** All settings of the process. */
export interface Config {
  environment: (typeof ENVIRONMENTS)[number];
  isProduction: boolean;
  /** With 0 the operating system chooses the port. */
  port: number;
  host: string;
  /** The port of the probes; 0 means that they have none of their own. */
  probePort: number;
  database: DatabaseConfig;
  /** An absolute path. */
  dataDir: string;
  demoData: boolean;
  /** Says whether this process does jobs. It adds jobs in any case. */
  jobs: boolean;
  /** `null` means that a secret is made once and kept in `dataDir`, see `secret.ts`. */
  jwtSecret: string | null;
  /** Secrets that check access tokens and sign none. */
  jwtOlderSecrets: string[];
  /** Keys of ES256, the first of which signs if it has its private part. */
  jwtKeys: EcKey[];
  /**
   * The keys of stored secrets, 32 bytes each, the first of which encrypts; `null` means that a key is made once and
   * kept in `dataDir`.
   */
  secretsKeys: Uint8Array[] | null;
  /** An external identity provider; all of these are set, or all are `null`. */
  jwksUrl: string | null;
  jwtIssuer: string | null;
  /** The name of this service at the identity provider: other services' tokens are not for it. */
  jwtAudience: string | null;
  /** A `file:` or `s3:` URL. */
  storageUrl: string;
  /** Hosts that pictures may be fetched from although they are not public, as `host:port`. */
  fetchAllow: string[];
  /** The prefix of the URLs of stored files, without a slash at its end; `null` when it is not set. */
  publicUrl: string | null;
  /** The number of requests a minute for each principal; 0 means no limit. */
  rateLimit: number;
  /** The highest cost that a GraphQL operation may have, see `engine/limits/document-cost.ts`. */
  costLimit: number;
  /** How much of each thing a company may have. */
  quotas: Quotas;
  /** Entries of the audit trail are kept for so many days; 0 keeps them for ever. */
  auditDays: number;
  /** Entries of the journal of changes are kept for so many days. */
  journalDays: number;
  /** A request that takes longer is answered with 503, and the database cancels its statement. */
  requestTimeoutMs: number;
  /** Statements that take so long are logged with their plans; 0 logs none. */
  slowStatementMs: number;
  /** The time for which `/readyz` answers 503 before the process stops, while requests are still served. */
  drainDelayMs: number;
  /**
   * The proxies whose `X-Forwarded-For` gives the caller's address: none, all, that many hops, or these addresses.
   */
  trustProxy: boolean | number | string[];
  /** The file of the only GraphQL documents that may run; `null` allows all documents. */
  safelist: string | null;
  logLevel: (typeof LOG_LEVELS)[number];
  /** How much `/metrics` shows. */
  metrics: (typeof METRICS)[number];
  /** The token that `/metrics` and the OpenAPI document ask for; `null` shows them to everybody. */
  metricsToken: string | null;
  /** What the service was built from, such as a commit; empty when nobody says. */
  revision: string;
  /** Says whether a gateway of Apollo Federation may compose the service with others. */
  federation: boolean;
  /** Whether traces are sent, by the variables of OpenTelemetry. */
  tracing: boolean;
  /** Says whether the explorers and introspection are on. */
  explorer: boolean;
  /** The origins that browsers may call from; an empty list allows none. */
  corsOrigin: "*" | string[];
  /** A line for each variable that is none of these and has nearly the name of one. */
  misspelled: string[];
}

const IDENTITY_PROVIDER = ["JWKS_URL", "JWT_ISSUER", "JWT_AUDIENCE"];

const NODE_MAJOR = Number.parseInt(process.versions.node);

/**
 * Reads the configuration from environment variables; an empty variable counts as missing.
 *
 * @throws ConfigError that names every wrong or missing variable, one a line.
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const read = new VariableReader(env);
  const environment = read.oneOf("NODE_ENV", ENVIRONMENTS, "development");
  const isProduction = environment === "production";
  const dataDir = resolve(read.text("DATA_DIR") ?? ".data");
  const url = readDatabaseUrl(read);
  const jwksUrl = read.url("JWKS_URL", ["https:", "http:"]);
  const [jwtSecret = null, ...jwtOlderSecrets] = readJwtSecrets(read, isProduction && jwksUrl === null);

  const config: Config = {
    environment,
    isProduction,
    port: read.integer("PORT", 4000, 0, 65_535),
    probePort: read.integer("PROBE_PORT", 0, 0, 65_535),
    host: readHost(read),
    database: {
      url,
      directUrl: readDatabaseUrl(read, "DATABASE_DIRECT_URL"),
      replicaUrls: readReplicaUrls(read),
      replicaLeaseMs: read.integer("REPLICA_LEASE_MS", DEFAULT_LEASE_MS, 10, 5_000),
      poolSize: read.integer("DATABASE_POOL_SIZE", 16, 1, 1000),
      prepared: read.has("DATABASE_PREPARED") ? read.flag("DATABASE_PREPARED", true) : null,
      freezesRows: !isProduction,
    },
    dataDir,
    demoData: read.flag("DEMO_DATA", url === null) && !isProduction,
    jobs: read.flag("JOBS", true),
    jwtSecret,
    jwtOlderSecrets,
    jwtKeys: readJwtPrivateKey(read),
    // A JWT_SECRET that is missing is reported by itself.
    secretsKeys: readSecretsKeys(read, isProduction && jwtSecret === null && jwksUrl !== null),
    jwksUrl,
    jwtIssuer: read.text("JWT_ISSUER"),
    jwtAudience: read.text("JWT_AUDIENCE"),
    storageUrl: readStorageUrl(read, resolve(dataDir, "files")),
    fetchAllow: readFetchAllow(read),
    publicUrl: readPublicUrl(read),
    rateLimit: read.integer("RATE_LIMIT", 6000, 0, 1_000_000_000),
    costLimit: read.integer("COST_LIMIT", DEFAULT_COST_LIMIT, 1, 1_000_000_000),
    quotas: readQuotas(read),
    auditDays: read.integer("AUDIT_DAYS", 400, 0, 36_500),
    journalDays: read.integer("JOURNAL_DAYS", 30, 1, 3_650),
    requestTimeoutMs: read.integer("REQUEST_TIMEOUT_MS", 10_000, 100, 600_000),
    slowStatementMs: read.integer("SLOW_STATEMENT_MS", 1_000, 0, 600_000),
    drainDelayMs: read.integer("DRAIN_DELAY_MS", 0, 0, 60_000),
    trustProxy: readTrustProxy(read),
    safelist: readSafelist(read),
    logLevel: read.oneOf("LOG_LEVEL", LOG_LEVELS, "info"),
    metrics: read.oneOf("METRICS", METRICS, isProduction && NODE_MAJOR < 24 ? "basic" : "full"),
    metricsToken: readMetricsToken(read),
    revision: read.text("BUILD_REVISION") ?? "",
    federation: read.flag("FEDERATION", false),
    tracing: readTracing(read),
    explorer: read.flag("EXPLORER", !isProduction),
    corsOrigin: readCorsOrigin(read),
    misspelled: [],
  };

  if (!read.has("DATABASE_URL")) {
    if (isProduction)
      read.wrong("DATABASE_URL", "is required when NODE_ENV=production: none is embedded then");
    else if (config.database.replicaUrls.length > 0)
      read.wrong("DATABASE_URL", "must be set when DATABASE_REPLICA_URLS is");
    else if (config.database.directUrl !== null)
      read.wrong("DATABASE_URL", "must be set when DATABASE_DIRECT_URL is");
  }
  if (config.probePort !== 0 && config.probePort === config.port)
    read.wrong("PROBE_PORT", "must be another port than PORT");
  const [given] = IDENTITY_PROVIDER.filter((name) => read.has(name));
  for (const name of IDENTITY_PROVIDER)
    if (given !== undefined && !read.has(name)) read.wrong(name, `must be set when ${given} is`);
  // The process keeps its own PostgreSQL, files and the keys that it makes in this directory.
  const hasKeys = isProduction || (read.has("JWT_SECRET") && read.has("SECRETS_KEY"));
  const needsDataDir = !read.has("DATABASE_URL") || !read.has("STORAGE_URL") || !hasKeys;
  if (needsDataDir && !canBeWritten(dataDir)) {
    read.wrong("DATA_DIR", `must be a directory that can be written to, is ${JSON.stringify(dataDir)}`);
  }
  read.assertNoneWrong();
  return { ...config, misspelled: read.misspelled() };
}
