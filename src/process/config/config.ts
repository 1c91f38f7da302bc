import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { DEFAULT_COST_LIMIT } from "../../engine/limits/cost-limit.js";
import {
  readCorsOrigin,
  readDatabaseUrl,
  readHost,
  readJwtSecret,
  readReplicaUrls,
  readSafelist,
  readStorageUrl,
  readTrustProxy,
} from "./read-variables.js";
import { VariableReader } from "./variable-reader.js";
import { canBeWritten } from "./writable-directory.js";

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
/** `basic`: SQL statements are counted, though not by request; `full` costs some speed before Node 24. */
export const METRICS = ["off", "basic", "full"] as const;
export const ENVIRONMENTS = ["development", "test", "production"] as const;

/** Where PostgreSQL is and how it is spoken to. */
export interface DatabaseConfig {
  /** `null`: the process runs its own PostgreSQL under `dataDir`. */
  url: string | null;
  replicaUrls: string[];
  /** Connections per pool (the writer and each replica have one). */
  poolSize: number;
  /** Prepared statements; off for a PgBouncer in transaction mode before 1.21. */
  prepared: boolean;
}

/** Everything the process may be told from outside. */
export interface Config {
  environment: (typeof ENVIRONMENTS)[number];
  isProduction: boolean;
  /** 0 lets the operating system choose. */
  port: number;
  host: string;
  database: DatabaseConfig;
  /** Absolute. */
  dataDir: string;
  demoData: boolean;
  /** Whether this process does jobs; it adds them in any case. */
  jobs: boolean;
  /** `null`: made once and kept in `dataDir`, see `secret.ts`. */
  jwtSecret: string | null;
  /** An external identity provider; both set or both `null`. */
  jwksUrl: string | null;
  jwtIssuer: string | null;
  /** `file:` or `s3:` URL. */
  storageUrl: string;
  /** Prefix of the URLs of stored files, without a slash at its end; `null`: not told. */
  publicUrl: string | null;
  /** Requests a minute per principal; 0: no limit. */
  rateLimit: number;
  /** The most that a GraphQL operation may cost, see `core/limits/document-cost.ts`. */
  costLimit: number;
  /** After this a request is answered with 503, and the database cancels its statement. */
  requestTimeoutMs: number;
  /** Whose `X-Forwarded-For` tells the caller's address: nobody's, everybody's, that many hops, these addresses. */
  trustProxy: boolean | number | string[];
  /** File of the only GraphQL operations that may run; `null`: all may. */
  safelist: string | null;
  logLevel: (typeof LOG_LEVELS)[number];
  /** What `/metrics` tells. */
  metrics: (typeof METRICS)[number];
  /** Explorers and introspection. */
  explorer: boolean;
  /** Origins that browsers may call from; empty: none. */
  corsOrigin: "*" | string[];
}

const NODE_MAJOR = Number.parseInt(process.versions.node);

/**
 * Reads the configuration from environment variables (an empty one counts as missing).
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

  const config: Config = {
    environment,
    isProduction,
    port: read.integer("PORT", 4000, 0, 65_535),
    host: readHost(read),
    database: {
      url,
      replicaUrls: readReplicaUrls(read),
      poolSize: read.integer("DATABASE_POOL_SIZE", 16, 1, 1000),
      prepared: read.flag("DATABASE_PREPARED", true),
    },
    dataDir,
    demoData: read.flag("DEMO_DATA", url === null) && !isProduction,
    jobs: read.flag("JOBS", true),
    jwtSecret: readJwtSecret(read, isProduction && jwksUrl === null),
    jwksUrl,
    jwtIssuer: read.text("JWT_ISSUER"),
    storageUrl: readStorageUrl(read) ?? pathToFileURL(resolve(dataDir, "files")).href,
    publicUrl: read.url("PUBLIC_URL", ["https:", "http:"])?.replace(/\/+$/, "") ?? null,
    rateLimit: read.integer("RATE_LIMIT", 6000, 0, 1_000_000_000),
    costLimit: read.integer("COST_LIMIT", DEFAULT_COST_LIMIT, 1, 1_000_000_000),
    requestTimeoutMs: read.integer("REQUEST_TIMEOUT_MS", 10_000, 100, 600_000),
    trustProxy: readTrustProxy(read),
    safelist: readSafelist(read),
    logLevel: read.oneOf("LOG_LEVEL", LOG_LEVELS, "info"),
    metrics: read.oneOf("METRICS", METRICS, isProduction && NODE_MAJOR < 24 ? "basic" : "full"),
    explorer: read.flag("EXPLORER", !isProduction),
    corsOrigin: readCorsOrigin(read),
  };

  if (config.database.replicaUrls.length > 0 && !read.has("DATABASE_URL")) {
    read.wrong("DATABASE_URL", "must be set when DATABASE_REPLICA_URLS is");
  }
  if (read.has("JWKS_URL") && !read.has("JWT_ISSUER")) {
    read.wrong("JWT_ISSUER", "must be set when JWKS_URL is");
  }
  if (read.has("JWT_ISSUER") && !read.has("JWKS_URL")) {
    read.wrong("JWKS_URL", "must be set when JWT_ISSUER is");
  }
  // Where it keeps its own PostgreSQL, and the key it made for its tokens.
  const needsDataDir = !read.has("DATABASE_URL") || (!read.has("JWT_SECRET") && !isProduction);
  if (needsDataDir && !canBeWritten(dataDir)) {
    read.wrong("DATA_DIR", `must be a directory that can be written to, is ${JSON.stringify(dataDir)}`);
  }
  read.assertNoneWrong();
  return config;
}
