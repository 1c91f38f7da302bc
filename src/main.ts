import "./process/young-objects.js";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { describeFailure } from "./cli/command.js";
import { baseUrl, startBanner, type DemoSignIn } from "./process/start-banner.js";
import { NO_TRACER, type Tracer } from "./core/tracing.js";
import type { Secrets } from "./core/secrets.js";
import { SEALED_SOURCES } from "./sealed-sources.js";
import { findUnreadableSecrets } from "./slices/companies/rotate-secrets.service.js";
import { storedCallers } from "./slices/auth/stored-callers.sql.js";
import { createTokenKeys, type TokenKeys } from "./core/access/tokens.js";
import { loadConfig, type Config } from "./process/config/config.js";
import { dependsOnJwtSecret, resolveJwtSecret, resolveSecretKeys } from "./process/config/secret.js";
import { hostUrls } from "./engine/connections/hosts.js";
import type { Safelist } from "./engine/limits/safelist.js";
import { assertSameDatabase } from "./engine/connections/direct-url.js";
import { createDatabase, type Database } from "./engine/connections/client.js";
import { startEmbeddedPostgres } from "./engine/embedded-postgres/embedded-postgres.js";
import { adviceOn, assertForm, missingLimits, SessionError } from "./engine/connections/session-limits.js";
import type { SlowStatementOptions } from "./engine/connections/slow-statements.js";
import { waitForDatabase, whenAnswered } from "./engine/connections/wait-for-database.js";
import {
  accessByUrl,
  accessEmbedded,
  embeddedDirectory,
  prepare,
  type DatabaseAccess,
} from "./process/with-database.js";
import type { FinishedSchema } from "./engine/guard/finish-schema.js";
import { inputCheck } from "./engine/guard/check-input.js";
import type { JobWorker } from "./engine/worker/worker.js";
import { createLog } from "./process/log.js";
import { serveProbes } from "./process/probes.js";
import { Shutdown } from "./process/shutdown.js";
import { demoOwner } from "./demo/demo-session.js";
import { assertCanListen, listen } from "./api/http/listening.js";

/** Requests in flight may take this long after the process was asked to stop. */
const DRAIN_MS = 6500;
/** Cutting requests off takes no longer than this. */
const CUT_OFF_MS = 1500;
/** The trail is told within this time how far tables came that are cut off. */
const TABLES_NOTED_MS = 400;
/** The last answers have this long to leave. */
const LAST_ANSWERS_MS = 100;
const CLOSE_DATABASE_MS = 1000;
/** A collector that is away holds the end of the process up no longer than this. */
const SEND_TRACES_MS = 500;

try {
  const config = loadConfig(process.env);
  const log = await createLog(config.logLevel);
  for (const line of config.misspelled) log.warn(line);
  await start(config, log, new Shutdown(log, config.drainDelayMs)).catch(report);
} catch (error) {
  report(error);
}

function report(error: unknown): never {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exit(1);
}

async function start(config: Config, log: Logger, shutdown: Shutdown): Promise<void> {
  try {
    await assertCanListen(config);
    const { host, probePort } = config;
    if (probePort !== 0) await assertCanListen({ host, port: probePort, variable: "PROBE_PORT" });
    const safelist = await readSafelist(config);
    const keys = createTokenKeys({
      secret: await resolveJwtSecret(config),
      olderSecrets: config.jwtOlderSecrets,
      ecKeys: config.jwtKeys,
      jwksUrl: config.jwksUrl,
      jwtIssuer: config.jwtIssuer,
      jwtAudience: config.jwtAudience,
    });
    const secrets = await resolveSecretKeys(config);
    if (dependsOnJwtSecret(config))
      log.warn(
        "no SECRETS_KEY is set: stored secrets are encrypted by a key made of JWT_SECRET and become unreadable when that " +
          "changes; set SECRETS_KEY",
      );
    // Building the schema takes as long as the start of PostgreSQL and the migrations, so both happen at once.
    const [{ database, access }, { buildApp, schema, restDocuments }] = await Promise.all([
      openDatabase(config, log, shutdown),
      prepareApp(config),
    ]);
    const tracer = config.tracing ? await startTracer(log, shutdown) : NO_TRACER;
    const [app] = await Promise.all([
      buildApp({ config, database, keys, secrets, log, schema, restDocuments, safelist, tracer }),
      config.demoData ? loadDemoDataOnce(config, { database, access }, log) : null,
    ]);
    const probes =
      probePort === 0
        ? null
        : await serveProbes({
            host,
            port: probePort,
            urls: hostUrls(database.url),
            replicaUrls: config.database.replicaUrls,
            replicas: () => database.replicas(),
          });
    let worker: Promise<JobWorker> | null = null;
    shutdown.add(
      async () => {
        probes?.drain();
        await Promise.all([drain(app, database, config), stopWorker(worker)]);
        await probes?.close();
      },
      config.drainDelayMs + DRAIN_MS + CUT_OFF_MS,
    );
    const isWarm = config.isProduction ? warmUp(app, log) : Promise.resolve();
    await listen(app, config);
    if (config.isProduction) void acceptMany(app, log, shutdown);
    void isWarm.then(() => probes?.ready());
    void warnOfWrongKey(database, secrets, log, shutdown);
    const signIn = await demoSignIn(config, database, keys);
    if (config.jobs)
      await (worker = doJobs(config, { database, schema, tracer, forLoops: app.forLoops }, log, shutdown));
    announce(config, log, (app.server.address() as AddressInfo).port, signIn);
  } catch (error) {
    if (shutdown.hasBegun) return;
    await shutdown.closeAll();
    throw error;
  }
}

/** Reads the file before anything is started that would have to be stopped. @throws SafelistError */
async function readSafelist({ safelist: path }: Config): Promise<Safelist | null> {
  if (path === null) return null;
  const { Safelist } = await import("./engine/limits/safelist.js");
  return Safelist.fromFile(path);
}

/** Loads and makes all that needs no database, in turns, so that PostgreSQL is started as soon as it can be. */
async function prepareApp({ federation: isSubgraph }: Config) {
  const { buildApp, restDocumentsOf } = await import("./app.js");
  const { createSchema } = await import("./schema.js");
  await nextTurn();
  const schema = createSchema({ isSubgraph });
  await nextTurn();
  return { buildApp, schema, restDocuments: restDocumentsOf(schema) };
}

/** Runs the documents of the routes, until when `/readyz` says no; a development process is ready at once. */
async function warmUp(app: FastifyInstance, log: Logger): Promise<void> {
  const since = performance.now();
  try {
    const operations = await app.warmUp();
    log.info({ operations, milliseconds: Math.round(performance.now() - since) }, "warmed up");
  } catch (error) {
    log.warn({ err: error }, "could not warm up");
  }
}

/** A development process does without: it has no crowd, and starts no process for it. */
async function acceptMany(app: FastifyInstance, log: Logger, shutdown: Shutdown): Promise<void> {
  try {
    await app.acceptMany();
  } catch (error) {
    if (!shutdown.hasBegun) log.warn({ err: error }, "connections are accepted one by one");
  }
}

/** Warns operators early that `SECRETS_KEY` lacks a key; whatever needs no secret works all the same. */
async function warnOfWrongKey(
  { pool }: Database,
  secrets: Secrets,
  log: Logger,
  shutdown: Shutdown,
): Promise<void> {
  try {
    const companies = await findUnreadableSecrets(pool, { sources: SEALED_SOURCES, secrets });
    if (companies.length > 0)
      log.error({ companies }, "no key of SECRETS_KEY opens stored secrets of these companies");
  } catch (error) {
    if (!shutdown.hasBegun) log.warn({ err: error }, "stored secrets could not be read");
  }
}

/** The database as the service reaches it, and how its owner does. */
interface OpenDatabase {
  readonly database: Database;
  readonly access: DatabaseAccess;
}

async function openDatabase(config: Config, log: Logger, shutdown: Shutdown): Promise<OpenDatabase> {
  const { url, directUrl } = config.database;
  const access = url === null ? await startOwnPostgres(config, log, shutdown) : accessByUrl(url, directUrl);
  if (url !== null) await (directUrl === null ? waitForDatabase(url) : assertSameDatabase(url, directUrl));
  const applied = await whenAnswered(() =>
    prepare(access, {
      warn: (message) => log.warn(message),
      say: (message) => log.info(message),
      // What is to be migrated may be empty, and there is nothing else to do meanwhile.
      onPending: () => void (config.demoData && importDemo().catch(() => undefined)),
    }),
  );
  if (applied.length > 0) log.info({ applied }, "migrations applied");
  const database = await createDatabase({
    ...config.database,
    url: access.serviceUrl,
    statementTimeoutMs: config.requestTimeoutMs,
    slowStatements: slowStatements(config, log),
    onReplica: (message, isRead) => (isRead ? log.info(message) : log.warn(message)),
    onConnectionError: ({ message }) => {
      if (!shutdown.hasBegun) log.warn(`a database connection was lost: ${message}`);
    },
  });
  shutdown.add(() => database.close(), CLOSE_DATABASE_MS);
  if (!database.isPreparing && config.database.prepared === null)
    log.info("statements are not prepared: the pooler before the database would not keep them for a session");
  if (database.isPreparing && !database.keepsStatements)
    log.warn(
      "DATABASE_PREPARED is on, and the pooler before the database does not care for prepared statements: requests fail unless it " +
        "gives out whole sessions (session mode)",
    );
  await whenAnswered(() => assertForm(database.pool));
  const missing = await whenAnswered(() => missingLimits(database.pool));
  if (missing.length > 0 && config.isProduction) throw new SessionError(adviceOn(missing));
  if (missing.length > 0) log.warn(adviceOn(missing));
  return { database, access };
}

/** How slow statements get into the log; `null` for none. */
function slowStatements({ slowStatementMs: fromMs }: Config, log: Logger): SlowStatementOptions | null {
  if (fromMs === 0) return null;
  return { fromMs, report: (statement) => log.warn(statement, "a statement was slow") };
}

/** Loads OpenTelemetry, which nobody needs who collects no traces. What is left of them is sent last. */
async function startTracer(log: Logger, shutdown: Shutdown): Promise<Tracer> {
  const { startOpenTelemetry } = await import("./engine/observability/open-telemetry.js");
  const tracer = startOpenTelemetry((error) => log.warn({ err: error }, "traces could not be sent"));
  shutdown.add(() => tracer.close(), SEND_TRACES_MS);
  return tracer;
}

/** What jobs need of the service. */
interface JobParts extends Pick<FastifyInstance, "forLoops"> {
  readonly database: Database;
  readonly schema: FinishedSchema;
  readonly tracer: Tracer;
}

/** Starts the worker. Jobs start after the service listens: neither `/readyz` nor any caller depends on them. */
async function doJobs(
  config: Config,
  { database: { directUrl }, schema, tracer, forLoops }: JobParts,
  log: Logger,
  shutdown: Shutdown,
): Promise<JobWorker> {
  const { storageUrl, fetchAllow, quotas, auditDays, journalDays } = config;
  const [{ startWorker }, { tasks, recurringJobs, loops }, { openStorage }] = await Promise.all([
    import("./engine/worker/worker.js"),
    import("./jobs.js"),
    import("./engine/storage/open-storage.js"),
  ]);
  return startWorker({
    database: {
      url: directUrl,
      prepared: config.database.prepared,
      slowStatements: slowStatements(config, log),
      onConnectionError: ({ message }) => {
        if (!shutdown.hasBegun) log.warn(`a connection of the jobs was lost: ${message}`);
      },
    },
    tasks,
    recurring: recurringJobs,
    loops: { all: loops, parts: forLoops },
    storage: await openStorage(storageUrl),
    quotas,
    fetchAllow,
    callers: storedCallers,
    check: inputCheck(schema),
    tracer,
    log,
    auditDays,
    journalDays,
  });
}

/** Waits for the running jobs, even when the worker is just starting. */
async function stopWorker(worker: Promise<JobWorker> | null): Promise<void> {
  await (await worker?.catch(() => null))?.stop();
}

async function startOwnPostgres(config: Config, log: Logger, shutdown: Shutdown): Promise<DatabaseAccess> {
  const givenUp = new AbortController();
  const starting = startEmbeddedPostgres({
    directory: embeddedDirectory(config),
    signal: givenUp.signal,
    onDeath: (reason) => {
      if (shutdown.hasBegun) return;
      log.fatal(reason);
      void shutdown.closeAll().finally(() => process.exit(1));
    },
  });
  shutdown.add(async () => {
    givenUp.abort();
    await (await starting.catch(() => null))?.stop();
  });
  return accessEmbedded(await starting);
}

/** Imports the modules of the demo data, which only a first start needs. */
async function importDemo() {
  const [{ loadDemoData }, { loadDemoPictures }, { openStorage }] = await Promise.all([
    import("./demo/load.js"),
    import("./demo/load-pictures.js"),
    import("./engine/storage/open-storage.js"),
  ]);
  return { loadDemoData, loadDemoPictures, openStorage };
}

/** Loads the demo data into a database without a company, as the owner: they are about the past, which nobody else may write. */
async function loadDemoDataOnce(
  { storageUrl }: Config,
  { database, access }: OpenDatabase,
  log: Logger,
): Promise<void> {
  if ((await database.writer.company.findFirst({ select: { id: true } })) !== null) return;
  const { loadDemoData, loadDemoPictures, openStorage } = await importDemo();
  const owner = await createDatabase({ url: access.ownerUrl, poolSize: 1 });
  await loadDemoData(owner).finally(() => owner.close());
  const storage = await openStorage(storageUrl);
  await loadDemoPictures(database, storage)
    .catch((error: unknown) => log.warn({ err: error }, "the demo goods have no pictures"))
    .finally(() => storage.close());
  log.info("demo company loaded");
}

/**
 * Lets balancers notice the end by `/readyz`, then takes no more requests and finishes those in flight. Those that would
 * take longer than the process may are cut off: their statements end, and they are answered 503.
 */
async function drain(app: FastifyInstance, database: Database, { drainDelayMs }: Config): Promise<void> {
  app.drain();
  if (drainDelayMs > 0) await sleep(drainDelayMs);
  const timer = setTimeout(() => void cutOff(app, database), DRAIN_MS);
  await app.close().finally(() => clearTimeout(timer));
}

async function cutOff(app: FastifyInstance, database: Database): Promise<void> {
  app.cutOffTables();
  await sleep(TABLES_NOTED_MS);
  await database.endStatements().catch(() => undefined);
  app.cutOff();
  await sleep(LAST_ANSWERS_MS);
  app.server.closeAllConnections();
}

/** Returns how to sign in to the demo, `null` when there is no demo. */
async function demoSignIn(config: Config, { writer }: Database, keys: TokenKeys): Promise<DemoSignIn | null> {
  const owner = await demoOwner(config, writer, keys);
  if (owner === null) return null;
  const { DEMO_PASSWORD } = await import("./demo/load.js");
  return { ...owner, password: DEMO_PASSWORD };
}

function announce(config: Config, log: Logger, port: number, signIn: DemoSignIn | null): void {
  const base = baseUrl(config.host, port);
  log.info({ graphql: `${base}/graphql`, rest: `${base}/api` }, `listening on ${base}`);
  const lines = startBanner(base, config, signIn);
  if (process.stdout.isTTY) process.stdout.write(`\n${lines.join("\n")}\n\n`);
  else if (!config.isProduction) for (const line of lines) log.info(line);
}
