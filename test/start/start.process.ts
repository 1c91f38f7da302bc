import { execFile, spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { createTestDatabase } from "../support/database.js";
import { createCompany } from "../support/factories.js";
import { startGateway } from "../support/gateway.js";
import { runCommand } from "../support/run-command.js";
import { cleanUp, makeDataDirectory, startService, stopServices } from "../support/service-process.js";

const DOCKERFILE = new URL("../../Dockerfile", import.meta.url);
const TOKEN = new URL("../../dist/cli/token.js", import.meta.url).pathname;

describe("starting the service", () => {
  afterEach(cleanUp);

  it("brings up its own database, answers when ready and exits with 0 on SIGTERM", async () => {
    const service = startService({ DATA_DIR: await makeDataDirectory() });

    const response = await fetch(`${await service.ready}/readyz`);
    service.kill("SIGTERM");

    expect(response.status).toBe(200);
    expect(await service.exited).toBe(0);
  });

  it("uses a database it is given and embeds none", async () => {
    const database = await createTestDatabase();
    const service = startService({ DATA_DIR: await makeDataDirectory(), DATABASE_URL: database.url });

    const response = await fetch(`${await service.ready}/readyz`);
    service.kill("SIGTERM");

    expect(response.status).toBe(200);
    expect(await service.exited).toBe(0);
    await database.drop();
  });

  it("starts in production by JWT_SECRET alone, warns of it once, and takes a token of the shell", async () => {
    const database = await createTestDatabase();
    const env = {
      NODE_ENV: "production",
      DATA_DIR: await makeDataDirectory(),
      DATABASE_URL: database.url,
      JWT_SECRET: "of production and long enough for that",
      LOG_LEVEL: "info",
    };
    const service = startService(env);
    const url = await service.ready;
    const { stdout: token } = await promisify(execFile)(process.execPath, [TOKEN, "--platform"], {
      env: { ...process.env, ...env },
    });

    const companies = await fetch(`${url}/api/companies`, {
      headers: { authorization: `Bearer ${token.trim()}` },
    });
    service.kill("SIGTERM");

    expect([companies.status, await service.exited]).toEqual([200, 0]);
    expect(service.output().match(/no SECRETS_KEY is set/gu)).toHaveLength(1);
    await database.drop();
  });

  it("names every wrong variable in one message and starts nothing", async () => {
    const service = startService({
      PORT: "high",
      RATE_LIMIT: "-1",
      JWT_SECRET: "short",
      DATA_DIR: "/proc/nope",
      HOST: "999.1.1.1",
      STORAGE_URL: "s3://",
    });

    expect(await service.exited).toBe(1);
    expect(service.output()).toMatch(/^The configuration is wrong, nothing was started:\n/);
    for (const name of ["PORT", "RATE_LIMIT", "JWT_SECRET", "DATA_DIR", "HOST", "STORAGE_URL"])
      expect(service.output()).toContain(`  ${name} `);
  });

  it("refuses production without a database, together with what else is wrong", async () => {
    const directory = await makeDataDirectory();
    const service = startService({ NODE_ENV: "production", DATA_DIR: directory, JWT_SECRETS: "hunter2" });

    expect(await service.exited).toBe(1);
    expect(service.output().split("\n")).toEqual([
      "The configuration is wrong, nothing was started:",
      expect.stringMatching(/^ {2}JWT_SECRET is required when NODE_ENV=production/u),
      "  DATABASE_URL is required when NODE_ENV=production: none is embedded then",
      "  JWT_SECRETS is no variable of this service: is JWT_SECRET meant?",
      "",
    ]);
    expect(await readdir(directory)).toEqual([]);
  });

  it("names variables that look like its own at the start, and serves", async () => {
    const database = await createTestDatabase();
    const service = startService({
      DATA_DIR: await makeDataDirectory(),
      DATABASE_URL: database.url,
      DATABASE_REPLICA_URL: "postgres://user:hunter2@replica/shop",
      RATE_LIMITS: "10",
      EDITOR: "vi",
    });

    expect((await fetch(`${await service.ready}/readyz`)).status).toBe(200);
    expect(service.output().match(/\w+ is no variable of this service: is \w+ meant\?/gu)).toEqual([
      "DATABASE_REPLICA_URL is no variable of this service: is DATABASE_REPLICA_URLS meant?",
      "RATE_LIMITS is no variable of this service: is RATE_LIMIT meant?",
    ]);
    expect(service.output()).not.toContain("hunter2");
    await stopServices();
    await database.drop();
  });

  it("is healthy for the image's check while it finishes its work before it stops", async () => {
    const database = await createTestDatabase();
    const service = startService({
      DATA_DIR: await makeDataDirectory(),
      DATABASE_URL: database.url,
      DRAIN_DELAY_MS: "60000",
    });
    const url = await service.ready;
    const { port } = new URL(url);
    service.kill("SIGTERM");
    while ((await fetch(`${url}/readyz`)).status !== 503) await sleep(20);

    const check = await healthCheck(port);
    service.kill("SIGKILL");
    await service.exited;

    expect([check, await healthCheck(port)]).toEqual([0, 1]);
    await database.drop();
  });

  it.each(["192.0.2.1", "nowhere.invalid"])(
    "says in one line that %s is no address here, before it starts anything",
    async (HOST) => {
      const directory = await makeDataDirectory();

      const service = startService({ DATA_DIR: directory, HOST });

      expect(await service.exited).toBe(1);
      expect(service.output()).toBe(
        `${HOST} is no address of this machine: set HOST, such as 127.0.0.1 or 0.0.0.0.\n`,
      );
      expect(await readdir(directory)).toEqual([]);
    },
  );

  it("shows how to sign in to the demo where there is one", async () => {
    const database = await createTestDatabase();
    const service = startService({
      DATA_DIR: await makeDataDirectory(),
      DATABASE_URL: database.url,
      DEMO_DATA: "on",
    });

    const base = await service.ready;
    await waitFor(() => service.output().includes("Authorization: Bearer "));
    const token = /Authorization: (Bearer [\w.-]+)/u.exec(service.output())?.[1] as string;
    const answer = await fetch(`${base}/api/companies/1/goods`, { headers: { authorization: token } });

    expect(answer.status).toBe(200);
    expect(service.output()).toMatch(/Apollo Sandbox[\s\S]*graphiql[\s\S]*Sign in .*demo-password/u);
    await stopServices();
    await database.drop();
  });

  it("shows neither a password nor a token of companies that are not the demo's, nor pages that are off", async () => {
    const gateway = await startGateway({ own: "database" });
    await createCompany(gateway);
    const service = startService({
      DATA_DIR: await makeDataDirectory(),
      DATABASE_URL: gateway.url,
      DEMO_DATA: "on",
      EXPLORER: "off",
    });

    await service.ready;
    await waitFor(() => service.output().includes("npm run -s token"));

    expect(service.output()).not.toMatch(/demo-password|Bearer|Sandbox|graphiql|docs/u);
    await stopServices();
    await gateway.close();
  });

  it("says in one line that the port of its probes is taken, or that its safelist is none, before it starts anything", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    const { port } = holder.address() as AddressInfo;
    const directory = await makeDataDirectory();

    const probes = startService({ DATA_DIR: directory, PROBE_PORT: String(port) });
    const safelist = startService({ DATA_DIR: directory, SAFELIST: "README.md" });

    expect([await probes.exited, await safelist.exited]).toEqual([1, 1]);
    expect(probes.output()).toBe(
      `Port ${port} on 127.0.0.1 is in use: stop what listens there, or set PROBE_PORT.\n`,
    );
    expect(safelist.output()).toMatch(/^SAFELIST \/\S+ cannot be read: [^\n]*\n$/u);
    await new Promise((resolve) => holder.close(resolve));
    expect(await readdir(directory)).toEqual([]);
  });

  it.each([
    ["jwt-secret", "at least 32 bytes", ""],
    ["jwt-secret", "at least 32 bytes", "abc\n"],
    ["secrets-key", "32 bytes", ""],
  ])("takes no %s of DATA_DIR that is not one of %s: %j", async (name, form, text) => {
    const DATA_DIR = await makeDataDirectory();
    await writeFile(join(DATA_DIR, name), text);
    const JWT_SECRET = name === "jwt-secret" ? "" : "of a test and long enough for that";

    const service = startService({ DATA_DIR, JWT_SECRET });

    expect(await service.exited).toBe(1);
    expect(service.output()).toBe(
      `The configuration is wrong, nothing was started:\n  DATA_DIR holds a key that is not one of ${form}: ${join(DATA_DIR, name)}\n`,
    );
    expect(await readdir(DATA_DIR)).toEqual([name]);
    expect(await readFile(join(DATA_DIR, name), "utf8")).toBe(text);
    if (name === "jwt-secret")
      expect(
        await runCommand("token", ["--platform"], { PATH: process.env["PATH"], DATA_DIR }),
      ).toMatchObject({ code: 1, stdout: "", stderr: service.output() });
  });

  it("says in one line that its port is taken", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    const { port } = holder.address() as AddressInfo;
    const directory = await makeDataDirectory();

    const service = startService({ DATA_DIR: directory, PORT: String(port), LOG_LEVEL: "silent" });

    expect(await service.exited).toBe(1);
    expect(service.output()).toBe(
      `Port ${port} on 127.0.0.1 is in use: stop what listens there, or set PORT.\n`,
    );
    await new Promise((resolve) => holder.close(resolve));
    expect(await readdir(directory)).toEqual([]);
  });
});

async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}

/** Runs the check of the Dockerfile, and returns its exit code. */
async function healthCheck(port: string): Promise<number | null> {
  const text = await readFile(DOCKERFILE, "utf8");
  const [, command = ""] = /^HEALTHCHECK [^[]*(\[.*\])$/mu.exec(text) ?? [];
  const [, ...args] = JSON.parse(command) as string[];
  const check = spawn(process.execPath, args, { env: { PORT: port } });
  return new Promise((resolve) => check.once("close", resolve));
}
