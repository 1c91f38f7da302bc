import { startGateway, type Gateway } from "../support/gateway.js";
import { fakeDate } from "../support/fake-date.js";
import { csv, importAll, openShop, readImport, type Shop } from "./imports.js";

const DAY_MS = 24 * 60 * 60_000;
const WRONG = csv(["sku", "name", "price"], ["A-1", "Water", "much"]);

let gateway: Gateway;
let second: Gateway;
let shop: Shop;
let jobId: number;
let link: URL;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  second = await startGateway({ on: gateway });
});
beforeEach(async () => {
  shop = await openShop(gateway);
  const job = await importAll(shop, WRONG);
  jobId = job.id as number;
  link = linkOf(job.report_url);
});
afterAll(async () => {
  await second.close();
  await gateway.close();
});

const linkOf = (url: unknown): URL => new URL(String(url), "http://localhost");

async function get(
  url: URL,
  {
    by = gateway,
    method = "GET",
    token = "",
  }: { by?: Gateway; method?: "GET" | "HEAD"; token?: string } = {},
) {
  const answer = await by.app.inject({
    method,
    url: `${url.pathname}${url.search}`,
    headers: token === "" ? {} : { authorization: `Bearer ${token}` },
  });
  return { status: answer.statusCode, body: answer.body, headers: answer.headers };
}

function changed(change: (url: URL) => void): URL {
  const url = new URL(link);
  change(url);
  return url;
}

/** Does something at another time. */
async function at<T>(now: number, act: () => Promise<T>): Promise<T> {
  fakeDate(now);
  try {
    return await act();
  } finally {
    jest.useRealTimers();
  }
}

it("reads a report by the link that its job gives, on every instance", async () => {
  for (const by of [gateway, second]) {
    const report = await get(link, { by });

    expect([report.status, report.headers["cache-control"]]).toEqual([200, "private, no-store"]);
    expect(report.body).toContain("price: ");
    expect((await get(link, { by, method: "HEAD" })).status).toBe(200);
  }
});

it("refuses a report without the signature, whoever asks", async () => {
  const bare = changed((url) => (url.search = ""));

  for (const token of ["", shop.company.owner.token as string, gateway.platform.token as string]) {
    const refused = await get(bare, { token });

    expect([refused.status, JSON.parse(refused.body).code]).toEqual([403, "FORBIDDEN"]);
    expect(refused.headers["cache-control"]).not.toMatch(/public/u);
  }
  expect((await get(bare, { method: "HEAD" })).status).toBe(403);
});

it("knows a signature by its one spelling", async () => {
  const given = link.searchParams.get("signature") as string;
  const spellings = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].map(
    (last) => given.slice(0, -1) + last,
  );
  const all = [...spellings, `${given}=`, `${given}\u00e9`];

  const good = [];
  for (const signature of all) {
    const { status } = await get(changed((url) => url.searchParams.set("signature", signature)));
    if (status === 200) good.push(signature);
    else expect(status).toBe(403);
  }

  expect(good).toEqual([given]);
});

it("ends a link after a day at most, and gives a new one", async () => {
  const before = await at(Date.now() + DAY_MS - 60 * 60_000 - 1_000, () => get(link));
  const after = await at(Date.now() + DAY_MS, () => get(link));
  const renewed = await at(Date.now() + DAY_MS, async () => {
    const platform = await gateway.as({ kind: "platform" });
    const { body } = await platform.rest("GET", `/companies/${shop.company.id}/import-jobs/${jobId}`);
    return get(linkOf(body.report_url));
  });

  expect([before.status, after.status, renewed.status]).toEqual([200, 403, 200]);
});

it("refuses a link that was altered", async () => {
  const later = String(Number(link.searchParams.get("expires")) + 1);
  const altered = [
    changed((url) => url.searchParams.set("expires", later)),
    changed((url) => url.searchParams.set("expires", "9".repeat(15))),
    changed((url) => url.searchParams.append("expires", later)),
    changed((url) => url.searchParams.delete("expires")),
    changed((url) => url.searchParams.set("signature", "")),
    changed((url) => url.searchParams.set("signature", "A".repeat(43))),
    changed((url) => url.searchParams.append("signature", "x")),
    changed((url) => (url.pathname = url.pathname.replace(/.{4}\.csv$/u, "0000.csv"))),
  ];

  for (const url of altered) expect([url.search, (await get(url)).status]).toEqual([url.search, 403]);
});

it("reads no report of another company by one's own signature", async () => {
  const other = await openShop(gateway);
  const own = linkOf((await importAll(other, WRONG)).report_url);

  const crossed = await get(changed((url) => (url.search = own.search)));

  expect(crossed.status).toBe(403);
  expect((await get(own)).status).toBe(200);
});

it("gives the same link to who reads the job again soon, so that its ETag stays", async () => {
  const again = await readImport(shop, jobId);

  const expires = Number(link.searchParams.get("expires"));
  expect([expires % 3600, expires > Date.now() / 1000]).toEqual([0, true]);
  expect(linkOf(again.report_url).pathname).toBe(link.pathname);
});
