import { createCompany, unique } from "../support/factories.js";
import { errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { observedApp, type ObservedApp } from "../operations/observed-app.js";
import { addAddress, resident, storedAddresses, UNTYPED, type Resident } from "./addresses.js";

/** Values that stand nowhere else, one for each field of an address. */
const MARKED = {
  name: "MarkedName",
  type: "delivery",
  latitude_e6: 43_210_987,
  longitude_e6: -65_432_109,
  country: "MarkedCountry",
  postal_code: "MarkedPostal",
  state: "MarkedState",
  city: "MarkedCity",
  address: "MarkedAddress",
  address_line_1: "MarkedFirst",
  address_line_2: "MarkedSecond",
  address_line_3: "MarkedThird",
  reference: "MarkedReference",
};
const MARKS = /Marked[A-Z]|43210987|65432109/u;

let gateway: Gateway;
let owner: Resident;
let id: number;
let others: [string, Client, number][];
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  owner = await resident(gateway);
  id = await addAddress(owner, MARKED);
  const { company } = owner;
  const stranger = await resident(gateway);
  // A client of another company may have the same id in its own.
  const twin = await gateway.as({ kind: "client", id: owner.id, companyId: stranger.company.id });
  others = [
    ["no token", gateway.anonymous, 401],
    ["the owner of the company", company.owner, 403],
    ["the platform", gateway.platform, 403],
    ["another client", (await resident(gateway, company)).client, 403],
    ["another company's client", stranger.client, 403],
    ["another company's admin", stranger.company.owner, 403],
    ["a token of nobody with the same id", twin, 401],
  ];
});
afterAll(() => gateway.close());

/** Every request by which somebody could reach the address, with what it may answer another client. */
function requests(): [
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body: object | null,
  client: number,
][] {
  const one = `${owner.all}/${id}`;
  return [
    ["GET", owner.own, null, 403],
    ["GET", `${owner.own}?filter[name]=MarkedName&fields=name`, null, 403],
    ["GET", `${owner.own}?sort=name&cursor=`, null, 403],
    ["POST", owner.own, UNTYPED, 403],
    ["POST", owner.own, {}, 403],
    ["GET", owner.all, null, 200],
    ["GET", one, null, 404],
    ["GET", `${one}?load=client`, null, 404],
    ["PATCH", one, { name: "Stolen" }, 404],
    ["PATCH", one, { name: "" }, 404],
    ["DELETE", one, null, 404],
    ["POST", `${one}/set-selected`, null, 404],
  ];
}

it("shows an address to nobody but its client, by no request, and lets nobody else change it", async () => {
  const before = await storedAddresses(gateway, owner);

  for (const [who, caller, status] of others) {
    for (const [method, path, body, forClient] of requests()) {
      const answer = await caller.rest(method, path, {
        ...(body !== null && { body }),
        headers: { "if-match": '"x"', "idempotency-key": unique() },
      });
      const wanted = who === "another client" ? [forClient, 412] : [status];
      expect([who, method, path, wanted.includes(answer.status), answer.status]).toEqual([
        who,
        method,
        path,
        true,
        answer.status,
      ]);
      expect(JSON.stringify([answer.body, answer.headers])).not.toMatch(MARKS);
    }
  }

  expect(await storedAddresses(gateway, owner)).toEqual(before);
});

it("answers another client's address as one that does not exist", async () => {
  const [, client] = others.find(([who]) => who === "another client")!;
  const unknown = `${owner.all}/2000000000`;

  for (const [method, path, body] of requests().filter(([, , , status]) => status === 404)) {
    const options = body === null ? {} : { body };
    const [mine, none] = [
      await client.rest(method, path, options),
      await client.rest(method, path.replace(`${owner.all}/${id}`, unknown), options),
    ];
    expect([mine.status, mine.body.detail]).toEqual([404, none.body.detail]);
  }
});

it("is no way around that a relation leads to addresses", async () => {
  const CLIENTS = "query ($c: Int!) { clients(companyId: $c) { nodes { id addresses { name } } } }";
  const CARTS = "query ($c: Int!) { carts(companyId: $c) { nodes { client { addresses { name } } } } }";
  const ME = "{ me { client { addresses { name client { addresses { id } } } } } }";
  const c = owner.company.id;
  await gateway.db.cart.create({ data: { companyId: c, clientId: owner.id } });

  for (const caller of [owner.company.owner, gateway.platform]) {
    for (const [query, at] of [
      [CLIENTS, "clients"],
      [CARTS, "carts"],
    ] as const) {
      const result = await caller.run(query, { c });
      expect(errorCodes(result)).toEqual(["FORBIDDEN"]);
      expect(result.errors?.[0]?.path?.at(-1)).toBe("addresses");
      expect(result.data?.[at].nodes.length).toBeGreaterThan(0);
      expect(JSON.stringify(result)).not.toMatch(MARKS);
    }
  }
  const own = await owner.client.run(CARTS, { c });
  const me = await owner.client.run(ME);

  expect(own.data?.["carts"].nodes).toEqual([{ client: { addresses: [{ name: "MarkedName" }] } }]);
  expect(me.data?.["me"].client.addresses).toEqual([{ name: "MarkedName", client: { addresses: [{ id }] } }]);
});

it("shows a client its own addresses alone, in each list, page, count and file", async () => {
  const other = await resident(gateway, owner.company);
  const mine = await addAddress(other, { ...MARKED, name: "Other" });
  const LIST = `query ($c: Int!, $k: Int!) {
    clientAddresses(companyId: $c, clientId: $k) { totalCount nodes { id } }
    missingClientAddresses(companyId: $c) { totalCount }
  }`;

  const { data } = await other.client.run(LIST, { c: owner.company.id, k: other.id });
  const csv = await other.client.rest("GET", `${other.own}?format=csv`);
  const filtered = await other.client.rest("GET", `${other.own}?filter[name][starts_with]=Marked`);
  const negated = await other.client.rest("GET", `${other.own}?filter[id][ne]=${mine}`);

  expect(data?.["clientAddresses"]).toEqual({ totalCount: 1, nodes: [{ id: mine }] });
  expect(data?.["missingClientAddresses"]).toEqual({ totalCount: 0 });
  // Addresses are no list with a file: the answer is that of the list.
  expect([csv.status, JSON.stringify(csv.body)]).toEqual([200, expect.stringContaining('"Other"')]);
  expect(JSON.stringify(csv.body)).not.toContain("MarkedName");
  expect([filtered.body, negated.body]).toEqual([[], []]);
});

describe("what is written about requests", () => {
  let observed: ObservedApp;
  beforeEach(async () => {
    observed = await observedApp(gateway, { LOG_LEVEL: "trace" });
  });
  afterEach(() => observed.app.close());

  it("holds no value of an address: no log line, no metric, no kept answer, no job", async () => {
    const authorization = `Bearer ${owner.client.token}`;
    const send = (method: "GET" | "POST" | "PATCH" | "DELETE", url: string, payload?: object) =>
      observed.app.inject({
        method,
        url,
        headers: { authorization, "idempotency-key": `${method}-${url}`.slice(0, 60) },
        ...(payload !== undefined && { payload }),
      });
    const query = `mutation { createClientAddress(companyId: ${owner.company.id}, clientId: ${owner.id}, input: {
      name: "MarkedInline", address: "MarkedInline" }) { id address } }`;

    const made = await send("POST", `/api${owner.own}`, MARKED);
    const answers = [
      await send("PATCH", `/api${owner.all}/${id}`, { name: "MarkedAnew", type: "MarkedType" }),
      await send("PATCH", `/api${owner.all}/${id}`, { name: "MarkedAnew" }),
      await send("GET", `/api${owner.own}?filter[name]=MarkedName&sort=MarkedSort`),
      await send("GET", `/api${owner.own}?filter[name]=MarkedName`),
      await send("POST", `/api${owner.all}/${id}/set-selected`),
      await send("POST", "/graphql", { query }),
      await send("DELETE", `/api${owner.all}/${id}`),
    ];
    const metrics = await observed.app.inject({ method: "GET", url: "/metrics" });
    const kept = await gateway.db.$queryRawUnsafe<{ text: string }[]>(
      "SELECT k::text || encode(answer, 'escape') AS text FROM idempotency_keys k",
    );
    const jobs = await gateway.db.$queryRawUnsafe<{ text: string }[]>(
      "SELECT j::text AS text FROM graphile_worker._private_jobs j",
    );

    expect([made, ...answers].map(({ statusCode }) => statusCode)).toEqual([
      201, 422, 200, 400, 200, 200, 200, 204,
    ]);
    expect(made.body).toMatch(MARKS);
    expect(observed.requests().length).toBeGreaterThan(7);
    expect(observed.log()).not.toMatch(MARKS);
    expect(metrics.body).not.toMatch(MARKS);
    expect(kept.length).toBeGreaterThan(0);
    expect(JSON.stringify([kept, jobs])).not.toMatch(MARKS);
  });
});

describe("the walls behind", () => {
  it("refuses statements that do not name whose addresses they reach", async () => {
    const where = { companyId: owner.company.id };

    await expect(gateway.db.clientAddress.findMany({ where })).rejects.toThrow(
      /without a client_id condition/u,
    );
    await expect(gateway.db.clientAddress.deleteMany({ where })).rejects.toThrow(/client_id/u);
    await expect(
      gateway.db.$queryRaw`SELECT name FROM client_addresses WHERE company_id = ${where.companyId}`,
    ).rejects.toThrow(/client_id/u);
    expect(await storedAddresses(gateway, owner)).toHaveLength(1);
  });

  it("keeps the addresses of two companies' clients apart in the database", async () => {
    const { id: foreign } = await createCompany(gateway);

    await expect(
      gateway.db.clientAddress.create({ data: { companyId: foreign, clientId: owner.id, ...UNTYPED } }),
    ).rejects.toThrow();
  });
});
