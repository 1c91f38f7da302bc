import { createHash } from "node:crypto";
import type { InjectOptions } from "fastify";
import { createCompany, unique } from "../support/factories.js";
import { saidBy, startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const JSON_TYPE = { "content-type": "application/json" };
const RESPONSE_TYPE = "application/graphql-response+json";
const QUERY = "{ __typename }";

async function ask(request: InjectOptions): Promise<{ status: number; type: string; body: any }> {
  const { statusCode, headers, body } = await gateway.app.inject({ url: "/graphql", ...request });
  return { status: statusCode, type: String(headers["content-type"]), body: JSON.parse(body) };
}

describe("an answer", () => {
  it.each<[string, InjectOptions, number]>([
    ["of Apollo", { query: { query: QUERY }, headers: { "apollo-require-preflight": "1" } }, 200],
    ["of a query by POST", { method: "POST", headers: JSON_TYPE, payload: { query: QUERY } }, 200],
    ["of the same, past Apollo", { method: "POST", headers: JSON_TYPE, payload: { query: QUERY } }, 200],
    ["with errors", { method: "POST", headers: JSON_TYPE, payload: { query: "{ me { id } }" } }, 200],
    ["that is no GraphQL", { method: "POST", headers: JSON_TYPE, payload: { query: "{" } }, 200],
    ["of a query by GET that another site may have sent", { query: { query: QUERY } }, 400],
    [
      "over a limit",
      { method: "POST", headers: JSON_TYPE, payload: { query: `{${" id".repeat(5_000)}}` } },
      400,
    ],
    ["that is no JSON", { method: "POST", headers: JSON_TYPE, payload: "{" }, 400],
    ["of an unknown method", { method: "PUT" }, 405],
    ["of an unknown path", { url: "/graphql/nothing" }, 404],
    ["for browsers", { headers: { accept: "text/html" } }, 200],
  ])("is private and kept by no cache: %s", async (_what, request, status) => {
    const answer = await gateway.app.inject({ url: "/graphql", ...request });

    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([status, "private, no-store"]);
  });
});

describe("persisted queries", () => {
  const sha256Hash = createHash("sha256").update(QUERY).digest("hex");
  const extensions = { persistedQuery: { version: 1, sha256Hash } };

  it("are learnt by their hash and then run by it, also over GET", async () => {
    const post = (payload: object) => ask({ method: "POST", headers: JSON_TYPE, payload });

    const unknown = await post({ extensions });
    const taught = await post({ query: QUERY, extensions });
    const known = await post({ extensions });
    const got = await ask({
      headers: { "apollo-require-preflight": "true" },
      query: { extensions: JSON.stringify(extensions) },
    });

    expect(unknown.body["errors"][0].extensions.code).toBe("PERSISTED_QUERY_NOT_FOUND");
    for (const { status, body } of [taught, known, got]) {
      expect([status, body["data"]]).toEqual([200, { __typename: "Query" }]);
    }
  });

  it("are refused under the hash of another document", async () => {
    const answer = await ask({
      method: "POST",
      headers: JSON_TYPE,
      payload: { query: "{ me { id } }", extensions },
    });

    expect(answer.status).toBe(400);
    expect(answer.body["errors"][0].message).toMatch(/sha/iu);
  });
});

describe("an operation that is not in the document", () => {
  it.each([
    ["by another name", { query: "query A { __typename }", operationName: "B" }, /"B"/u],
    ["by no name among several", { query: "query A { __typename } query B { __typename }" }, /several/u],
  ])("is refused: %s", async (_case, payload, message) => {
    const answer = await ask({ method: "POST", headers: { ...JSON_TYPE, accept: RESPONSE_TYPE }, payload });

    expect([answer.status, answer.body["errors"][0].extensions.code]).toEqual([
      400,
      "OPERATION_RESOLUTION_FAILURE",
    ]);
    expect(answer.body["errors"][0].message).toMatch(message);
  });
});

describe("GET", () => {
  it("runs queries and answers in the type that was asked for", async () => {
    const answer = await ask({
      headers: { "apollo-require-preflight": "true", accept: RESPONSE_TYPE },
      query: { query: QUERY },
    });

    expect(answer).toMatchObject({ status: 200, body: { data: { __typename: "Query" } } });
    expect(answer.type).toMatch(RESPONSE_TYPE);
  });

  it("runs no mutation", async () => {
    const answer = await ask({
      headers: { "apollo-require-preflight": "true" },
      query: { query: "mutation { __typename }" },
    });

    expect(answer.status).toBe(405);
    expect(answer.body.errors[0].extensions).toEqual({ code: "METHOD_NOT_ALLOWED", status: 405 });
  });
});

describe("a body that is no GraphQL request", () => {
  it.each([
    ["malformed JSON", "{", "application/json", 400],
    ["an empty body", "", "application/json", 400],
    ["a list", "[]", "application/json", 400],
    ["null", "null", "application/json", 400],
    ["a form", "query=1", "application/x-www-form-urlencoded", 415],
    ["text, which other sites may send", QUERY, "text/plain", 415],
    ["bare GraphQL", QUERY, "application/graphql", 415],
    ["a type that is none", QUERY, "nonsense", 415],
    ["no UTF-8", Buffer.from('{"query":"{ __typename } #\xff"}', "latin1"), "application/json", 400],
    ["another charset", JSON.stringify({ query: QUERY }), "application/json; charset=utf-16", 415],
    ["more than 1 MB", JSON.stringify({ query: "#".repeat(1_100_000) }), "application/json", 413],
  ])("is refused in GraphQL's form: %s", async (_name, payload, contentType, status) => {
    for (const accept of ["application/json", RESPONSE_TYPE]) {
      const answer = await ask({ method: "POST", headers: { "content-type": contentType, accept }, payload });

      expect(answer.status).toBe(status);
      expect(answer.type).toBe(`${accept}; charset=utf-8`);
      expect(Object.keys(answer.body)).toEqual(["errors", "extensions"]);
      expect(answer.body["errors"][0]).toMatchObject({
        message: expect.any(String),
        extensions: { code: expect.stringMatching(/^[A-Z_]+$/u) },
      });
    }
  });
});

it.each([
  ["a document that cannot be read", "{"],
  ["a document that does not fit the schema", "{ nothing }"],
])("%s: 200 in application/json, 400 in GraphQL's own type", async (_name, query) => {
  const request = (accept: string) =>
    ask({ method: "POST", headers: { ...JSON_TYPE, accept }, payload: { query } });

  const [plain, own] = [await request("application/json"), await request(RESPONSE_TYPE)];

  expect([plain.status, own.status]).toEqual([200, 400]);
  expect(saidBy(plain.body)).toEqual(saidBy(own.body));
  expect(plain.body).not.toHaveProperty("data");
});

it("answers JSON to whom no other type would do either, as REST does, and what takes effect is answered", async () => {
  const { id, owner } = await createCompany(gateway);
  const asked = { ...JSON_TYPE, authorization: `Bearer ${owner.token}` };
  const rename = (accept: string, query: string) =>
    ask({ method: "POST", headers: { ...asked, accept }, payload: { query } });
  const refused = `mutation { deleteGood(companyId: ${id}, id: 2147483647) { id } }`;

  for (const accept of ["text/csv", "image/png;q=0.3", "text/html", "application/ld+json"]) {
    const name = unique();
    const query = `mutation { updateCompany(companyId: ${id}, input: { name: "${name}" }) { name } }`;
    // The second answer goes past Apollo.
    for (const answer of [await rename(accept, query), await rename(accept, query)]) {
      expect([accept, answer.status, answer.type]).toEqual([accept, 200, "application/json; charset=utf-8"]);
      expect(answer.body.data).toEqual({ updateCompany: { name } });
    }
    expect(await gateway.db.company.findUnique({ where: { id } })).toMatchObject({ name });
    const error = await rename(accept, refused);
    expect([error.status, error.body.errors[0].extensions.status]).toEqual([200, 404]);
    const rest = await owner.rest("PATCH", `/companies/${id}`, { body: { name }, headers: { accept } });
    expect([rest.status, rest.body.name]).toEqual([200, name]);
  }
  const unreadable = await rename("text/csv", "{");
  expect([unreadable.status, unreadable.type]).toEqual([200, "application/json; charset=utf-8"]);
});

it.each([
  ["text/event-stream", "text/event-stream"],
  ["text/event-stream, application/json;q=0.9", "text/event-stream"],
  ["application/json, text/event-stream", "application/json"],
  ["application/json, text/event-stream;q=0.1", "application/json"],
  ["application/json, text/event-stream;q=0", "application/json"],
  ["text/event-stream;q=0", "application/json"],
])("answers a query by Accept: %s as %s", async (accept, type) => {
  const answer = await gateway.app.inject({
    method: "POST",
    url: "/graphql",
    headers: { ...JSON_TYPE, accept },
    payload: { query: QUERY },
  });

  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, `${type}; charset=utf-8`]);
});

it("answers 415 for a body that is compressed", async () => {
  const answer = await ask({
    method: "POST",
    headers: { ...JSON_TYPE, "content-encoding": "gzip" },
    payload: { query: QUERY },
  });

  expect([answer.status, answer.body["errors"][0].extensions]).toEqual([
    415,
    { code: "UNSUPPORTED_MEDIA_TYPE", status: 415 },
  ]);
});

it("refuses a subscription that does not ask for events", async () => {
  for (const accept of ["application/json", RESPONSE_TYPE, "text/csv", "text/event-stream;q=0"]) {
    const subscription = "subscription B { changes(companyId: 1) { type } }";
    const payload = { query: `query A { __typename } ${subscription}`, operationName: "B" };
    const answer = await ask({ method: "POST", headers: { ...JSON_TYPE, accept }, payload });

    expect([answer.status, saidBy(answer.body)]).toEqual([
      400,
      {
        errors: [
          {
            message: expect.stringMatching(/Accept: text\/event-stream/u),
            extensions: { code: "BAD_REQUEST", status: 400 },
          },
        ],
      },
    ]);
  }
});
