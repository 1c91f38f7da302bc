import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { fakeDate } from "../support/fake-date.js";
import { bannersPath, createBanner, createTargets } from "./banners.js";

const NOW = `query ($companyId: Int!, $first: Int, $after: String) {
  promotedBanners(companyId: $companyId, now: true, first: $first, after: $after) {
    validUntil totalCount nodes { name } pageInfo { endCursor hasNextPage }
  }
}`;

describe("the banners that a client is shown now", () => {
  let gateway: Gateway;
  let company: TestCompany;
  /** Today at 12:34:50 in UTC. */
  const noon = new Date();
  noon.setUTCHours(12, 34, 50, 0);
  const today = 1 << noon.getUTCDay();
  const yesterday = 1 << ((noon.getUTCDay() + 6) % 7);

  beforeAll(async () => {
    gateway = await startGateway({ own: "service" });
    fakeDate(noon);
  });
  beforeEach(async () => {
    company = await createCompany(gateway, { timeZoneOffset: "-04:00" });
  });
  afterEach(() => jest.setSystemTime(noon));
  afterAll(async () => {
    jest.useRealTimers();
    await gateway.close();
  });

  const add = (name: string, overrides: object = {}) =>
    createBanner(gateway, company.id, { name, tz: "+00:00", ...overrides });
  const list = (query = "?now=true") => gateway.anonymous.rest("GET", `${bannersPath(company.id)}${query}`);
  const names = (body: unknown) => (body as { name: string }[]).map(({ name }) => name);

  it("are those that are enabled, on their days and in their hours", async () => {
    await add("always");
    await add("off", { enabled: false });
    await add("today", { days: today });
    await add("not today", { days: 0x7f & ~today });
    await add("never", { days: 0 });
    await add("this minute", { hourFrom: "12:34", hourTo: "12:35" });
    await add("over", { hourTo: "12:34" });
    await add("later", { hourFrom: "12:35" });
    await add("over midnight", { hourFrom: "22:00", hourTo: "12:35", days: yesterday });
    await add("over midnight, tonight", { hourFrom: "22:00", hourTo: "12:35", days: today });

    const { status, body } = await list();

    expect(status).toBe(200);
    expect(names(body)).toEqual(["always", "today", "this minute", "over midnight"]);
    expect(names((await list("")).body)).toHaveLength(10);
    expect(names((await list("?now=false")).body)).toHaveLength(10);
  });

  it("go by their own offset, else by the company's", async () => {
    await add("company", { tz: null, hourFrom: "08:30", hourTo: "08:40" });
    await add("own", { tz: "+05:30", hourFrom: "18:00", hourTo: "18:10" });
    await add("utc", { hourFrom: "08:30", hourTo: "08:40" });

    expect(names((await list()).body)).toEqual(["company", "own"]);
  });

  it("lead to no good that is deleted", async () => {
    const goodId = (await createTargets(gateway, company.id))["good"] as number;
    await add("good", { targetType: "good", targetId: goodId, goodId });
    const before = names((await list()).body);

    await gateway.db.good.updateMany({ where: { companyId: company.id }, data: { deletedAt: noon } });

    expect([before, names((await list()).body)]).toEqual([["good"], []]);
  });

  it("may be kept until they change, 15 seconds at most", async () => {
    const kept = async (query?: string) => (await list(query)).headers["cache-control"];
    const found = [await kept()];
    await add("far", { hourFrom: "18:00" });
    found.push(await kept());
    await add("begins", { hourFrom: "12:35" });
    found.push(await kept(), await kept(""));
    jest.setSystemTime(new Date(noon.getTime() + 9_500));
    found.push(await kept());
    jest.setSystemTime(new Date(noon.getTime() + 10_000));
    found.push(await kept());

    expect(found).toEqual([15, 15, 10, 15, 0, 15].map((seconds) => `public, max-age=${seconds}`));
    expect(names((await list()).body)).toEqual(["begins"]);
  });

  it("are answered with the moment of their next change, page by page", async () => {
    for (const name of ["a", "b", "c"]) await add(name, { hourTo: "13:00" });
    await add("d", { hourFrom: "12:50" });
    const variables = { companyId: company.id, first: 2 };

    const first = dataOf(await gateway.anonymous.run(NOW, variables))["promotedBanners"];
    const after = first.pageInfo.endCursor as string;
    const second = dataOf(await gateway.anonymous.run(NOW, { ...variables, after }))["promotedBanners"];

    const [day] = noon.toISOString().split("T");
    expect(first).toMatchObject({ validUntil: `${day} 12:50:00`, totalCount: 3 });
    expect([...names(first.nodes), ...names(second.nodes)]).toEqual(["a", "b", "c"]);
    expect(second.pageInfo.hasNextPage).toBe(false);
  });

  it("can be filtered, and are in their order", async () => {
    await add("last", { inOrder: 2 });
    await add("first", { inOrder: -1 });
    await add("other", { inOrder: 1, enabled: false });

    expect(names((await list()).body)).toEqual(["first", "last"]);
    expect(names((await list("?now=true&filter[name]=last")).body)).toEqual(["last"]);
    expect(names((await list("?sort=-in_order&per_page=2")).body)).toEqual(["last", "other"]);
  });

  it("are asked for by true or false alone", async () => {
    const { status, body } = await list("?now=soon");

    expect([status, body.code]).toEqual([422, "VALIDATION_FAILED"]);
  });
});
