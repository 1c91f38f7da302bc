import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import type { FastifyInstance, InjectOptions } from "fastify";
import { print } from "graphql";
import pg from "pg";
import pino from "pino";
import { buildApp, restDocumentsOf } from "../../src/app.js";
import {
  createTokenKeys,
  issueAccessToken,
  type Principal,
  type TokenKeys,
} from "../../src/core/access/tokens.js";
import { loadConfig } from "../../src/process/config/config.js";
import { resolveSecretKeys } from "../../src/process/config/secret.js";
import type { SecretKeys } from "../../src/engine/secrets/secret-keys.js";
import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import type { FinishedSchema } from "../../src/engine/guard/finish-schema.js";
import type { Engine } from "../../src/engine/execution/compile-operation.js";
import type { PrismaClient } from "../../src/generated/prisma/client.js";
import { keepStatement } from "./kept-statements.js";
import { KeptUntilClosed } from "./kept-until-closed.js";
import { createTestDatabase, sharedDatabase, type TestDatabase } from "./database.js";
import { borrowOwner, type Owner } from "./owner.js";
import { type JobParts, runDueJobs, startTestWorker } from "./jobs.js";
import { sharedRestDocuments, sharedSchema } from "./schema.js";
import { openStorage } from "../../src/engine/storage/open-storage.js";
import type { Storage } from "../../src/engine/storage/storage.js";

/** The tests sign tokens with this secret, which is used nowhere else. */
export const TEST_SECRET = "a secret that only the tests use: 32 bytes or more";
/** The tests encrypt stored secrets with this key. */
export const TEST_SECRETS_KEY = "5e".repeat(32);
/**
 * Requests have this much time, the most that can be set, and bursts their share of it, so that a busy machine fails no
 * test; tests of deadlines and of bursts set their own.
 */
const PATIENCE_MS = "600000";

export interface GraphqlResult {
  data: Record<string, any> | null;
  errors?: {
    message: string;
    path?: (string | number)[];
    locations?: readonly { line: number; column: number }[];
    extensions: Record<string, any>;
  }[];
}

export interface RestResult {
  status: number;
  body: any;
  headers: Record<string, string | string[] | number | undefined>;
}

export interface RestRequest {
  body?: unknown;
  headers?: Record<string, string>;
}

/** The service as one caller uses it, through both faces. */
export interface Client {
  readonly token: string | null;
  /** Runs a typed document that must succeed; its data is typed too. */
  request<Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables): Promise<Data>;
  run(
    query: string,
    variables?: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<GraphqlResult>;
  rest(method: InjectOptions["method"], path: string, request?: RestRequest): Promise<RestResult>;
}

/** A whole service with its database; nothing of it can be used once it is closed. */
export interface Gateway {
  readonly app: FastifyInstance;
  readonly database: Database;
  /** For the role that the service connects as. */
  readonly url: string;
  /** For the owner of the tables. */
  readonly ownerUrl: string;
  /** Sends statements as the owner of the tables, who may do what the service may not. */
  asOwner(sql: string, values?: unknown[]): Promise<void>;
  /** A client of the owner without tenancy checks, to arrange and assert; every condition has to name the company. */
  readonly db: PrismaClient;
  readonly keys: TokenKeys;
  readonly secrets: SecretKeys;
  /** The statements that were sent since `statements.length = 0`. */
  readonly statements: string[];
  readonly anonymous: Client;
  readonly platform: Client;
  as(principal: Principal): Promise<Client>;
  withToken(token: string | null): Client;
  /** Does all jobs that are due now, and those that they add; nothing else does jobs unless `worker` is set. */
  runJobs(instead?: JobParts): Promise<void>;
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly engine?: Engine;
  readonly environment?: Record<string, string>;
  /** The gateway whose database this one uses; by default it uses the database that the files of a worker share. */
  readonly on?: Pick<Gateway, "url" | "ownerUrl">;
  /**
   * With `service`, only this test uses the service, so that it may listen and close. With `database`, only this
   * test has written and will write to the database, too.
   */
  readonly own?: "service" | "database";
  /** A schema that differs from that of all other services. */
  readonly schema?: FinishedSchema;
  /** The store of files, such as one that fails. */
  readonly storage?: Storage;
  /** Whether the service does jobs by itself, as a process does. */
  readonly worker?: boolean;
}

/**
 * Starts the service on the database that all test files of this worker share, so every statement must name its
 * company. Without options, all files get the same service, which outlives `close`.
 */
export function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  return Object.keys(options).length === 0 ? sharedGateway() : openGateway(options);
}

let shared: Promise<Gateway> | undefined;

async function sharedGateway(): Promise<Gateway> {
  shared ??= openGateway({});
  const gateway = await shared;
  gateway.statements.length = 0;
  // Its first token ends after a quarter of an hour, and slow machines test for longer.
  return { ...gateway, platform: await gateway.as({ kind: "platform" }), close: () => Promise.resolve() };
}

async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { engine, environment, on, own, schema, worker } = options;
  const { serviceUrl: url, url: ownerUrl, drop } = await databaseFor({ on, own });
  const statements: string[] = [];
  const config = loadConfig({
    DATABASE_URL: url,
    JWT_SECRET: TEST_SECRET,
    SECRETS_KEY: TEST_SECRETS_KEY,
    LOG_LEVEL: "silent",
    REQUEST_TIMEOUT_MS: PATIENCE_MS,
    DATABASE_POOL_SIZE: "8",
    // As in production with node 20: to know the statements of each request costs 3 to 9 % of the rate (`observe-requests.ts`).
    METRICS: "basic",
    STORAGE_URL: pathToFileURL(join(tmpdir(), `commerce-files-${process.pid}`)).href,
    ...environment,
  });
  const database = await createDatabase({
    url,
    directUrl: config.database.directUrl,
    replicaUrls: config.database.replicaUrls,
    statementTimeoutMs: config.requestTimeoutMs,
    poolSize: config.database.poolSize,
    freezesRows: config.database.freezesRows,
    onQuery: (sql) => {
      statements.push(sql);
      keepStatement(sql);
    },
  });
  // The shared gateway is never closed, so its idle connections must not keep the worker from ending.
  database.pool.options.allowExitOnIdle = true;
  const owner = await borrowOwner(ownerUrl);
  const keys = createTokenKeys({ secret: TEST_SECRET });
  const secrets = await resolveSecretKeys(config);
  const storage = options.storage ?? (await openStorage(config.storageUrl));
  const closeDatabases = async (): Promise<void> => {
    await database.close();
    await owner.giveBack();
    await drop();
  };
  const app = await buildApp({
    config,
    database,
    keys,
    secrets,
    log: pino({ level: process.env["TEST_LOG"] ?? "silent" }),
    schema: schema ?? sharedSchema(),
    restDocuments: schema === undefined ? sharedRestDocuments() : restDocumentsOf(schema),
    storage,
    ...(engine !== undefined && { engine }),
  }).catch(async (error: unknown) => {
    await closeDatabases();
    throw error;
  });
  await app.ready();
  // The service refuses nothing, however busy the machine is with other things; a test of pressure plants its own.
  app.isUnderPressure = () => false;
  const jobWorker = worker === true ? await startTestWorker(database.directUrl, storage, app.forLoops) : null;
  const jobs = { storage, fetchAllow: config.fetchAllow };
  const kept = new KeptUntilClosed({
    app,
    database,
    owner,
    keys,
    secrets,
    statements,
    jobs,
    jobWorker,
    closeDatabases,
  });
  return gatewayOf(kept, { url, ownerUrl });
}

/** What a gateway is made of. */
interface GatewayParts extends Pick<Gateway, "app" | "database" | "keys" | "secrets" | "statements"> {
  readonly owner: Owner;
  readonly jobs: Parameters<typeof runDueJobs>[1];
  readonly jobWorker: { stop(): Promise<void> } | null;
  closeDatabases(): Promise<void>;
}

async function gatewayOf(
  kept: KeptUntilClosed<GatewayParts>,
  { url, ownerUrl }: Pick<Gateway, "url" | "ownerUrl">,
): Promise<Gateway> {
  const withToken = (token: string | null): Client => clientOf(kept, token);
  const as = async (principal: Principal): Promise<Client> =>
    withToken(await issueAccessToken(kept.parts.keys, principal));
  return {
    url,
    ownerUrl,
    get app() {
      return kept.parts.app;
    },
    get database() {
      return kept.parts.database;
    },
    get db() {
      return kept.parts.owner.db;
    },
    get keys() {
      return kept.parts.keys;
    },
    get secrets() {
      return kept.parts.secrets;
    },
    get statements() {
      return kept.parts.statements;
    },
    asOwner: (sql, values) => asOwner(ownerUrl, sql, values),
    anonymous: withToken(null),
    platform: await as({ kind: "platform" }),
    as,
    withToken,
    runJobs: (instead) => runDueJobs(kept.parts.database, { ...kept.parts.jobs, ...instead }),
    close: async () => {
      const { app, jobWorker, closeDatabases } = kept.parts;
      await jobWorker?.stop();
      await app.close();
      await closeDatabases();
      kept.letGo();
    },
  };
}

async function databaseFor({ on, own }: Pick<GatewayOptions, "on" | "own">): Promise<TestDatabase> {
  if (own === "database") return createTestDatabase();
  if (on !== undefined) return { url: on.ownerUrl, serviceUrl: on.url, drop: () => Promise.resolve() };
  return { ...(await sharedDatabase()), drop: () => Promise.resolve() };
}

async function asOwner(url: string, sql: string, values?: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql, values);
  } finally {
    await client.end();
  }
}

function clientOf(kept: KeptUntilClosed<GatewayParts>, token: string | null): Client {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const run: Client["run"] = async (query, variables = {}, headers = {}) => {
    const response = await kept.parts.app.inject({
      method: "POST",
      url: "/graphql",
      headers: { ...authorization, ...headers },
      payload: { query, variables },
    });
    return response.json<GraphqlResult>();
  };
  return {
    token,
    run,
    request: async <Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables) =>
      dataOf(await run(print(document), variables as Record<string, unknown>)) as Data,
    rest: async (method, path, { body, headers = {} } = {}) => {
      const response = await kept.parts.app.inject({
        ...(method !== undefined && { method }),
        url: `/api${path}`,
        headers: {
          ...authorization,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { payload: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const isJson = String(response.headers["content-type"]).includes("json");
      const text = response.body === "" ? null : response.body;
      return {
        status: response.statusCode,
        body: isJson && text !== null ? (JSON.parse(text) as unknown) : text,
        headers: response.headers,
      };
    },
  };
}

/** Returns the codes of a result's errors in order. */
export function errorCodes(result: GraphqlResult): string[] {
  return (result.errors ?? []).map(({ extensions }) => extensions["code"] as string);
}

/** Returns `field:rule` of every wrong field, sorted. */
export function wrongFields(errors: { field: string; rule: string }[] | undefined): string[] {
  return (errors ?? []).map(({ field, rule }) => `${field}:${rule}`).sort();
}

/** Returns what an answer says, without what it says of its own cost: that differs when the same is answered again. */
export function saidBy({ data, errors }: GraphqlResult): Pick<GraphqlResult, "data" | "errors"> {
  return { data, ...(errors !== undefined && { errors }) };
}

/** Returns the data of a result that must have succeeded. */
export function dataOf(result: GraphqlResult): Record<string, any> {
  expect(result.errors).toBeUndefined();
  return result.data as Record<string, any>;
}
