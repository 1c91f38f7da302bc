import { execFileSync } from "node:child_process";
import { closeSync, open, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { hashPassword, passwordFits } from "../../src/core/access/passwords.js";
import { createCompany } from "../support/factories.js";
import { type Gateway, startGateway } from "../support/gateway.js";
import { createAccount, login, PASSWORD } from "./accounts.js";

/** The threads of node that files, pictures and names of hosts share. */
const THREADS = Number(process.env["UV_THREADPOOL_SIZE"] ?? 4);

describe("passwords while all threads of node are busy", () => {
  let gateway: Gateway;
  let pipe: string;
  let opening: Promise<number>[] = [];

  beforeAll(async () => {
    gateway = await startGateway();
    pipe = join(await mkdtemp(join(tmpdir(), "threads-")), "pipe");
    execFileSync("mkfifo", [pipe]);
  });
  // Also when the test has run out of time: nothing else could read a file.
  afterEach(async () => {
    const writer = openSync(pipe, "r+");
    for (const descriptor of await Promise.all(opening)) closeSync(descriptor);
    closeSync(writer);
  });
  afterAll(async () => {
    await rm(dirname(pipe), { recursive: true });
    await gateway.close();
  });

  it("are hashed and verified before any of them is free again", async () => {
    const { id } = await createCompany(gateway);
    const { email } = await createAccount(gateway, id);
    const before = await login(gateway, { email, password: "wrong password" });
    let opened = 0;
    // A thread that opens a pipe for reading waits until somebody opens it for writing.
    opening = Array.from({ length: THREADS }, () => promisify(open)(pipe, "r").finally(() => (opened += 1)));

    const wrong = await login(gateway, { email, password: "wrong password" });
    const fits = await passwordFits(await hashPassword(PASSWORD), PASSWORD);

    expect([before.status, wrong.status, fits, opened]).toEqual([401, 401, true, 0]);
  });
});
