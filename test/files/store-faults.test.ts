import { createWriteStream } from "node:fs";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { openStorage } from "../../src/engine/storage/open-storage.js";
import type { Storage } from "../../src/engine/storage/storage.js";
import { createGood, goodPath } from "../goods/good-pictures.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { png } from "./pictures.js";
import {
  avatarPath,
  fileStates,
  localStore,
  removeFiles,
  s3Store,
  sendForm,
  type TestStore,
} from "./uploads.js";

/** Stands in for what the operating system says when a disk is full. */
const fullDisk = (): Error =>
  Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });

let store: TestStore;
let gateway: Gateway;
let company: TestCompany;
let path: string;
/** What `put` does before it writes; tests replace it. */
let beforePut: (name: string) => Promise<void> | void;

beforeAll(async () => {
  store = await localStore();
  const disk = await openStorage(store.url);
  const storage: Storage = {
    ...disk,
    put: async (name, bytes, contentType) => {
      await beforePut(name);
      await disk.put(name, bytes, contentType);
    },
  };
  gateway = await startGateway({ own: "database", storage });
});
beforeEach(async () => {
  beforePut = () => undefined;
  company = await createCompany(gateway);
  path = avatarPath(company.id, company.ownerId);
});
afterAll(async () => {
  await gateway.close();
  await store.close();
});

const avatar = async (width = 10) => ({ avatar: { bytes: await png({ width }) } });
const avatarKey = async () =>
  (await gateway.db.admin.findFirst({ where: { companyId: company.id, id: company.ownerId } }))?.avatarKey;
/** The bytes that the company uses of its quota. */
async function usedBytes(): Promise<number | undefined> {
  const { body } = await company.owner.rest("GET", `/companies/${company.id}/usage`);
  return (body as unknown as { name: string; used: number }[]).find(({ name }) => name === "storage")?.used;
}

describe("a store that does not take a file", () => {
  it.each([
    ["at once", () => Promise.reject(fullDisk())],
    [
      "when the first size is there",
      (name: string) => (name.includes("-small") ? Promise.reject(fullDisk()) : undefined),
    ],
  ])("refuses the upload %s, and what was there stays", async (_, fail) => {
    const before = await sendForm(gateway, company.owner, path, await avatar());
    beforePut = fail;

    const { status, body, headers } = await sendForm(gateway, company.owner, path, await avatar(20));
    await removeFiles(gateway, company.id);

    expect([status, body.code, headers["retry-after"]]).toEqual([503, "UNAVAILABLE", "1"]);
    expect(JSON.stringify(body)).not.toContain("ENOSPC");
    expect(`/files/${await avatarKey()}`).toBe(before.body.avatar_url);
    expect(await fileStates(gateway, company.id)).toEqual(["used"]);
    expect((await gateway.app.inject({ url: before.body.avatar_url as string })).statusCode).toBe(200);
  });

  it.each([
    ["refuses", () => Promise.reject(fullDisk())],
    [
      "does not answer for",
      async (name: string) => {
        await (await openStorage(store.url)).put(name, Buffer.from("late"), "image/png");
        throw new Error("timeout");
      },
    ],
  ])("counts nothing of what it %s, and removes what came there", async (_, fail) => {
    await sendForm(gateway, company.owner, path, await avatar());
    const [before, names] = [await usedBytes(), await store.names()];
    beforePut = fail;

    const uploads = [];
    for (let count = 0; count < 3; count += 1)
      uploads.push(await sendForm(gateway, company.owner, path, await avatar(20)));
    const after = await usedBytes();
    await removeFiles(gateway, company.id);

    expect(uploads.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(before).toBeGreaterThan(0);
    expect([after, await usedBytes()]).toEqual([before, before]);
    expect(await fileStates(gateway, company.id)).toEqual(["used"]);
    expect(await store.names()).toEqual(names);
  });

  it("leaves no part of a file when the disk is full", async () => {
    // This device takes no byte at all.
    const full = createWriteStream("/dev/full");
    const isFull = await new Promise<string | undefined>((resolve) => {
      full.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
      full.end("x");
    });
    const directory = await mkdtemp(join(tmpdir(), "commerce-full-"));
    const disk = await openStorage(`file://${directory}`);
    const name = `${"0".repeat(32)}.png`;
    const { symlink } = await import("node:fs/promises");
    await symlink("/dev/full", join(directory, `.${name}.part`));

    const failure = await disk.put(name, Buffer.alloc(100_000), "image/png").catch((error: unknown) => error);

    expect([isFull, failure]).toEqual(["ENOSPC", expect.objectContaining({ code: "ENOSPC" })]);
    expect(await readdir(directory)).toEqual([]);
    await rm(directory, { recursive: true });
  });

  it("is answered as 503 when it is away, for reading too, and works again when it is back", async () => {
    const away = await s3Store();
    const on = await startGateway({ on: gateway, environment: { STORAGE_URL: away.url } });
    const first = await sendForm(on, company.owner, path, await avatar());
    await away.close();

    const upload = await sendForm(on, company.owner, path, await avatar(20));
    const read = await on.app.inject({ url: first.body.avatar_url as string });
    await on.close();

    expect([upload.status, upload.body.code, upload.headers["retry-after"]]).toEqual([
      503,
      "UNAVAILABLE",
      "1",
    ]);
    expect([read.statusCode, read.headers["retry-after"]]).toEqual([503, "1"]);
    expect(`/files/${await avatarKey()}`).toBe(first.body.avatar_url);
  });

  it("is one whose folder is away, too: nothing is changed, and the folder is not made anew", async () => {
    const first = await sendForm(gateway, company.owner, path, await avatar());
    const { id: goodId } = await createGood(gateway, company.id);
    const ofGood = goodPath(company.id, goodId);
    const image = { bytes: await png({ width: 2160, height: 1400 }) };
    const pictured = await sendForm(gateway, company.owner, `${ofGood}/upload-picture`, { image });
    const url = first.body.avatar_url as string;
    const folder = fileURLToPath(store.url);
    await rename(folder, `${folder}-away`);

    const upload = await sendForm(gateway, company.owner, path, await avatar(20));
    const reads = await Promise.all(
      (["GET", "HEAD"] as const).map((method) => gateway.app.inject({ method, url })),
    );
    const fixed = await company.owner.rest("POST", `${ofGood}/fix-images`);
    await expect(removeFiles(gateway, company.id)).rejects.toThrow("ENOENT");
    const isMade = await readdir(folder).catch(() => null);
    await rename(`${folder}-away`, folder);
    const good = await company.owner.rest("GET", ofGood);
    await gateway.db
      .$queryRaw`SELECT graphile_worker.complete_jobs(ARRAY(SELECT id FROM graphile_worker.jobs))`;

    expect([upload.status, upload.headers["retry-after"]]).toEqual([503, "1"]);
    expect(reads.map(({ statusCode }) => statusCode)).toEqual([503, 503]);
    expect([fixed.status, fixed.body.code, isMade]).toEqual([503, "UNAVAILABLE", null]);
    expect([pictured.status, good.body.picture_urls]).toEqual([200, pictured.body.picture_urls]);
    expect(good.body.picture_urls).toHaveLength(1);
    expect(`/files/${await avatarKey()}`).toBe(url);
    expect((await gateway.app.inject({ url })).statusCode).toBe(200);
  });

  it("keeps the rows of files that it does not delete, for the next time", async () => {
    await sendForm(gateway, company.owner, path, await avatar());
    await sendForm(gateway, company.owner, path, await avatar(20));
    const failing = await startGateway({
      on: gateway,
      storage: { ...(await openStorage(store.url)), delete: () => Promise.reject(fullDisk()) },
    });

    await expect(removeFiles(failing, company.id)).rejects.toThrow("ENOSPC");
    expect(await fileStates(gateway, company.id)).toEqual(["unused", "used"]);
    await failing.close();
    await gateway.db
      .$queryRaw`SELECT graphile_worker.complete_jobs(ARRAY(SELECT id FROM graphile_worker.jobs))`;
    await removeFiles(gateway, company.id);
    expect(await fileStates(gateway, company.id)).toEqual(["used"]);
  });
});

it("lets 200 uploads of one avatar end with one file", async () => {
  const parts = await avatar();
  /** A busy service refuses some before it does anything; they come again, as callers do. */
  const upload = async (): Promise<number> => {
    const { status, headers } = await sendForm(gateway, company.owner, path, parts);
    return status === 503 ? sleep(1000 * Number(headers["retry-after"])).then(upload) : status;
  };

  const statuses = await Promise.all(Array.from({ length: 200 }, upload));
  const states = await fileStates(gateway, company.id);
  await removeFiles(gateway, company.id);

  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(states.filter((state) => state === "used")).toHaveLength(1);
  expect(states).toHaveLength(200);
  const key = (await avatarKey()) as string;
  expect(await gateway.db.storedFile.findMany({ where: { companyId: company.id } })).toMatchObject([
    { key, state: "used" },
  ]);
  const left = (await store.names()).filter((name) => name.startsWith(key.replace(".png", "")));
  expect(left).toEqual([key.replace(".", "-small."), key].sort());
}, 90_000);

it("shows readers the old picture or the new one, never a part of one", async () => {
  await sendForm(gateway, company.owner, path, await avatar());
  let isDone = false;
  const seen: string[] = [];
  const reader = (async () => {
    while (!isDone) {
      const { rawPayload, statusCode } = await gateway.app.inject({ url: `/files/${await avatarKey()}` });
      const { width } = await sharp(rawPayload)
        .toBuffer({ resolveWithObject: true })
        .then(({ info }) => info);
      seen.push(`${statusCode} ${width}`);
    }
  })();

  for (let round = 0; round < 20; round += 1)
    await sendForm(gateway, company.owner, path, await avatar(10 + (round % 2) * 500));
  isDone = true;
  await reader;

  expect(seen.length).toBeGreaterThan(10);
  expect(new Set(seen)).toEqual(new Set(["200 10", "200 510"]));
});

it("refuses a file of the database that is not pending, and a row whose file has an owner", async () => {
  await sendForm(gateway, company.owner, path, await avatar());
  const key = (await avatarKey()) as string;
  const other = { companyId: company.id, name: "Other", email: "other@example.com", phone: "+15550000008" };

  await expect(gateway.db.admin.create({ data: { ...other, avatarKey: key } })).rejects.toThrow();
  await expect(
    gateway.db.storedFile.delete({ where: { companyId_key: { companyId: company.id, key } } }),
  ).rejects.toThrow();
  expect(await fileStates(gateway, company.id)).toEqual(["used"]);
});

it("follows a key inside of a JSON column, too", async () => {
  const { id: companyId } = company;
  const { db } = gateway;
  await gateway.asOwner(`CREATE TRIGGER "probe" AFTER UPDATE OF "data" ON "company_settings" FOR EACH ROW
    EXECUTE FUNCTION "own_file"('data', 'banner')`);
  const key = `${"a".repeat(32)}.png`;
  await db.storedFile.create({
    data: { companyId, key, contentType: "image/png", bytes: 1, width: 1, height: 1 },
  });

  await db.companySettings.update({ where: { companyId }, data: { data: { banner: key, slogan: "x" } } });
  const owned = await fileStates(gateway, companyId);
  await db.companySettings.update({ where: { companyId }, data: { data: { banner: key, slogan: "y" } } });
  const kept = await fileStates(gateway, companyId);
  await db.companySettings.update({ where: { companyId }, data: { data: { slogan: "y" } } });
  const left = await fileStates(gateway, companyId);
  await gateway.asOwner('DROP TRIGGER "probe" ON "company_settings"');

  expect([owned, kept, left]).toEqual([["used"], ["used"], ["unused"]]);
});
