import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { DEFAULT_COST_LIMIT } from "../limits/cost-limit.js";
import { VariableReader } from "./variable-reader.js";

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
  const url = read.url("DATABASE_URL", ["postgresql:", "postgres:"], "secret");
  const jwksUrl = read.url("JWKS_URL", ["https:", "http:"]);

  const config: Config = {
    environment,
    isProduction,
    port: read.integer("PORT", 4000, 0, 65_535),
    host: read.text("HOST") ?? "127.0.0.1",
    database: {
      url,
      replicaUrls: read.urls("DATABASE_REPLICA_URLS", ["postgresql:", "postgres:"]),
      poolSize: read.integer("DATABASE_POOL_SIZE", 16, 1, 1000),
      prepared: read.flag("DATABASE_PREPARED", true),
    },
    dataDir,
    demoData: read.flag("DEMO_DATA", url === null) && !isProduction,
    jobs: read.flag("JOBS", true),
    jwtSecret: readJwtSecret(read, isProduction && jwksUrl === null),
    jwksUrl,
    jwtIssuer: read.text("JWT_ISSUER"),
    storageUrl:
      read.url("STORAGE_URL", ["file:", "s3:"], "secret") ?? pathToFileURL(resolve(dataDir, "files")).href,
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
    read.refuse("DATABASE_URL", "must be set when DATABASE_REPLICA_URLS is");
  }
  if (read.has("JWKS_URL") && !read.has("JWT_ISSUER")) {
    read.refuse("JWT_ISSUER", "must be set when JWKS_URL is");
  }
  if (read.has("JWT_ISSUER") && !read.has("JWKS_URL")) {
    read.refuse("JWKS_URL", "must be set when JWT_ISSUER is");
  }
  read.assertNoneRefused();
  return config;
}

function readJwtSecret(read: VariableReader, required: boolean): string | null {
  const secret = read.text("JWT_SECRET");
  if (secret === null && required) {
    read.refuse("JWT_SECRET", "is required when NODE_ENV=production, at least 32 bytes");
  }
  if (secret !== null && Buffer.byteLength(secret) < 32) {
    read.refuse("JWT_SECRET", `must have at least 32 bytes, has ${Buffer.byteLength(secret)}`);
  }
  return secret;
}

function readCorsOrigin(read: VariableReader): "*" | string[] {
  const text = read.text("CORS_ORIGIN") ?? "*";
  if (text === "*") return "*";
  if (text === "off") return [];
  const origins = text.split(",").map((origin) => origin.trim());
  const wrong = origins.filter((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong.length > 0) {
    read.refuse(
      "CORS_ORIGIN",
      'must be "*", "off" or origins such as https://shop.example separated by commas',
    );
  }
  return origins;
}

function readTrustProxy(read: VariableReader): boolean | number | string[] {
  const text = read.text("TRUST_PROXY") ?? "off";
  if (text === "on" || text === "off") return text === "on";
  if (/^[1-9]\d?$/u.test(text)) return Number(text);
  const addresses = text.split(",").map((address) => address.trim());
  if (!addresses.every(isAddressOrNetwork)) {
    read.refuse(
      "TRUST_PROXY",
      'must be "off", "on", a number of hops or addresses such as 10.0.0.0/8 separated by commas',
    );
  }
  return addresses;
}

function isAddressOrNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/u.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function readSafelist(read: VariableReader): string | null {
  const path = read.text("SAFELIST");
  if (path === null) return null;
  if (!existsSync(path)) read.refuse("SAFELIST", `must be a file, ${JSON.stringify(path)} is not there`);
  return resolve(path);
}
