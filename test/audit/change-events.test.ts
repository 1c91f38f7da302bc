import { createClient, type Client as SseClient } from "graphql-sse";
import { setTimeout as sleep } from "node:timers/promises";
import { followPath, followUrl, listen, type Following, type Received } from "../jobs/follow.js";
import { adminWith, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { journalShowsAll } from "../support/journal.js";
import { createTwoShops, type Shop } from "../bounds/two-shops.js";
import { makeKey, UPDATE } from "../api-keys/keys.js";
import { SUBSCRIBING_CLIENTS } from "./subscribing-clients.js";

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

const sessions: SseClient[] = [];
afterEach(() => {
  for (const session of sessions.splice(0)) session.dispose();
});

interface Change {
  readonly cursor: string;
  readonly type: string;
  readonly entityId: number;
  readonly fields: readonly string[];
}

const SUBSCRIPTION = `subscription Follow($companyId: Int!, $types: [String!], $actions: [ChangeAction!], $after: String) {
  seen: changes(companyId: $companyId, types: $types, actions: $actions, after: $after) { ...What }
}
fragment What on Change { cursor type entityId fields }`;

/** Subscribes by the published client, and takes so many changes, or all until the end. */
async function subscribe(
  variables: object,
  count: number,
  { at = base, by = company.owner, last }: { at?: string; by?: Client; last?: string | undefined } = {},
) {
  const headers: Record<string, string> = { authorization: `Bearer ${by.token}` };
  if (last !== undefined) headers["last-event-id"] = last;
  const session = createClient({ url: `${at}/graphql`, headers, retryAttempts: 0 });
  sessions.push(session);
  const answers = session.iterate<{ seen: Change }>({
    query: SUBSCRIPTION,
    variables: { companyId: company.id, ...variables },
  });
  const taken: Change[] = [];
  for await (const { data, errors } of answers) {
    if (errors !== undefined) throw new Error(String(errors[0]?.extensions["code"]));
    if (data) taken.push(data.seen);
    if (taken.length === count) break;
  }
  return taken;
}

const makeCity = (name: string) => gateway.db.city.create({ data: { companyId: company.id, name } });
const make = (name: string) => createGood(gateway, company.id, { name });

const goodsKey = () => makeKey(gateway, company.owner, company.id, { roles: ["access_goods"] });

/** Lets a key be used from a network alone from which nobody reads here. */
async function moveKey(id: number): Promise<void> {
  const input = { networks: ["192.0.2.0/24"] };
  dataOf(await company.owner.run(UPDATE, { companyId: company.id, id, input }));
}

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

  it("names the header whose id is no place of the journal", async () => {
    const headers = { accept: "text/event-stream", "last-event-id": "nonsense" };
    const document = `subscription { changes(companyId: ${company.id}) { id } }`;

    const refused = await company.owner.rest("GET", `/companies/${company.id}/changes`, { headers });
    const subscribed = await company.owner.run(document, {}, headers);

    const message = "is no cursor of the journal of this company";
    const errors = [{ field: "Last-Event-ID", rule: "cursor", message }];
    expect(refused).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", errors } });
    expect(subscribed.errors).toMatchObject([{ extensions: { code: "BAD_REQUEST", errors } }]);
  });

  it("ends when the caller may read less", async () => {
    const reader = await adminWith(gateway, company.id, "access_goods");
    const stream = await changes("", { by: reader });
    await gateway.db.adminTypeRole.deleteMany({ where: { companyId: company.id } });

    expect((await stream.rest()).filter(({ data }) => data?.["type"] !== "Good")).toEqual([]);
  });

  it("ends when the networks of its key leave out where it is read", async () => {
    const { id, client } = await goodsKey();
    const stream = await changes("types=good", { by: client });
    const good = await make("Before");
    expect(ids(await take(stream, 1))).toEqual([good.id]);

    await moveKey(id);

    expect(await stream.rest()).toEqual([]);
    expect((await changes("types=good", { by: client })).status).toBe(403);
  });

  it("ends when the caller's role is bound to a shop meanwhile, and has nothing of another shop by then", async () => {
    const { companyId, own, other: beyond, owner } = await createTwoShops(gateway);
    const all = await adminWith(gateway, companyId, "access_goods", "can_edit_goods");
    await journalShowsAll(gateway);
    const stream = await followPath(base, all, `/companies/${companyId}/changes?types=good`);
    open.push(stream);
    const rename = ({ goodId }: Shop) =>
      gateway.db.good.update({ where: { companyId_id: { companyId, id: goodId } }, data: { name: "New" } });
    await rename(beyond);
    const [seen] = await take(stream, 1);
    const { adminTypeId } = await gateway.db.adminTypeRole.findFirstOrThrow({
      where: { companyId, role: "can_edit_goods" },
    });

    const bind = `mutation ($c: Int!, $id: Int!, $input: UpdateAdminTypeInput!) {
      updateAdminType(companyId: $c, id: $id, input: $input) { branchGroupIds } }`;
    dataOf(await owner.run(bind, { c: companyId, id: adminTypeId, input: { branchGroupIds: [own.id] } }));
    await rename(beyond);
    await rename(own);
    const rest = await stream.rest();
    const again = await followPath(base, all, `/companies/${companyId}/changes?types=good`, seen?.id ?? "");
    open.push(again);

    expect(ids([seen as Received])).toEqual([beyond.goodId]);
    expect(rest).toEqual([]);
    expect(ids(await take(again, 1))).toEqual([own.goodId]);
  });
});

describe("a subscription to changes", () => {
  /** The cursor of now, behind all that was done before. */
  const now = async (): Promise<string> => {
    await journalShowsAll(gateway);
    const query = `query ($id: Int!) { changes(companyId: $id, after: "now") { pageInfo { endCursor } } }`;
    const { changes: page } = dataOf(await company.owner.run(query, { id: company.id }));
    return (page as { pageInfo: { endCursor: string } }).pageInfo.endCursor;
  };

  it("has each change as the query selects it, from a cursor or from the last event on, through any instance", async () => {
    const after = await now();
    const [one, two] = [await make("One"), await make("Two")];
    await makeCity("Quito");

    const first = await subscribe({ types: ["good"], after }, 1);
    const second = await subscribe({ types: ["Good"], after }, 1, { at: elsewhere, last: first[0]?.cursor });

    expect([first, second]).toEqual([
      [{ cursor: expect.any(String) as string, type: "Good", entityId: one.id, fields: [] }],
      [{ cursor: expect.any(String) as string, type: "Good", entityId: two.id, fields: [] }],
    ]);
  });

  it("has all changes where its lists are empty", async () => {
    const after = await now();
    const [good, city] = [await make("One"), await makeCity("Quito")];

    const seen = await subscribe({ types: [], actions: [], after }, 2);

    expect(seen.map(({ type, entityId }) => [type, entityId])).toEqual([
      ["Good", good.id],
      ["City", city.id],
    ]);
  });

  it.each(SUBSCRIBING_CLIENTS)("is what %s follows by its link", async (_name, takeFirst) => {
    const headers = { authorization: `Bearer ${company.owner.token}` };
    const session = createClient({ url: `${base}/graphql`, headers, retryAttempts: 0 });
    sessions.push(session);
    const after = await now();
    const { id } = await make("Linked");

    const data = await takeFirst(session, SUBSCRIPTION, { companyId: company.id, types: ["Good"], after });

    expect(data).toMatchObject({ seen: { type: "Good", entityId: id, fields: [] } });
  });

  it("begins now when no place is named, and names each change's cursor as id of its event", async () => {
    await make("Before");
    await journalShowsAll(gateway);
    const body = { query: SUBSCRIPTION, variables: { companyId: company.id, types: ["Good"] } };
    const stream = await followUrl(`${base}/graphql`, company.owner.token, { body });
    open.push(stream);
    const { id } = await make("After");

    const [event] = await take(stream, 1);

    expect([stream.status, stream.headers.get("content-type"), event?.event]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
      "next",
    ]);
    const { seen } = (event?.data as unknown as { data: { seen: Change } }).data;
    expect([seen.entityId, seen.cursor]).toEqual([id, event?.id]);
  });

  it.each([
    ["a condition", "changes(companyId: $c) @skip(if: true) { id }"],
    ["a condition that holds", "changes(companyId: $c) @include(if: true) { id }"],
    ["a condition around it", "... @include(if: true) { changes(companyId: $c) { id } }"],
    ["a condition of its fragment", "...F @skip(if: false)"],
    ["a condition in its fragment", "...F", "@skip(if: true)"],
  ])("is refused with %s before it begins", async (_name, selection, within = "") => {
    const fragment = `fragment F on Subscription { changes(companyId: $c) ${within} { id } }`;
    const query = `subscription ($c: Int!) { ${selection} } ${selection.startsWith("...F") ? fragment : ""}`;
    const body = { query, variables: { c: company.id } };

    const [refusal, end, ...rest] = await (
      await followUrl(`${base}/graphql`, company.owner.token, { body })
    ).rest();

    expect(refusal?.data).toMatchObject({
      errors: [
        expect.objectContaining({
          message: expect.stringMatching(/may not depend on @(?:skip|include)/u) as string,
          extensions: { code: "GRAPHQL_VALIDATION_FAILED", status: 400 },
        }),
      ],
    });
    expect([end?.event, rest]).toEqual(["complete", []]);
  });

  it("takes conditions on what it sends of a change", async () => {
    const after = await now();
    const { id } = await make("One");
    const query = `subscription { changes(companyId: ${company.id}, after: "${after}", types: ["Good"]) {
      entityId type @skip(if: true) } }`;
    const stream = await followUrl(`${base}/graphql`, company.owner.token, { body: { query } });
    open.push(stream);

    expect((await take(stream, 1))[0]?.data).toEqual({ data: { changes: { entityId: id } } });
  });

  it("is refused as the query is, before it begins", async () => {
    const reader = await adminWith(gateway, company.id, "access_goods");
    const status = async (variables: object, by: Client) => {
      const body = { query: SUBSCRIPTION, variables: { companyId: company.id, ...variables } };
      const stream = await followUrl(`${base}/graphql`, by.token, { body });
      open.push(stream);
      return stream.status;
    };
    const placeOfOther = async (): Promise<string> => {
      const other = await createCompany(gateway);
      const page = await other.owner.rest("GET", `/companies/${other.id}/changes?cursor=now`);
      return /cursor=(?<cursor>[\w-]+)/u.exec(String(page.headers.link))?.groups?.["cursor"] ?? "";
    };

    expect([
      await status({}, gateway.anonymous),
      await status({ types: ["client"] }, reader),
      await status({ types: ["nonsense"] }, company.owner),
      await status({ after: "nonsense" }, company.owner),
      await status({ after: await placeOfOther() }, company.owner),
      await status({ companyId: null }, company.owner),
    ]).toEqual([401, 403, 422, 400, 400, 422]);
    const response = await fetch(`${base}/graphql`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${company.owner.token}`,
        accept: "text/event-stream",
        "content-type": "application/json",
      },
      body: JSON.stringify({
        query: SUBSCRIPTION,
        variables: { companyId: company.id, types: ["nonsense"] },
      }),
    });
    const { errors } = (await response.json()) as { errors: [{ extensions: { errors: object[] } }] };
    expect(errors[0].extensions.errors).toMatchObject([{ field: "types[0]", rule: "exists" }]);
  });

  it("ends with the error when the caller may read less, or is signed in no more", async () => {
    const reader = await adminWith(gateway, company.id, "access_goods");
    const leaver = await adminWith(gateway, company.id, "access_goods");
    const { id } = await gateway.db.admin.findFirstOrThrow({
      where: { companyId: company.id },
      orderBy: { id: "desc" },
    });
    const less = subscribe({}, Infinity, { by: reader });
    const gone = subscribe({}, Infinity, { by: leaver });
    const refusals = Promise.all([
      expect(less).rejects.toThrow("FORBIDDEN"),
      expect(gone).rejects.toThrow("UNAUTHENTICATED"),
    ]);
    await sleep(200);
    const suspend = "mutation ($c: Int!, $id: Int!) { suspendAdmin(companyId: $c, adminId: $id) { id } }";
    dataOf(await company.owner.run(suspend, { c: company.id, id }));
    await expect(gone).rejects.toThrow();
    await gateway.db.adminTypeRole.deleteMany({ where: { companyId: company.id } });

    await refusals;
  });

  it("ends with the error when the networks of its key leave out where it is read", async () => {
    const { id, client } = await goodsKey();
    const body = { query: SUBSCRIPTION, variables: { companyId: company.id } };
    const stream = await followUrl(`${base}/graphql`, client.token, { body });
    open.push(stream);
    await make("Before");
    expect((await take(stream, 1))[0]?.event).toBe("next");

    await moveKey(id);
    const [error, end, ...rest] = await stream.rest();

    expect(error?.data).toMatchObject({ errors: [{ extensions: { code: "FORBIDDEN" } }] });
    expect([end?.event, rest]).toEqual(["complete", []]);
  });

  it("shares its connection's form with queries, which are one event, and mutations", async () => {
    const headers = { authorization: `Bearer ${company.owner.token}` };
    const session = createClient({ url: `${base}/graphql`, headers, retryAttempts: 0 });
    sessions.push(session);
    const all = async (query: string): Promise<unknown[]> => {
      const answers: unknown[] = [];
      for await (const { data, errors } of session.iterate({ query })) answers.push(data ?? errors?.length);
      return answers;
    };

    expect(await all(`{ company(companyId: ${company.id}) { id } }`)).toEqual([
      { company: { id: company.id } },
    ]);
    expect(await all("{ nothing }")).toEqual([1]);
  });
});
