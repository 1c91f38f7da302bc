import { setTimeout as sleep } from "node:timers/promises";
import { followPath, listen, type Following, type Received } from "../jobs/follow.js";
import { adminWith, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { startGateway, type Client, type Gateway } from "../support/gateway.js";
import { journalShowsAll } from "../support/journal.js";

let gateway: Gateway;
let other: Gateway;
let base: string;
let elsewhere: string;
let company: TestCompany;
const open: Following[] = [];
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  other = await startGateway({ on: gateway });
  [base, elsewhere] = await Promise.all([listen(gateway), listen(other)]);
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.leave();
});
afterAll(async () => {
  for (const { app } of [gateway, other]) app.server.closeAllConnections();
  await other.close();
  await gateway.close();
});

async function changes(query = "", options: { at?: string; by?: Client; last?: string } = {}) {
  const { at = base, by = company.owner, last } = options;
  const stream = await followPath(at, by, `/companies/${company.id}/changes?${query}`, last);
  open.push(stream);
  return stream;
}

const makeCity = (name: string) => gateway.db.city.create({ data: { companyId: company.id, name } });
const make = (name: string) => createGood(gateway, company.id, { name });

async function take(stream: Following, count: number): Promise<Received[]> {
  const events: Received[] = [];
  while (events.length < count) events.push((await stream.next()) as Received);
  return events;
}

const ids = (events: readonly Received[]) => events.map(({ data }) => data?.["entity_id"]);

describe("a stream of changes", () => {
  it("begins now, and has each change as REST shows it, with its cursor as id", async () => {
    await make("Before");
    await journalShowsAll(gateway);
    const stream = await changes("types=good");
    const { id } = await make("After");
    await gateway.db.good.update({
      where: { companyId_id: { companyId: company.id, id } },
      data: { priceE2: 5n },
    });

    const events = await take(stream, 2);
    const page = await company.owner.rest("GET", `/companies/${company.id}/changes?types=good&cursor=`);

    expect([stream.status, stream.headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    expect(events.map(({ event }) => event)).toEqual(["change", "change"]);
    expect(events.map(({ data }) => data)).toEqual(page.body.slice(-2));
    expect(events[1]?.data?.["fields"]).toEqual(["price_e2"]);
    const rest = await company.owner.rest(
      "GET",
      `/companies/${company.id}/changes?types=good&cursor=${events[0]?.id}`,
    );
    expect(rest.body).toEqual([events[1]?.data]);
  });

  it("goes on through another instance, behind the last event or a place without one", async () => {
    const first = await changes("types=good");
    const one = await make("One");
    const seen = await take(first, 1);
    first.leave();
    const two = await make("Two");

    const second = await changes("types=good", { at: elsewhere, last: seen[0]?.id ?? "" });
    const third = await changes("types=good&cursor=", { at: elsewhere });
    const quiet = await changes("types=city");

    expect([ids(seen), ids(await take(second, 1)), ids(await take(third, 2))]).toEqual([
      [one.id],
      [two.id],
      [one.id, two.id],
    ]);
    const city = await makeCity("Quito");
    const [event] = await take(quiet, 1);
    expect(event?.data).toMatchObject({ entity_id: city.id, action: "created" });
  });

  it("names the place where it begins, behind which it goes on though nothing has come", async () => {
    const stream = await changes("types=city");
    const nothing = stream.next().catch(() => null);
    while (stream.lastId() === null) await sleep(20);
    stream.leave();
    await nothing;
    const city = await makeCity("Quito");

    const again = await changes("types=city", { last: stream.lastId() ?? "" });

    expect(ids(await take(again, 1))).toEqual([city.id]);
  });

  it("has a backlog of several pages, each change once and in its order", async () => {
    await gateway.db.city.createMany({
      data: Array.from({ length: 450 }, (_, n) => ({ companyId: company.id, name: `City ${n}` })),
    });
    const cities = await gateway.db.city.findMany({
      where: { companyId: company.id },
      orderBy: { id: "asc" },
      select: { id: true },
    });

    const events = await take(await changes("types=city&cursor="), 450);

    expect(ids(events)).toEqual(cities.map(({ id }) => id));
  });

  it("is refused before it begins as the list is", async () => {
    const reader = await adminWith(gateway, company.id, "access_goods");
    await make("Gone");
    await journalShowsAll(gateway);
    const page = await company.owner.rest("GET", `/companies/${company.id}/changes?cursor=&per_page=1`);
    const last = /cursor=(?<cursor>[\w-]+)/u.exec(String(page.headers.link))?.groups?.["cursor"] ?? "";
    await gateway.db.journalEntry.deleteMany({ where: { companyId: company.id } });

    const statuses = [
      await changes("types=client", { by: reader }),
      await changes("types=nonsense"),
      await changes("cursor=nonsense"),
      await changes("", { last }),
      await changes("", { by: gateway.anonymous }),
    ].map(({ status }) => status);

    expect(statuses).toEqual([403, 422, 400, 410, 401]);
  });

  it("ends when the caller may read less", async () => {
    const reader = await adminWith(gateway, company.id, "access_goods");
    const stream = await changes("", { by: reader });
    await gateway.db.adminTypeRole.deleteMany({ where: { companyId: company.id } });

    expect((await stream.rest()).filter(({ data }) => data?.["type"] !== "Good")).toEqual([]);
  });
});
