import { Quotas } from "../../src/core/quotas/quota.js";
import pg from "pg";
import { taskList } from "../../src/engine/worker/tasks.js";
import type { Tasks } from "../../src/engine/worker/tasks.js";
import { openStorage } from "../../src/engine/storage/open-storage.js";
import type { JobContext } from "../../src/core/jobs/jobs.js";
import { jpeg, png } from "../files/pictures.js";
import { fileStates, localStore, sendForm, type TestStore } from "../files/uploads.js";
import { startWebServer, type WebServer } from "../files/web-server.js";
import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { GOOD_PICTURE } from "../../src/slices/goods/good-picture.rule.js";
import { createGood, goodPath, KINDS, storedPictures } from "./good-pictures.js";

let web: WebServer;
let store: TestStore;
let gateway: Gateway;
let company: TestCompany;
let id: number;
let path: string;

beforeAll(async () => {
  web = await startWebServer();
  store = await localStore();
  const environment = { STORAGE_URL: store.url, FETCH_ALLOW: web.host };
  gateway = await startGateway({ own: "database", environment });
});
beforeEach(async () => {
  web.requests.length = 0;
  company = await createCompany(gateway);
  ({ id } = await createGood(gateway, company.id));
  path = goodPath(company.id, id);
});
afterAll(async () => {
  await gateway.close();
  await web.close();
  await store.close();
});

describe.each(KINDS)("a $kind by its URL", ({ action, mutation, input, column, key, field, least }) => {
  const send = (body: object, client = company.owner, headers: Record<string, string> = {}) =>
    client.rest("POST", `${path}/${action}`, { body, headers });

  it("is fetched once and stored", async () => {
    const url = web.serve("/a.jpg", { redirect: "/b" });
    web.serve("/b", await jpeg(least));

    const { status, body } = await send({ url });
    const asForm = await sendForm(gateway, company.owner, `${path}/${action}`, { url });

    expect([status, asForm.status]).toEqual([200, 200]);
    expect(asForm.body[key]).toEqual([
      body[key][0],
      expect.stringMatching(/^\/files\/[0-9a-f]{32}\.jpg$/u) as string,
    ]);
    expect((await gateway.app.inject({ url: body[key][0] as string })).statusCode).toBe(200);
    expect(await fileStates(gateway, company.id)).toEqual(["used", "used"]);
  });

  it("does so over GraphQL", async () => {
    const url = web.serve("/g.png", await png(least));
    const query = `mutation ($companyId: Int!, $id: Int!, $input: ${input}!) {
      ${mutation}(companyId: $companyId, goodId: $id, input: $input) { ${field} }
    }`;

    const result = await company.owner.run(query, { companyId: company.id, id, input: { url } });

    expect(dataOf(result)[mutation][field]).toEqual([expect.stringMatching(/\.png$/u)]);
  });

  it("is refused like a file when it breaks the rules of one", async () => {
    const urls = [
      web.serve("/small", await png({ ...least, width: least.width - 1 })),
      web.serve("/text", Buffer.from("<html>")),
      web.serve("/empty", Buffer.alloc(0)),
      web.serve("/endless", (_request, response) => {
        response.writeHead(200, { "content-type": "image/png" });
        const more = (): unknown => response.write(Buffer.alloc(1_000_000)) && setImmediate(more);
        response.on("drain", more);
        more();
      }),
    ];

    const refused = [];
    for (const url of urls) refused.push(await send({ url }));

    expect(refused.map(({ status, body }) => [status, body.errors[0].field, body.errors[0].rule])).toEqual([
      [422, "url", "dimensions"],
      [422, "url", "image"],
      [422, "url", "image"],
      [413, "url", "max_size"],
    ]);
    expect((await storedPictures(gateway, company.id, id))[column]).toEqual([]);
    expect(await fileStates(gateway, company.id)).toEqual([]);
  });

  it("is refused in the same words wherever nothing can be fetched", async () => {
    const urls = [
      web.serve("/inside", { redirect: "http://127.0.0.1/" }),
      `http://${web.host}/nothing-there`,
      "http://127.0.0.1/",
      "http://127.0.0.1:1/",
      "http://169.254.169.254/latest/meta-data/",
      "http://[::1]/",
      "http://2130706433/",
      "http://localhost/",
      "http://no-such-name.invalid/",
      "https://user:secret@127.0.0.1/",
    ];

    const refused = [];
    for (const url of urls) refused.push(await send({ url }));

    for (const { status, body } of refused)
      expect([status, body.errors]).toEqual([
        422,
        [{ field: "url", rule: "fetch", message: "is not where a picture can be fetched" }],
      ]);
    expect((await storedPictures(gateway, company.id, id))[column]).toEqual([]);
  });

  it.each([
    [2 ** 40, "NOT_FOUND"],
    [true, "VALIDATION_FAILED"],
  ])("is refused for an id that no good can have: %j", async (wrong, code) => {
    const query = `mutation ($companyId: Int!, $id: Int!, $input: ${input}!) {
      ${mutation}(companyId: $companyId, goodId: $id, input: $input) { id }
    }`;
    const url = web.serve("/never", await png(least));

    const { errors } = await company.owner.run(query, { companyId: company.id, id: wrong, input: { url } });

    expect(errors?.map(({ extensions }) => extensions["code"])).toEqual([code]);
    expect(web.requests).toEqual([]);
  });

  it("is not fetched before all else is right", async () => {
    const url = web.serve("/never", await png(least));
    const reader = await adminWith(gateway, company.id, "access_goods");
    const image = { bytes: await png(least) };
    const full = Array.from({ length: 20 }, (_, n) => `https://elsewhere.example/${n}.jpg`);

    const refused = [
      await send({ url }, gateway.anonymous),
      await send({ url }, reader),
      await company.owner.rest("POST", `${goodPath(company.id, 2_000_000_000)}/${action}`, { body: { url } }),
      await send({}),
      await send({ url: null }),
      await send({ url: "ftp://example.com/a.png" }),
      await send({ url: `http://${web.host}/${"a".repeat(1024)}` }),
      await send({ url, other: 1 }, company.owner, { prefer: "handling=strict" }),
      await sendForm(gateway, company.owner, `${path}/${action}`, { url, image }),
    ];
    await gateway.db.good.updateMany({ where: { companyId: company.id, id }, data: { [column]: full } });
    refused.push(await send({ url }));

    expect(
      refused.map(({ status, body }) => [status, body.errors?.[0].field, body.errors?.[0].rule]),
    ).toEqual([
      [401, undefined, undefined],
      [403, undefined, undefined],
      [404, undefined, undefined],
      [422, "image", "required"],
      [422, "image", "required"],
      [422, "url", "url"],
      [422, "url", "max_length"],
      [422, "other", "unknown"],
      [422, "image", "forbidden"],
      [422, "url", "max_items"],
    ]);
    expect(web.requests).toEqual([]);
    expect(await fileStates(gateway, company.id)).toEqual([]);
  });

  it.each<[Record<string, string>]>([[{}], [{ "idempotency-key": "fetch-1" }]])(
    "is fetched while no transaction is open: %j",
    async (headers) => {
      const client = new pg.Client({ connectionString: gateway.url });
      await client.connect();
      const bytes = await png(least);
      const open: unknown[] = [];
      const url = web.serve("/watched", (_request, response) => {
        void client
          .query(
            `SELECT state FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
                AND backend_type = 'client backend' AND application_name NOT LIKE 'citus_internal%'`,
          )
          .then(({ rows }) => {
            open.push(...rows);
            response.end(bytes);
          });
      });

      const first = await send({ url }, company.owner, headers);
      const again = await send({ url }, company.owner, headers);

      await client.end();
      expect([first.status, again.status, open]).toEqual([200, 200, []]);
      const isKeyed = "idempotency-key" in headers;
      expect(web.requests).toHaveLength(isKeyed ? 1 : 2);
      expect((await storedPictures(gateway, company.id, id))[column]).toHaveLength(isKeyed ? 1 : 2);
    },
  );

  it("with an Idempotency-Key that was refused may be fetched again with the same key", async () => {
    const headers = { "idempotency-key": "fetch-2" };
    const url = `http://${web.host}/later`;
    web.serve("/later", Buffer.from("not yet"));
    const early = await send({ url }, company.owner, headers);
    web.serve("/later", await png(least));

    const late = await send({ url }, company.owner, headers);

    expect([early.status, late.status]).toEqual([422, 200]);
    expect((await storedPictures(gateway, company.id, id))[column]).toHaveLength(1);
  });
});

it("fetches at most two at once for a company, while others go on", async () => {
  const held: (() => void)[] = [];
  const bytes = await png({ width: 2160, height: 1304 });
  const url = web.serve("/held", (_request, response) => void held.push(() => response.end(bytes)));
  const other = await createCompany(gateway);
  const good = await createGood(gateway, other.id);
  const until = async (isSo: () => boolean): Promise<void> => {
    for (let tries = 0; !isSo() && tries < 500; tries += 1) await new Promise((r) => setTimeout(r, 10));
  };

  const mine = [1, 2, 3].map(() => company.owner.rest("POST", `${path}/upload-picture`, { body: { url } }));
  await until(() => held.length === 2);
  const theirs = other.owner.rest("POST", `${goodPath(other.id, good.id)}/upload-picture`, { body: { url } });
  await until(() => held.length === 3);
  expect(held).toHaveLength(3);
  held.splice(0).forEach((end) => end());
  await until(() => held.length === 1);
  held.splice(0).forEach((end) => end());

  const answers = await Promise.all([...mine, theirs]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

it("is there for jobs, too", async () => {
  const storage = await openStorage(store.url);
  let pictures: JobContext["pictures"] | undefined;
  const take = (_payload: object, context: JobContext) => {
    pictures = context.pictures;
    return Promise.resolve();
  };
  const silent = { debug: () => 0, info: () => 0, warn: () => 0, error: () => 0 };
  const list = taskList({ removeFiles: take } as unknown as Tasks, {
    database: gateway.database,
    storage,
    callers: {} as never,
    sheets: {} as never,
    check: {} as never,
    signal: {} as never,
    log: silent,
    auditDays: 0,
    journalDays: 30,
    quotas: new Quotas([]),
    fetchAllow: [web.host],
  });
  await list["removeFiles"]?.({}, { job: { priority: 0 } } as never);
  const url = web.serve("/job", await jpeg({ width: 2160, height: 1304 }));

  const stored = (await pictures?.fetch(company.id, url, GOOD_PICTURE)) as string;
  const inside = pictures?.fetch(company.id, "http://10.0.0.1/", GOOD_PICTURE);

  await expect(inside).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    errors: [{ field: "url", rule: "fetch" }],
  });
  expect(await fileStates(gateway, company.id)).toEqual(["pending"]);
  await gateway.db.good.updateMany({ where: { companyId: company.id, id }, data: { pictures: [stored] } });
  expect(await fileStates(gateway, company.id)).toEqual(["used"]);
});
