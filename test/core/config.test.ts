import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Quotas } from "../../src/core/quotas/quota.js";
import { hostUrls } from "../../src/engine/connections/hosts.js";
import { loadConfig } from "../../src/process/config/config.js";
import { ConfigError } from "../../src/process/config/variable-reader.js";

const SECRET = "s".repeat(32);
const PRODUCTION = { NODE_ENV: "production", DATABASE_URL: "postgres://db/shop" };
const KEYS = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
const SECRETS_KEY = `${KEYS[0].toString("base64")}, ${KEYS[1].toString("hex")}`;
const SECRETS_KEY_PROBLEM =
  "SECRETS_KEY must be 32 bytes in base64 or hexadecimal digits, several keys separated by commas";
const METRICS_TOKEN_PROBLEM =
  "METRICS_TOKEN must have at least 16 letters, digits or characters of - . _ ~ + / =";
const NO_PREFIX =
  "without a query, a fragment or credentials: links begin with it, such as https://shop.example";
const FETCH_ALLOW_PROBLEM =
  "FETCH_ALLOW must be host:port, or several with commas between, such as media.internal:8080";
const TRACED = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
const DATABASE_URL_PARTS =
  "DATABASE_URL must name a host and a database, such as postgresql://user@host/database";
const dataDirProblem = (path: string): string =>
  `DATA_DIR must be a directory that can be written to, is "${path}"`;

describe("loadConfig", () => {
  it("takes several secrets of 32 bytes, and the whole text as it may have been one", () => {
    const [first, second] = ["a".repeat(32), "b".repeat(32)];

    const several = loadConfig({ JWT_SECRET: `${first}, ${second}` });

    expect([several.jwtSecret, ...several.jwtOlderSecrets]).toEqual([first, second, `${first}, ${second}`]);
  });

  it.each([
    [`${SECRET},short`, [[5, 2, 2]]],
    [`short, ${SECRET}`, [[5, 1, 2]]],
    [`${SECRET},`, [[0, 2, 2]]],
    [`,${SECRET}`, [[0, 1, 2]]],
    [
      `${"c".repeat(31)},,${SECRET}`,
      [
        [31, 1, 3],
        [0, 2, 3],
      ],
    ],
    [
      ",",
      [
        [0, 1, 2],
        [0, 2, 2],
      ],
    ],
  ])("refuses %j among secrets, and says which part is too short", (JWT_SECRET, short) => {
    expect(problemsOf({ JWT_SECRET })).toEqual(
      short.map(
        ([bytes, part, count]) =>
          `JWT_SECRET must have at least 32 bytes, has ${bytes} in part ${part} of ${count}: a secret holds no comma`,
      ),
    );
  });

  it("has a default for everything outside production", () => {
    expect(loadConfig({})).toEqual({
      environment: "development",
      isProduction: false,
      port: 4000,
      probePort: 0,
      host: "127.0.0.1",
      database: {
        url: null,
        directUrl: null,
        replicaUrls: [],
        replicaLeaseMs: 100,
        freezesRows: true,
        poolSize: 16,
        prepared: null,
      },
      dataDir: resolve(".data"),
      demoData: true,
      jobs: true,
      jwtSecret: null,
      jwtOlderSecrets: [],
      jwtKeys: [],
      secretsKeys: null,
      jwksUrl: null,
      jwtIssuer: null,
      jwtAudience: null,
      storageUrl: `file://${resolve(".data/files")}`,
      publicUrl: null,
      fetchAllow: [],
      rateLimit: 6000,
      auditDays: 400,
      journalDays: 30,
      costLimit: 100_000,
      requestTimeoutMs: 10_000,
      slowStatementMs: 1_000,
      drainDelayMs: 0,
      trustProxy: false,
      safelist: null,
      logLevel: "info",
      metrics: "full",
      metricsToken: null,
      revision: "",
      federation: false,
      tracing: false,
      explorer: true,
      corsOrigin: "*",
      misspelled: [],
      quotas: expect.any(Quotas),
    });
  });

  it("takes every variable", () => {
    const config = loadConfig({
      NODE_ENV: "test",
      PORT: "0",
      PROBE_PORT: "4001",
      HOST: "0.0.0.0",
      DATABASE_URL: "postgresql://u:p@db/shop",
      DATABASE_DIRECT_URL: "postgresql://u:p@primary/shop",
      DATABASE_REPLICA_URLS: "postgres://r1/shop, postgres://r2/shop",
      REPLICA_LEASE_MS: "500",
      DATABASE_POOL_SIZE: "5",
      DATABASE_PREPARED: "off",
      DATA_DIR: "/var/lib/shop",
      DEMO_DATA: "on",
      JOBS: "off",
      JWT_SECRET: SECRET,
      SECRETS_KEY,
      JWKS_URL: "https://id.example/jwks",
      JWT_ISSUER: "https://id.example",
      JWT_AUDIENCE: "shop",
      STORAGE_URL: "s3://bucket?endpoint=http://minio:9000",
      PUBLIC_URL: "https://cdn.example/shop/",
      FETCH_ALLOW: "pictures.internal:8080, localhost:9000",
      RATE_LIMIT: "0",
      AUDIT_DAYS: "30",
      COST_LIMIT: "500",
      REQUEST_TIMEOUT_MS: "2000",
      DRAIN_DELAY_MS: "3000",
      TRUST_PROXY: "10.0.0.0/8, ::1",
      SAFELIST: "package.json",
      LOG_LEVEL: "warn",
      METRICS: "off",
      METRICS_TOKEN: "a-token-of-operators",
      FEDERATION: "on",
      EXPLORER: "off",
      CORS_ORIGIN: "https://a.example,http://localhost:3000",
    });

    expect(config).toEqual({
      environment: "test",
      isProduction: false,
      port: 0,
      probePort: 4001,
      host: "0.0.0.0",
      database: {
        url: "postgresql://u:p@db/shop",
        directUrl: "postgresql://u:p@primary/shop",
        replicaUrls: ["postgres://r1/shop", "postgres://r2/shop"],
        replicaLeaseMs: 500,
        freezesRows: true,
        poolSize: 5,
        prepared: false,
      },
      dataDir: "/var/lib/shop",
      demoData: true,
      jobs: false,
      jwtSecret: SECRET,
      jwtOlderSecrets: [],
      jwtKeys: [],
      secretsKeys: [...KEYS],
      jwksUrl: "https://id.example/jwks",
      jwtIssuer: "https://id.example",
      jwtAudience: "shop",
      storageUrl: "s3://bucket?endpoint=http://minio:9000",
      publicUrl: "https://cdn.example/shop",
      fetchAllow: ["pictures.internal:8080", "localhost:9000"],
      rateLimit: 0,
      auditDays: 30,
      journalDays: 30,
      costLimit: 500,
      requestTimeoutMs: 2000,
      slowStatementMs: 1_000,
      drainDelayMs: 3000,
      trustProxy: ["10.0.0.0/8", "::1"],
      safelist: resolve("package.json"),
      logLevel: "warn",
      metrics: "off",
      metricsToken: "a-token-of-operators",
      revision: "",
      federation: true,
      tracing: false,
      explorer: false,
      corsOrigin: ["https://a.example", "http://localhost:3000"],
      misspelled: [],
      quotas: expect.any(Quotas),
    });
  });

  it("counts an empty variable as missing", () => {
    expect(loadConfig({ PORT: "", DATABASE_URL: " " })).toEqual(loadConfig({}));
  });

  it("loads no demo data into a database it was given, nor in production, where explorers are off too", () => {
    expect(loadConfig({ DATABASE_URL: "postgres://db/shop" }).demoData).toBe(false);
    const production = loadConfig({
      ...PRODUCTION,
      JWT_SECRET: SECRET,
      SECRETS_KEY,
      DEMO_DATA: "on",
    });
    expect(production).toMatchObject({ demoData: false, explorer: false });
    const explored = { ...PRODUCTION, JWT_SECRET: SECRET, SECRETS_KEY, EXPLORER: "on" };
    expect(loadConfig(explored).explorer).toBe(true);
  });

  it("needs no secret in production when an identity provider is named", () => {
    const config = loadConfig({
      ...PRODUCTION,
      SECRETS_KEY,
      JWKS_URL: "https://id.example/jwks",
      JWT_ISSUER: "x",
      JWT_AUDIENCE: "y",
    });
    expect(config.jwtSecret).toBeNull();
  });

  it("needs no SECRETS_KEY in production beside JWT_SECRET, and one without", () => {
    expect(loadConfig({ ...PRODUCTION, JWT_SECRET: SECRET }).secretsKeys).toBeNull();
    const provider = { JWKS_URL: "https://id.example/jwks", JWT_ISSUER: "x", JWT_AUDIENCE: "y" };
    expect(problemsOf({ ...PRODUCTION, ...provider })).toEqual([
      "SECRETS_KEY is required in production without JWT_SECRET, 32 bytes in base64 or hexadecimal digits",
    ]);
  });

  it("needs DATABASE_URL in production, since none is embedded there, and says so once", () => {
    const replicas = { DATABASE_REPLICA_URLS: "postgres://r/s" };

    expect(problemsOf({ NODE_ENV: "production", JWT_SECRET: SECRET, ...replicas })).toEqual([
      "DATABASE_URL is required when NODE_ENV=production: none is embedded then",
    ]);
  });

  it.each([
    ["JWT_SECRETS", "JWT_SECRET"],
    ["JWT_SECRET_FILE", "JWT_SECRET"],
    ["jwt_secret", "JWT_SECRET"],
    ["DATABASE_REPLICA_URL", "DATABASE_REPLICA_URLS"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["DATABSAE_URL", "DATABASE_URL"],
    ["RATE_LIMITS", "RATE_LIMIT"],
    ["LOGLEVEL", "LOG_LEVEL"],
  ])("names %s, which has nearly the name of %s, and never its value", (name, known) => {
    const line = `${name} is no variable of this service: is ${known} meant?`;

    expect(loadConfig({ [name]: "hunter2" }).misspelled).toEqual([line]);
    expect(problemsOf({ [name]: "hunter2", PORT: "high" })).toEqual([expect.stringMatching(/^PORT /u), line]);
  });

  it("takes no other variable for one of its own", () => {
    const others = [
      "HOME",
      "HOSTNAME",
      "PATH",
      "PWD",
      "LANG",
      "NODE_OPTIONS",
      "DATABASE_HOST",
      "PGHOST",
      "TZ",
    ];

    expect(loadConfig(Object.fromEntries(others.map((name) => [name, "x"]))).misspelled).toEqual([]);
  });

  it("names every wrong and missing variable at once, and repeats no secret", () => {
    const problems = problemsOf({
      NODE_ENV: "production",
      PORT: "65536",
      DATABASE_URL: "mysql://root:hunter2@db/shop",
      DATABASE_POOL_SIZE: "0",
      DEMO_DATA: "yes",
      JWKS_URL: "",
      JWT_ISSUER: "https://id.example",
      JWT_AUDIENCE: "shop",
      METRICS_TOKEN: "hunter2",
      STORAGE_URL: "ftp://x:hunter2@y",
      RATE_LIMIT: "1.5",
      LOG_LEVEL: "loud",
      CORS_ORIGIN: "https://a.example/path",
    });

    expect(problems.map((line) => line.split(" ")[0]).sort()).toEqual([
      "CORS_ORIGIN",
      "DATABASE_POOL_SIZE",
      "DATABASE_URL",
      "DEMO_DATA",
      "JWKS_URL",
      "JWT_SECRET",
      "LOG_LEVEL",
      "METRICS_TOKEN",
      "PORT",
      "RATE_LIMIT",
      "STORAGE_URL",
    ]);
    expect(problems.join("\n")).not.toContain("hunter2");
  });

  it.each([
    [{ JWT_SECRET: "short" }, "JWT_SECRET must have at least 32 bytes, has 5"],
    [{ NODE_ENV: "prod" }, 'NODE_ENV must be one of development, test, production, is "prod"'],
    [{ DATABASE_REPLICA_URLS: "postgres://r/s" }, "DATABASE_URL must be set when DATABASE_REPLICA_URLS is"],
    [{ DATABASE_DIRECT_URL: "postgres://r/s" }, "DATABASE_URL must be set when DATABASE_DIRECT_URL is"],
    [
      {
        DATABASE_URL: "postgres://p/s",
        DATABASE_REPLICA_URLS: "postgres://u:hunter2@r/s,postgres://r:5432/s",
      },
      "DATABASE_REPLICA_URLS must name each replica once, and r:5432/s twice",
    ],
    [
      { DATABASE_URL: "postgres://p/s", DATABASE_REPLICA_URLS: "," },
      "DATABASE_REPLICA_URLS must be URLs that begin with postgresql:// or postgres://, separated by commas",
    ],
    [{ PORT: "80", PROBE_PORT: "80" }, "PROBE_PORT must be another port than PORT"],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "nonsense" },
      "OTEL_EXPORTER_OTLP_ENDPOINT must be a URL that begins with https:// or http://",
    ],
    [
      { ...TRACED, OTEL_EXPORTER_OTLP_PROTOCOL: "foo" },
      'OTEL_EXPORTER_OTLP_PROTOCOL must be one of grpc, http/protobuf, http/json, is "foo"',
    ],
    [
      { OTEL_TRACES_EXPORTER: "otlp,foo" },
      "OTEL_TRACES_EXPORTER must be one of otlp, console, zipkin, none, or several with commas between",
    ],
    [
      { ...TRACED, OTEL_TRACES_SAMPLER: "foo" },
      "OTEL_TRACES_SAMPLER must be one of always_on, always_off, parentbased_always_on, parentbased_always_off, traceidratio, " +
        'parentbased_traceidratio, is "foo"',
    ],
    [
      { ...TRACED, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" },
      'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, is "2"',
    ],
    [{ HOST: "999.1.1.1" }, 'HOST must be an IP address or the name of a host, is "999.1.1.1"'],
    [{ HOST: "http://x" }, 'HOST must be an IP address or the name of a host, is "http://x"'],
    [{ HOST: "a..b" }, 'HOST must be an IP address or the name of a host, is "a..b"'],
    [{ DATABASE_URL: "postgres://" }, DATABASE_URL_PARTS],
    [{ DATABASE_URL: "postgres://u:hunter2@db" }, DATABASE_URL_PARTS],
    [{ DATABASE_URL: "postgres:///shop" }, DATABASE_URL_PARTS],
    [{ DATABASE_URL: "postgres://u:hunter2@one,/shop" }, DATABASE_URL_PARTS],
    [
      { DATABASE_URL: "postgres://one,two/shop?target_session_attrs=standby" },
      "DATABASE_URL is the server that is written to: target_session_attrs must be read-write or primary",
    ],
    [
      { STORAGE_URL: "s3://" },
      "STORAGE_URL must name a bucket, such as s3://bucket?endpoint=https://host&region=us-east-1",
    ],
    [
      { STORAGE_URL: "s3://bucket/folder" },
      "STORAGE_URL must name a bucket alone, such as s3://bucket?endpoint=https://host&region=us-east-1",
    ],
    [{ STORAGE_URL: "s3://key@bucket" }, "STORAGE_URL must have both parts of the credentials, or none"],
    [
      { STORAGE_URL: "s3://bucket?zone=1" },
      "STORAGE_URL knows the parameters endpoint, region, public alone",
    ],
    [
      { STORAGE_URL: "s3://key:hunter2@bucket?endpoint=minio:9000" },
      "STORAGE_URL must have a URL that begins with http:// or https:// as endpoint",
    ],
    [
      { STORAGE_URL: "s3://bucket?public=https://cdn.example/%3Fv=1" },
      `STORAGE_URL must have a URL as public ${NO_PREFIX}`,
    ],
    [{ FETCH_ALLOW: "x:0" }, FETCH_ALLOW_PROBLEM],
    [{ FETCH_ALLOW: "x:65535,x:65536" }, FETCH_ALLOW_PROBLEM],
    [{ PUBLIC_URL: "https://shop.example/?shop=1" }, `PUBLIC_URL must be ${NO_PREFIX}`],
    [{ PUBLIC_URL: "https://shop.example/?" }, `PUBLIC_URL must be ${NO_PREFIX}`],
    [{ PUBLIC_URL: "https://shop.example/#/home" }, `PUBLIC_URL must be ${NO_PREFIX}`],
    [{ PUBLIC_URL: "https://me:hunter2@shop.example" }, `PUBLIC_URL must be ${NO_PREFIX}`],
    [
      { STORAGE_URL: "file:///dev/null/files" },
      "STORAGE_URL must name a directory that can be written to, such as file:///var/lib/shop/files",
    ],
    [{ DATA_DIR: "/dev/null" }, dataDirProblem("/dev/null")],
    [{ DATA_DIR: "/dev/null/data" }, dataDirProblem("/dev/null/data")],
    [{ DATA_DIR: "/proc/nope/data" }, dataDirProblem("/proc/nope/data")],
    [{ JWKS_URL: "https://id.example", JWT_AUDIENCE: "x" }, "JWT_ISSUER must be set when JWKS_URL is"],
    [{ JWKS_URL: "https://id.example", JWT_ISSUER: "x" }, "JWT_AUDIENCE must be set when JWKS_URL is"],
    [{ JWT_ISSUER: "x", JWT_AUDIENCE: "x" }, "JWKS_URL must be set when JWT_ISSUER is"],
    [{ METRICS_TOKEN: "a token with spaces" }, METRICS_TOKEN_PROBLEM],
    [{ METRICS_TOKEN: "too-short" }, METRICS_TOKEN_PROBLEM],
    [{ SECRETS_KEY: "hunter2" }, SECRETS_KEY_PROBLEM],
    [{ SECRETS_KEY: `${SECRETS_KEY},` }, SECRETS_KEY_PROBLEM],
    [{ SECRETS_KEY: "ab".repeat(31) }, SECRETS_KEY_PROBLEM],
  ])("refuses %j", (env, problem) => {
    expect(problemsOf(env)).toEqual([problem]);
  });

  it.each(["::", "::1", "localhost", "gateway-1.shop.example", "0.0.0.0"])("listens on %s", (HOST) => {
    expect(loadConfig({ HOST }).host).toBe(HOST);
  });

  it("takes several hosts of one database", () => {
    const url = "postgresql://u:p@one:5433,two/shop?target_session_attrs=read-write&sslmode=disable";

    expect(loadConfig({ DATABASE_URL: url }).database.url).toBe(url);
    expect(hostUrls(url)).toEqual([
      "postgresql://u:p@one:5433/shop?target_session_attrs=read-write&sslmode=disable",
      "postgresql://u:p@two/shop?target_session_attrs=read-write&sslmode=disable",
    ]);
    expect(hostUrls("postgresql://u:a,b@one/shop")).toEqual(["postgresql://u:a,b@one/shop"]);
  });

  it.each([
    [{}, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }, true],
    [{ OTEL_TRACES_EXPORTER: "console" }, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, true],
    [{ ...TRACED, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.1" }, true],
    [{ OTEL_TRACES_EXPORTER: "none", OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }, false],
    [{ OTEL_SDK_DISABLED: "true", OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }, false],
  ])("sends traces as the variables of OpenTelemetry say: %j", (env, tracing) => {
    expect(loadConfig(env).tracing).toBe(tracing);
  });

  it("leaves DATA_DIR alone: it is made when it is needed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "config-"));

    loadConfig({ DATA_DIR: join(folder, "a/b") });
    loadConfig({
      DATA_DIR: "/dev/null",
      DATABASE_URL: "postgres:///shop?host=/run",
      STORAGE_URL: "s3://bucket",
      JWT_SECRET: SECRET,
      SECRETS_KEY,
    });

    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});

function problemsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
