import { createHash } from "node:crypto";
import { observedApp, type ObservedApp } from "../operations/observed-app.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const RATE_LIMIT = 1_000;

let gateway: Gateway;
let company: TestCompany;
let observed: ObservedApp;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  for (let made = 0; made < 30; made += 1)
    await createGood(gateway, company.id, { details: "d".repeat(2_000) });
  observed = await observedApp(gateway, { COST_LIMIT: "90", RATE_LIMIT: String(RATE_LIMIT) });
});
beforeEach(() => observed.forget());
afterAll(async () => {
  await observed.app.close();
  await gateway.close();
});

const send = async (payload: object, { app } = observed, { owner } = company) => {
  const response = await app.inject({
    method: "POST",
    url: "/graphql",
    headers: { authorization: `Bearer ${String(owner.token)}` },
    payload,
  });
  const { errors, extensions } = response.json();
  return { status: response.statusCode, code: errors[0].extensions.code as string, cost: extensions.cost };
};
const line = ({ requests } = observed) => {
  const [{ operation, principal, code } = {}] = requests();
  return { operation, principal, code };
};
const goods = (first: number) =>
  `{ goods(companyId: ${company.id}, first: ${first}) { nodes { id details } } }`;
const NOTHING = { requested: 0, used: 0, left: expect.any(Number) };

it.each([
  ["no query", {}, "BAD_REQUEST"],
  ["a document that is no GraphQL", { query: "{ goods(" }, "GRAPHQL_PARSE_FAILED"],
  ["a document that does not fit the schema", { query: "{ nothing }" }, "GRAPHQL_VALIDATION_FAILED"],
  [
    "an operation that is not there",
    { query: "query A { __typename }", operationName: "B" },
    "OPERATION_RESOLUTION_FAILURE",
  ],
  [
    "a hash that is not known",
    { extensions: { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } } },
    "PERSISTED_QUERY_NOT_FOUND",
  ],
  [
    "too many aliases",
    { query: `{ ${Array.from({ length: 60 }, (_, index) => `a${index}: __typename`).join(" ")} }` },
    "BAD_REQUEST",
  ],
])("tells the cost of %s, and the log says who asked and the code", async (_name, payload, code) => {
  const answer = await send(payload);

  expect([answer.code, answer.cost]).toEqual([code, NOTHING]);
  expect(line()).toEqual({ operation: "none", principal: `admin:${company.ownerId}`, code });
});

it("tells the cost of an operation that costs too much, before it runs", async () => {
  const answer = await send({ query: goods(200) });

  expect(answer).toEqual({
    status: 400,
    code: "BAD_REQUEST",
    cost: { requested: 241, limit: 90, used: 0, left: expect.any(Number) },
  });
  expect(line()).toEqual({ operation: "goods", principal: `admin:${company.ownerId}`, code: "BAD_REQUEST" });
});

it("tells the cost of an operation that is stopped while it runs", async () => {
  const answer = await send({ query: goods(60) });

  expect(answer).toEqual({
    status: 400,
    code: "BAD_REQUEST",
    cost: {
      requested: expect.any(Number),
      limit: 90,
      used: expect.any(Number),
      left: expect.any(Number),
    },
  });
  expect(answer.cost.requested).toBeGreaterThan(90);
  expect(answer.cost.used).toBeGreaterThan(0);
});

it("counts all that an operation came to which is stopped while it runs, on both faces", async () => {
  const own = await createCompany(gateway);
  const details = "d".repeat(100_000);
  const [{ id }] = [
    await createGood(gateway, own.id, { details }),
    await createGood(gateway, own.id, { details }),
  ];
  const small = await observedApp(gateway, { COST_LIMIT: "1000", RATE_LIMIT: "10" });
  const good = `good(companyId: ${own.id}, id: ${id}) { details }`;
  const list = async () => {
    const headers = { authorization: `Bearer ${own.owner.token}` };
    const answer = await small.app.inject({ url: `/api/companies/${own.id}/goods?per_page=2`, headers });
    return [answer.statusCode, answer.json().errors[0].rule, answer.headers["ratelimit-remaining"]];
  };

  const answer = await send({ query: `{ a: ${good} b: ${good} }` }, small, own);
  const listed = await list();
  await small.app.close();

  expect([answer.status, answer.code]).toEqual([400, "BAD_REQUEST"]);
  expect(answer.cost.requested).toBeGreaterThan(1_000);
  expect(answer.cost.left).toBe(8_000);
  expect(listed).toEqual([400, "cost", "6"]);
});

it("tells the cost of a document that came by its hash, and is stopped while it runs", async () => {
  const query = goods(60);
  const sha256Hash = createHash("sha256").update(query).digest("hex");
  const extensions = { persistedQuery: { version: 1, sha256Hash } };
  const known = await send({ query, extensions });

  const answer = await send({ extensions });

  expect([answer.status, answer.code]).toEqual([400, "BAD_REQUEST"]);
  expect(answer.cost.requested).toBe(known.cost.requested);
});

it("tells what is left when other requests have used it up meanwhile", async () => {
  const { app } = await observedApp(gateway, { RATE_LIMIT: "100" });
  const query = `{ goods(companyId: ${company.id}, first: 200) { nodes {
    properties { displayName property { propertyOptions { name } } } } } }`;
  const headers = { authorization: `Bearer ${String(company.owner.token)}` };

  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      app.inject({ method: "POST", url: "/graphql", headers, payload: { query } }),
    ),
  );
  await app.close();

  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.map((answer) => answer.json().extensions.cost.left)).toEqual(
    refused.map((answer) => Number(answer.headers["ratelimit-remaining"]) * 1_000),
  );
});

it("tells that nothing is left beyond the rate limit", async () => {
  const one = await observedApp(gateway, { RATE_LIMIT: "1" });
  const payload = { query: "{ __typename" };
  await send(payload, one);
  one.forget();

  const answer = await send(payload, one);
  await one.app.close();

  expect(answer).toEqual({ status: 429, code: "RATE_LIMITED", cost: { requested: 0, used: 0, left: 0 } });
  expect(line(one)).toEqual({
    operation: "none",
    principal: `admin:${company.ownerId}`,
    code: "RATE_LIMITED",
  });
});

it("counts refusals by the code of their first error", async () => {
  await send({});
  await send({ query: "query A { __typename }", operationName: "B" });

  const { body } = await observed.app.inject({ method: "GET", url: "/metrics" });

  const counted = body.split("\n").filter((text) => text.includes('operation="'));
  expect(counted.filter((text) => /operation=""|code="ERROR"/u.test(text))).toEqual([]);
  expect(counted.some((text) => /operation="none".*code="OPERATION_RESOLUTION_FAILURE"/u.test(text))).toBe(
    true,
  );
});
