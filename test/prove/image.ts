/**
 * Assembles the files that the Dockerfile copies into the image, without Docker. It loads every package that the
 * code names, compares them with the bill of materials, and starts the service on an empty database with every feature on. It prints the size of the packages
 * and the time of the start, and exits with 1 unless every address answers.
 */
import { execFile, spawnSync } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startEmbeddedPostgres } from "../../src/engine/embedded-postgres/embedded-postgres.js";
import { productionOptions, startServer, type Server } from "../bench/processes.js";
import { SECRET } from "../bench/secret.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PORT = 4290;
const directory = await mkdtemp(join(tmpdir(), "commerce-image-"));
const image = join(directory, "app");
const packages = join(directory, "packages");
const postgres = await startEmbeddedPostgres({ directory: join(directory, "postgres"), durable: false });
try {
  await assemble();
  const { stdout } = await promisify(execFile)("du", ["-sm", "--apparent-size", packages]);
  console.log(`packages: ${Number.parseInt(stdout)} MB`);
  await loadPackages();
  await countBill();

  const began = performance.now();
  const server = await startImage();
  try {
    console.log(`ready after ${Math.round(performance.now() - began)} ms, ${server.rssMb} MB resident`);
    await knock(server);
  } finally {
    const code = await server.stop();
    if (code !== 0) console.log(`it ended with ${code ?? "a signal"}`);
    process.exitCode = code === 0 ? 0 : 1;
  }
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** Assembles the files of the image. */
async function assemble(): Promise<void> {
  const text = await readFile(join(ROOT, "Dockerfile"), "utf8");
  const tool = spawnSync(process.execPath, [join(ROOT, "src/tools/production-packages.mjs"), packages]);
  if (tool.status !== 0) throw new Error(tool.stderr.toString());
  const lastStage = text.slice(text.lastIndexOf("\nFROM "));
  for (const [, from = "", to = ""] of lastStage.matchAll(/^COPY (?:--from=\w+ )?(\S+) (\S+)$/gmu)) {
    const source = from.startsWith("/packages/")
      ? join(directory, from)
      : join(ROOT, from.replace(/^\/app\//u, ""));
    await cp(source, to === "./" ? join(image, from) : join(image, to), { recursive: true });
  }
}

/** Loads all packages, also those that a start does not load. */
async function loadPackages(): Promise<void> {
  const named = new Set<string>();
  for (const entry of await readdir(join(image, "dist"), { recursive: true })) {
    if (!entry.endsWith(".js")) continue;
    const code = await readFile(join(image, "dist", entry), "utf8");
    for (const [, name = ""] of code.matchAll(
      /(?:^import |^export .*?from |\bfrom |\bimport\()"([^".][^"]*)"/gmu,
    ))
      if (!isBuiltin(name) && /^[@\w]/u.test(name)) named.add(name);
  }
  const script = `for (const name of ${JSON.stringify([...named])}) await import(name); process.exit();`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: image,
  });
  if (status !== 0) throw new Error(stderr.toString());
  console.log(`${named.size} entries of packages loaded`);
}

/** Compares the packages of the image with those that its bill of materials names. */
async function countBill(): Promise<void> {
  const names = (await readdir(join(image, "node_modules"), { recursive: true }))
    .filter((path) => /(?:^|\/node_modules\/)(?:@[^/]+\/)?[^/]+\/package\.json$/u.test(path))
    .map((path) => join(image, "node_modules", path));
  const held = await Promise.all(
    names.map(async (path) => {
      const { name, version } = JSON.parse(await readFile(path, "utf8")) as { name: string; version: string };
      return `${name}@${version}`;
    }),
  );
  const bill = JSON.parse(await readFile(join(image, "sbom.json"), "utf8")) as {
    components: { name: string; version: string }[];
  };
  const billed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
  const inImage = new Set(held);
  const wrong = [
    ...[...billed].filter((part) => !inImage.has(part)),
    ...[...inImage].filter((part) => !billed.has(part)),
  ];
  if (wrong.length > 0) throw new Error(`sbom.json and the packages differ in ${wrong.join(", ")}`);
  console.log(`sbom.json names ${billed.size} packages`);
}

function startImage(): Promise<Server> {
  return startServer([process.execPath, join(image, "dist/main.js")], {
    port: PORT,
    path: "/readyz",
    environment: {
      DATABASE_URL: postgres.url,
      DATA_DIR: join(directory, "data"),
      PORT: String(PORT),
      JWT_SECRET: SECRET,
      SECRETS_KEY: "5e".repeat(32),
      NODE_ENV: "production",
      NODE_OPTIONS: productionOptions(),
      EXPLORER: "on",
      LOG_LEVEL: "warn",
    },
  });
}

async function knock({ url }: Server): Promise<void> {
  for (const path of [
    "/metrics",
    "/graphiql",
    "/graphiql/graphiql.js",
    "/graphiql/graphiql.css",
    "/api/docs",
    "/api/docs/swagger-ui-bundle.js",
    "/api/docs/swagger-ui.css",
    "/api/docs/favicon-32x32.png",
    "/api/openapi.json",
  ]) {
    const { status } = await fetch(url + path);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
  }
  const graphql = await post(`${url}/graphql`, { query: "{ __schema { queryType { name } } }" });
  if (graphql.status !== 200) throw new Error(`/graphql answered ${graphql.status}`);
  // A compiled library hashes passwords, also when the e-mail address is unknown.
  const login = await post(`${url}/api/auth/login`, { email: "nobody@example.com", password: "a password" });
  if (login.status !== 401) throw new Error(`login answered ${login.status}`);
  console.log("every address answers");
}

function post(url: string, body: object): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}
