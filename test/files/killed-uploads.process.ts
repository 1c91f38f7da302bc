import { mkdtemp, readdir, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { cleanUp, startService } from "../support/service-process.js";
import { avatarPath, formOf, localStore, removeFiles, type TestStore } from "./uploads.js";

let store: TestStore;
let gateway: Gateway;
let company: TestCompany;
let path: string;

beforeAll(async () => {
  store = await localStore();
  gateway = await startGateway({ own: "database", environment: { STORAGE_URL: store.url } });
  company = await createCompany(gateway);
  path = avatarPath(company.id, company.ownerId);
});
afterAll(async () => {
  await gateway.close();
  await store.close();
  await cleanUp();
});

it("leaves nothing behind of uploads in the middle of which the process is killed", async () => {
  const temporary = await mkdtemp(join(tmpdir(), "commerce-killed-"));
  const env = {
    DATABASE_URL: gateway.url,
    JWT_SECRET: "a secret that only the tests use: 32 bytes or more",
    STORAGE_URL: store.url,
    TMPDIR: temporary,
    JOBS: "off",
  };
  const names = await store.names();
  const service = startService(env);
  const url = new URL(`${await service.ready}/api${path}`);
  const { payload, headers } = await formOf({ avatar: { bytes: await noisyPng(700) } });
  const authorization = `Bearer ${company.owner.token}`;
  const open = () => {
    const upload = request(url, {
      method: "POST",
      headers: { ...headers, authorization, "content-length": payload.length },
    });
    return upload.on("error", () => undefined);
  };

  // The process is killed while the body of the first arrives, and right after that of the second.
  const [first, second] = [open(), open()];
  first.write(payload.subarray(0, 400_000));
  await filesAppear(temporary);
  second.end(payload);
  await rowsAppear(company.id);
  service.kill("SIGKILL");
  await service.exited;
  first.destroy();
  second.destroy();

  // The next process sweeps the temporary files away, and the job removes the others.
  await sleep(1_100);
  const next = startService({ ...env, REQUEST_TIMEOUT_MS: "500" });
  await next.ready;
  await filesDisappear(temporary);
  next.kill("SIGTERM");
  await next.exited;
  await gateway.db.admin.updateMany({ where: { companyId: company.id }, data: { avatarKey: null } });
  await removeFiles(gateway, company.id);

  expect(await gateway.db.storedFile.count({ where: { companyId: company.id } })).toBe(0);
  expect(await store.names()).toEqual(names);
  await rm(temporary, { recursive: true });
});

async function noisyPng(width: number): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 50 } as const;
  return sharp({ create: { width, height: width, channels: 3, background: "#000000", noise } })
    .png()
    .toBuffer();
}

async function rowsAppear(companyId: number): Promise<void> {
  await until(async () => (await gateway.db.storedFile.count({ where: { companyId } })) > 0);
}

async function filesAppear(directory: string): Promise<void> {
  await until(async () => (await readdir(directory, { recursive: true })).some((name) => name.includes("/")));
}

async function filesDisappear(directory: string): Promise<void> {
  await until(
    async () => !(await readdir(directory, { recursive: true })).some((name) => name.includes("/")),
  );
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 15_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error("it did not come about in time");
    await sleep(2);
  }
}
