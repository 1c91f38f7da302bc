import { readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runCommand } from "../support/run-command.js";
import { cleanUp, makeDataDirectory, startService, stopServices } from "../support/service-process.js";

describe("the embedded database", () => {
  let directory: string;

  beforeAll(async () => {
    directory = await makeDataDirectory();
  });

  afterEach(stopServices);
  afterAll(cleanUp);

  it("is given up when SIGTERM comes while it is made, and made by the next start", async () => {
    const own = await makeDataDirectory();
    const files = () => readdir(join(own, "postgres")).catch(() => []);
    const first = startService({ DATA_DIR: own });
    while (!(await files()).some((name) => /^init-\d+$/u.test(name))) await sleep(10);

    first.kill("SIGTERM");

    expect(await first.exited).toBe(0);
    expect(await files()).toEqual(["password"]);
    expect((await fetch(`${await startService({ DATA_DIR: own }).ready}/readyz`)).status).toBe(200);
  });

  it("serves one process at a time, which a second start says in one line", async () => {
    const first = startService({ DATA_DIR: directory });
    await first.ready;

    const second = startService({ DATA_DIR: directory });

    expect(await second.exited).toBe(1);
    expect(second.output()).toBe(
      `${directory} is in use by another process (${first.pid}): stop that one first, or set another DATA_DIR.\n`,
    );
  });

  it("is there again after the process was killed", async () => {
    const first = startService({ DATA_DIR: directory });
    await first.ready;
    first.kill("SIGKILL");
    await first.exited;

    const second = startService({ DATA_DIR: directory });

    expect((await fetch(`${await second.ready}/readyz`)).status).toBe(200);
  });

  it("ends the process, not with 0, when it dies", async () => {
    const service = startService({ DATA_DIR: directory });
    await service.ready;
    const [pid] = (await readFile(join(directory, "postgres/data/postmaster.pid"), "utf8")).split("\n");

    process.kill(Number(pid), "SIGKILL");

    expect(await service.exited).toBe(1);
    expect(service.output()).toContain("the embedded PostgreSQL ended unexpectedly (SIGKILL)");
  });

  it("keeps its secrets to the user that started it", async () => {
    await startService({ DATA_DIR: directory }).ready;

    for (const name of ["postgres/password", "jwt-secret"]) {
      expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600);
    }
  });

  it("is left alone by commands with another DATA_DIR, which say that nothing is there", async () => {
    const base = await startService({ DATA_DIR: directory }).ready;
    const other = await makeDataDirectory();
    const run = (name: string, args: readonly string[], env: Record<string, string>) =>
      runCommand(name, args, { PATH: process.env["PATH"], ...env });
    const JWT_SECRET = "a secret that is long enough for all tokens";

    const { stdout: token } = await run("token", ["--platform"], { DATA_DIR: directory });
    const { status } = await fetch(`${base}/api/companies`, {
      headers: { authorization: `Bearer ${token.trim()}` },
    });
    const platform = await run("token", ["--platform"], { DATA_DIR: other });
    const others = await Promise.all([
      run("token", ["--admin", "nobody@shop.example"], { DATA_DIR: other, JWT_SECRET }),
      run("verify-ledger", [], { DATA_DIR: other }),
      run("rotate-secrets", [], { DATA_DIR: other }),
    ]);

    const wrong =
      "The configuration is wrong, nothing was started:\n  DATA_DIR must be that of the service, or";
    expect(status).toBe(200);
    expect(platform).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `${wrong} JWT_SECRET its secret: "${other}" holds no key of tokens\n`,
    });
    for (const end of others)
      expect(end).toMatchObject({
        code: 1,
        stdout: "",
        stderr: `${wrong} DATABASE_URL lead to its database: "${other}" holds none\n`,
      });
    expect(await readdir(other)).toEqual([]);
  });

  it("refuses data of another major version and says what to do", async () => {
    const first = startService({ DATA_DIR: directory });
    await first.ready;
    first.kill("SIGTERM");
    await first.exited;
    const versionFile = join(directory, "postgres/data/PG_VERSION");
    const version = await readFile(versionFile, "utf8");
    await writeFile(versionFile, "17\n");

    const second = startService({ DATA_DIR: directory });

    expect(await second.exited).toBe(1);
    await writeFile(versionFile, version);
    expect(second.output()).toMatch(/was made by PostgreSQL 17, this is PostgreSQL 18\. .*pg_dump/);
  });

  it("names the file of its password when that is gone, and makes no other", async () => {
    const file = join(directory, "postgres/password");
    const first = startService({ DATA_DIR: directory });
    await first.ready;
    first.kill("SIGTERM");
    await first.exited;
    await rename(file, `${file}.kept`);

    const service = startService({ DATA_DIR: directory });

    expect(await service.exited).toBe(1);
    expect(service.output()).toMatch(new RegExp(`^${file} holds no password, [^\\n]*\\n$`, "u"));
    await rename(`${file}.kept`, file);
    expect((await fetch(`${await startService({ DATA_DIR: directory }).ready}/readyz`)).status).toBe(200);
  });
});
