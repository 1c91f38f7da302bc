import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { png } from "../files/pictures.js";
import { fileStates, localStore, removeFiles, sendForm, type TestStore } from "../files/uploads.js";
import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { createGood, goodPath, storedPictures } from "./good-pictures.js";

const FIX = `mutation ($companyId: Int!, $id: Int!) {
  fixGoodImages(companyId: $companyId, goodId: $id) { pictureUrls verticalPictureUrls }
}`;

let store: TestStore;
let gateway: Gateway;
let company: TestCompany;
let id: number;
let path: string;

beforeAll(async () => {
  store = await localStore();
  gateway = await startGateway({ own: "database", environment: { STORAGE_URL: store.url } });
});
beforeEach(async () => {
  company = await createCompany(gateway);
  ({ id } = await createGood(gateway, company.id, { pictures: ["https://elsewhere.example/a.jpg"] }));
  path = goodPath(company.id, id);
});
afterAll(async () => {
  await gateway.close();
  await store.close();
});

const fileOf = (name: string): string => join(fileURLToPath(store.url), name);

/** The bytes that the company uses, the same over both faces. */
async function usedBytes(): Promise<number> {
  type Usage = { name: string; used: number }[];
  const rest = await company.owner.rest("GET", `/companies/${company.id}/usage`);
  const graphql = await company.owner.run(
    "query ($companyId: Int!) { companyUsage(companyId: $companyId) { name used } }",
    { companyId: company.id },
  );
  const [used, same] = [rest.body as unknown, dataOf(graphql)["companyUsage"]].map(
    (usage) => (usage as Usage).find(({ name }) => name === "storage")?.used,
  );
  expect(same).toBe(used);
  return used as number;
}

/** The bytes in the store of all sizes of a picture, and how many there are. */
async function storedBytes(key: string): Promise<[number, number]> {
  const names = (await store.names()).filter((name) => name.startsWith(key.slice(0, 32)));
  const sizes = await Promise.all(names.map(async (name) => (await stat(fileOf(name))).size));
  return [sizes.reduce((sum, size) => sum + size, 0), sizes.length];
}

/** Uploads pictures and returns their keys. */
async function uploaded(count: number, action = "upload-picture"): Promise<string[]> {
  const bytes = await png({ width: 2160, height: 1400 });
  for (let n = 0; n < count; n += 1)
    await sendForm(gateway, company.owner, `${path}/${action}`, { image: { bytes } });
  await gateway.runJobs();
  const { pictures, verticalPictures } = await storedPictures(gateway, company.id, id);
  return (action === "upload-picture" ? pictures.slice(1) : verticalPictures).slice(-count);
}

it("drops pictures whose file is gone or broken, and keeps the others in their order", async () => {
  const [gone, kept, broken] = (await uploaded(3)) as [string, string, string];
  const [upright] = (await uploaded(1, "upload-vertical-picture")) as [string];
  await rm(fileOf(gone));
  await writeFile(fileOf(broken), (await readFile(fileOf(broken))).subarray(0, 2_000));
  await rm(fileOf(upright));

  const { status, body } = await company.owner.rest("POST", `${path}/fix-images`);

  expect(status).toBe(200);
  expect(body.picture_urls).toEqual(["https://elsewhere.example/a.jpg", `/files/${kept}`]);
  expect(body.vertical_picture_urls).toEqual([]);
  await removeFiles(gateway, company.id);
  expect(await fileStates(gateway, company.id)).toEqual(["used"]);
});

it("has the sizes made that are missing, from the large one", async () => {
  const [key] = (await uploaded(1)) as [string];
  const smaller = ["medium", "small"].map((size) => key.replace(".", `-${size}.`));
  for (const name of smaller) await rm(fileOf(name));
  const large = await readFile(fileOf(key));

  const fixed = dataOf(await company.owner.run(FIX, { companyId: company.id, id }))["fixGoodImages"];
  await gateway.runJobs();

  expect(fixed.pictureUrls).toHaveLength(2);
  expect(await store.names()).toEqual(expect.arrayContaining([key, ...smaller]));
  expect(await readFile(fileOf(key))).toEqual(large);
});

it("counts all sizes of a picture for the quota of files while they are there, and refuses none of them", async () => {
  const bytes = await png({ width: 2160, height: 1304 });
  await sendForm(gateway, company.owner, `${path}/upload-picture`, { image: { bytes } });
  const key = (await storedPictures(gateway, company.id, id)).pictures[1] as string;
  const uploadedBytes = await usedBytes();
  expect(await storedBytes(key)).toEqual([uploadedBytes, 2]);
  const full = await startGateway({
    on: gateway,
    environment: { STORAGE_URL: store.url, QUOTAS: `storage=${uploadedBytes}` },
  });
  await full.runJobs();
  const owner = full.withToken(company.owner.token);
  const medium = await full.app.inject({ url: `/files/${key.replace(".", "-medium.")}` });
  const refused = await sendForm(full, owner, `${path}/upload-picture`, { image: { bytes } });
  await full.close();

  expect([medium.statusCode, medium.headers["cache-control"]]).toEqual([
    200,
    expect.stringMatching(/immutable/u),
  ]);
  expect([refused.status, refused.body.errors[0].rule]).toEqual([422, "quota"]);
  const used = await usedBytes();
  expect(used).toBe(uploadedBytes + medium.rawPayload.length);
  expect(await storedBytes(key)).toEqual([used, 3]);

  // What is made anew counts once.
  await rm(fileOf(key.replace(".", "-small.")));
  await company.owner.run(FIX, { companyId: company.id, id });
  await gateway.runJobs();
  expect([await usedBytes(), await storedBytes(key)]).toEqual([used, [used, 3]]);

  await company.owner.rest("POST", `${path}/remove-picture`, { body: { picture_url: `/files/${key}` } });
  await removeFiles(gateway, company.id);
  expect([await usedBytes(), await storedBytes(key)]).toEqual([0, [0, 0]]);
});

it("changes nothing when nothing is wrong, or when the store does not answer", async () => {
  await uploaded(1);
  const before = await gateway.db.good.findFirst({ where: { companyId: company.id, id } });
  const lost = await startGateway({
    on: gateway,
    storage: {
      put: () => Promise.reject(new Error("away")),
      read: () => Promise.reject(new Error("away")),
      lengthOf: () => Promise.reject(new Error("away")),
      delete: () => Promise.reject(new Error("away")),
      urlOf: () => null,
      close: () => undefined,
    },
  });

  const whole = await company.owner.rest("POST", `${path}/fix-images`);
  const away = await lost.withToken(company.owner.token).rest("POST", `${path}/fix-images`);
  await lost.close();

  expect([whole.status, away.status]).toEqual([200, 503]);
  expect(await gateway.db.good.findFirst({ where: { companyId: company.id, id } })).toEqual(before);
});

it("is for who may edit goods, and once with an Idempotency-Key", async () => {
  const reader = await adminWith(gateway, company.id, "access_goods");
  const [key] = (await uploaded(1)) as [string];
  await rm(fileOf(key));
  const headers = { "idempotency-key": "fix-1" };

  const refused = [
    await gateway.anonymous.rest("POST", `${path}/fix-images`),
    await reader.rest("POST", `${path}/fix-images`),
    await company.owner.rest("POST", `${goodPath(company.id, 2_000_000_000)}/fix-images`),
  ];
  expect(refused.map(({ status }) => status)).toEqual([401, 403, 404]);
  expect((await storedPictures(gateway, company.id, id)).pictures).toHaveLength(2);
  const first = await company.owner.rest("POST", `${path}/fix-images`, { headers });
  const again = await company.owner.rest("POST", `${path}/fix-images`, { headers });

  expect(first.body.picture_urls).toEqual(["https://elsewhere.example/a.jpg"]);
  expect([again.body, again.headers["idempotent-replayed"]]).toEqual([first.body, "true"]);
  const entries = await gateway.db.auditEntry.findMany({
    where: { companyId: company.id, operation: "fixGoodImages" },
  });
  expect(entries).toHaveLength(1);
});

it("leaves nothing of a picture that was removed before its sizes were made", async () => {
  const bytes = await png({ width: 2160, height: 1304 });
  await sendForm(gateway, company.owner, `${path}/upload-picture`, { image: { bytes } });
  const key = (await storedPictures(gateway, company.id, id)).pictures[1] as string;
  await company.owner.rest("POST", `${path}/remove-picture`, { body: { picture_url: `/files/${key}` } });

  await removeFiles(gateway, company.id);
  await gateway.runJobs();

  expect((await store.names()).filter((name) => name.startsWith(key.slice(0, 32)))).toEqual([]);
});
