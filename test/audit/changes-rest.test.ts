import { GOOD_BODY } from "../goods/examples.js";
import { adminWith, createCompany, createGood, type TestCompany } from "../support/factories.js";
import {
  errorCodes,
  startGateway,
  wrongFields,
  type Client,
  type Gateway,
  type RestResult,
} from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
let path: string;
/** The place before anything that a test does. */
let start: string;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  path = `/companies/${company.id}/changes`;
  start = nextOf(await ask("cursor=now"));
});
afterAll(() => gateway.close());

const ask = (query: string, by: Client = company.owner): Promise<RestResult> =>
  by.rest("GET", `${path}?${query}`);

/** The cursor of the link to the next page, which is the only one. */
function nextOf({ headers }: RestResult): string {
  return /^<[^>]+[?&]cursor=(?<cursor>[\w-]+)[^>]*>; rel="next"$/u.exec(String(headers.link))?.groups?.[
    "cursor"
  ] as string;
}

/** Reads on until so many changes have come: a transaction of another database of the server may hold them back. */
async function follow(query: string, count: number, by?: Client): Promise<RestResult> {
  const page = await ask(query, by);
  return page.body.length >= count ? page : follow(query, count, by);
}

const short = ({ body }: RestResult) =>
  (body as Record<string, unknown>[]).map(({ type, action, fields }) => [type, action, fields]);

describe("changes over REST", () => {
  it("have keys and names of fields in snake_case, and the type that GraphQL has", async () => {
    const goods = `/companies/${company.id}/goods`;
    const { body } = await company.owner.rest("POST", goods, { body: GOOD_BODY });
    const changed = await company.owner.rest("PATCH", `${goods}/${body.id}`, {
      body: { name: "Mate", price_e2: 120 },
    });

    const page = await follow(`cursor=${start}&types=good,order`, 2);

    expect(short(page)).toEqual([
      ["Good", "created", []],
      ["Good", "updated", ["name", "price_e2"]],
    ]);
    expect(page.body[1]).toEqual({
      id: expect.any(Number),
      type: "Good",
      action: "updated",
      entity_id: body.id,
      fields: ["name", "price_e2"],
      at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/u),
      request_id: changed.headers["x-request-id"],
      actor_kind: "admin",
      actor_id: company.ownerId,
    });
  });

  it("have a link to what follows on every page, an empty one too, and no total", async () => {
    for (const name of ["A", "B", "C"]) await createGood(gateway, company.id, { name });
    await follow(`cursor=${start}&types=good`, 3);

    const pages: RestResult[] = [];
    for (let cursor = start; pages.length < 4; cursor = nextOf(pages.at(-1) as RestResult))
      pages.push(await ask(`cursor=${cursor}&types=good&per_page=2`));

    expect(pages.map(({ status, body }) => [status, body.length])).toEqual([
      [200, 2],
      [200, 1],
      [200, 0],
      [200, 0],
    ]);
    expect(pages.map(({ headers }) => headers["x-total-count"])).toEqual(Array(4).fill(undefined));
    expect(String(pages[0]?.headers.link)).toContain(`${path}?cursor=`);
    expect(String(pages[0]?.headers.link)).toContain("types=good&per_page=2");
  });

  it("begin with the oldest that is kept, or from now on", async () => {
    await createGood(gateway, company.id);
    await follow(`cursor=${start}&types=Good`, 1);

    const [plain, empty, now] = await Promise.all([
      ask("types=good"),
      ask("types=good&cursor="),
      ask("cursor=now"),
    ]);

    expect(short(plain)).toEqual([["Good", "created", []]]);
    expect(empty.body).toEqual(plain.body);
    expect(now.body).toEqual([]);
    expect((await ask(`cursor=${nextOf(now)}`)).body).toEqual([]);
  });

  it("go on over GraphQL behind a place of REST, and the other way round, by any filter", async () => {
    await createGood(gateway, company.id, { name: "A" });
    const first = await follow(`cursor=${start}&types=good`, 1);
    await createGood(gateway, company.id, { name: "B" });
    const second = await follow(`cursor=${nextOf(first)}&types=good&actions=created,updated`, 1);

    const result = await company.owner.run(
      `query ($companyId: Int!, $after: String) {
        changes(companyId: $companyId, after: $after, filter: { types: ["good"] }) {
          edges { cursor } nodes { id }
        }
      }`,
      { companyId: company.id, after: nextOf(first) },
    );

    const { edges, nodes } = result.data?.["changes"];
    expect(nodes.map(({ id }: { id: number }) => id)).toEqual(
      second.body.map(({ id }: { id: number }) => id),
    );
    expect((await ask(`cursor=${edges.at(-1).cursor}&types=good`)).body).toEqual([]);
    expect((await ask(`cursor=${start}&types=good&actions=deleted,restored`)).body).toEqual([]);
  });

  it("are of areas that the caller may read alone, and refused by name", async () => {
    const reader = await adminWith(gateway, company.id, "access_goods");
    const none = await adminWith(gateway, company.id);
    await createGood(gateway, company.id);
    await gateway.db.client.create({ data: { companyId: company.id, name: "Ana" } });
    await follow(`cursor=${start}&types=good,client`, 2);

    const page = await ask(`cursor=${start}`, reader);
    const refused = await ask("types=good,client", reader);

    expect(new Set(short(page).map(([type]) => type))).toEqual(new Set(["Good"]));
    expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN"]);
    expect((await ask(`cursor=${start}`, none)).body).toEqual([]);
    expect((await ask("", gateway.anonymous)).status).toBe(401);
    expect((await ask("", (await createCompany(gateway)).owner)).status).toBe(403);
  });

  it.each([
    ["types=good,nonsense", 422, "types[1]", "exists"],
    ["types=client_address", 422, "types[0]", "exists"],
    ["actions=created,broken", 400, "actions[1]", "enum"],
    ["cursor=nonsense", 400, "cursor", "cursor"],
    ["cursor=now&page=2", 400, "page", "unknown"],
    ["per_page=201", 400, "per_page", "max"],
  ])("are refused with what is wrong named: %s", async (query, status, field, rule) => {
    const { body, ...answer } = await ask(query);

    expect([answer.status, body.errors]).toEqual([status, [{ field, rule, message: expect.any(String) }]]);
  });

  it("are refused for an unknown type and an unknown action at once, on both faces", async () => {
    const { status, body } = await ask("types=good,zz&actions=qq");
    const graphql = await company.owner.run(
      `query ($c: Int!, $actions: [ChangeAction!]) {
        changes(companyId: $c, filter: { types: ["Good", "zz"], actions: $actions }) { nodes { id } } }`,
      { c: company.id, actions: ["qq"] },
    );

    expect([status, wrongFields(body.errors)]).toEqual([400, ["actions[0]:enum", "types[1]:exists"]]);
    expect(wrongFields(graphql.errors?.[0]?.extensions["errors"])).toEqual([
      "filter.actions[0]:enum",
      "filter.types[1]:exists",
    ]);
  });

  it("behind a place that is not kept any more are 410", async () => {
    await createGood(gateway, company.id);
    const place = nextOf(await follow(`cursor=${start}`, 1));
    await gateway.db.journalEntry.deleteMany({ where: { companyId: company.id } });

    const { status, body } = await ask(`cursor=${place}`);

    expect([status, body.code]).toEqual([410, "CURSOR_EXPIRED"]);
  });

  it.each([
    ["text/event-stream", "text/event-stream"],
    ["application/json, text/event-stream", "text/event-stream"],
    ["TEXT/event-stream;q=0.5, */*;q=0.1", "text/event-stream"],
    ["application/json, text/event-stream;q=0", "application/json"],
    ["application/json, text/event-stream; q=0.1", "application/json"],
    ["text/event-stream;q=0.1, application/*", "application/json"],
    ["text/event-stream;q=0", "application/json"],
    ["*/*", "application/json"],
  ])("come by Accept: %s as %s", async (accept, type) => {
    const { status, headers } = await company.owner.rest("HEAD", path, { headers: { accept } });

    expect([status, headers["content-type"]]).toEqual([200, `${type}; charset=utf-8`]);
  });

  it("behind a place of another company are refused as behind no place, on both faces and as a stream", async () => {
    const other = await createCompany(gateway);
    const place = nextOf(await other.owner.rest("GET", `/companies/${other.id}/changes?cursor=now`));
    const query = `query ($c: Int!, $after: String) { changes(companyId: $c, after: $after) { nodes { id } } }`;

    const refused = await ask(`cursor=${place}`);
    const unknown = await ask("cursor=nonsense");
    const stream = await company.owner.rest("GET", path, {
      headers: { accept: "text/event-stream", "last-event-id": place },
    });
    const graphql = await company.owner.run(query, { c: company.id, after: place });

    expect([refused.status, wrongFields(refused.body.errors)]).toEqual([400, ["cursor:cursor"]]);
    expect(refused.body.detail).toBe(unknown.body.detail);
    expect([stream.status, stream.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(errorCodes(graphql)).toEqual(["BAD_REQUEST"]);
  });
});
