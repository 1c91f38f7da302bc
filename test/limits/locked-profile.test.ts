import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getIntrospectionQuery } from "graphql";
import { createCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const NAMES = /GoodOrderField|GoodCountField|PRICE_E2/u;

describe("the locked profile", () => {
  let open: Gateway;
  let locked: Gateway;

  beforeAll(async () => {
    open = await startGateway();
    locked = await startGateway({ on: open, environment: { EXPLORER: "off" } });
  });
  afterAll(async () => {
    await locked.close();
    await open.close();
  });

  it("answers no introspection", async () => {
    const { errors } = await locked.anonymous.run(getIntrospectionQuery());
    const { data } = await locked.anonymous.run("{ __typename }");

    expect(errors?.[0]?.extensions).toMatchObject({ code: "GRAPHQL_VALIDATION_FAILED", status: 400 });
    expect(errors?.map(({ message }) => message)).toContain("Introspection is off.");
    expect(JSON.stringify(errors)).not.toMatch(/apollo/iu);
    expect(data).toEqual({ __typename: "Query" });
  });

  it.each([
    ["a field", "{ good { id } }", {}],
    ["an argument", "{ goods(companyIdd: 1) { totalCount } }", {}],
    ["an enum value", "{ goods(companyId: 1, orderBy: [{ field: NAMEE }]) { totalCount } }", {}],
    [
      "an input field",
      "query Q($o: [GoodOrderByInput!]) { goods(companyId: 1, orderBy: $o) { totalCount } }",
      { o: [{ fiel: "ID" }] },
    ],
  ])("suggests no name for %s that it does not know", async (_what, query, variables) => {
    const there = await open.anonymous.run(query, variables);
    const here = await locked.anonymous.run(query, variables);

    expect(here.errors?.length).toBe(there.errors?.length);
    expect(JSON.stringify(here.errors)).not.toContain("Did you mean");
  });

  it.each([
    ["a word", "{ goods(companyId: 1, orderBy: [{ field: NAMEE }]) { totalCount } }", {}],
    ["a text", '{ goods(companyId: 1, orderBy: [{ field: "x" }]) { totalCount } }', {}],
    [
      "a variable",
      "query Q($id: Int!, $o: [GoodOrderByInput!]) { goods(companyId: $id, orderBy: $o) { totalCount } }",
      { o: [{ field: "NAMEE" }] },
    ],
    ["an argument that is missing", "{ goodCounts(companyId: 1) { value } }", {}],
    ["an argument that is null", "{ goodCounts(companyId: 1, by: null) { value } }", {}],
    ["a number", "{ goodCounts(companyId: 1, by: 1) { value } }", {}],
    [
      "a variable of another type",
      "query Q($by: String!) { goodCounts(companyId: 1, by: $by) { value } }",
      { by: "x" },
    ],
  ])("shows neither the name nor the values of an enum for %s", async (_what, query, variables) => {
    const { id } = await createCompany(open);
    const there = await open.anonymous.run(query, { id, ...variables });
    const here = await locked.anonymous.run(query, { id, ...variables });

    expect(JSON.stringify(there.errors)).toMatch(NAMES);
    expect(here.errors?.map(({ extensions }) => extensions["code"])).toEqual(
      there.errors?.map(({ extensions }) => extensions["code"]),
    );
    expect(JSON.stringify(here.errors)).not.toMatch(NAMES);
  });

  it("has no pages to explore it", async () => {
    const statuses = [];
    for (const url of ["/graphiql", "/api/docs"])
      statuses.push((await locked.app.inject({ url })).statusCode);
    const landing = await locked.app.inject({ url: "/graphql", headers: { accept: "text/html" } });

    expect(statuses).toEqual([404, 404]);
    expect(landing.headers["content-type"]).not.toMatch(/text\/html/u);
  });
});

describe.each(["", "sha256:"])("the safelist whose hashes begin with '%s'", (algorithm) => {
  const LISTED =
    "query Names($companyId: Int!) {\n  goods(companyId: $companyId) {\n    nodes {\n      name\n    }\n  }\n}";
  const hash = createHash("sha256").update(LISTED).digest("hex");
  const OTHER = "query Other($companyId: Int!) { goods(companyId: $companyId) { totalCount } }";
  let folder: string;
  let gateway: Gateway;
  let variables: { companyId: number };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "safelist-"));
    const path = join(folder, "persisted-documents.json");
    await writeFile(path, JSON.stringify({ [`${algorithm}${hash}`]: LISTED }));
    gateway = await startGateway({ environment: { SAFELIST: path } });
    variables = { companyId: (await createCompany(gateway)).id };
  });
  afterAll(async () => {
    await gateway.close();
    await rm(folder, { recursive: true });
  });

  it.each([
    ["its text", { query: LISTED }],
    ["its text in another layout", { query: LISTED.replace(/\s+/gu, " ") }],
    ["its hash", { extensions: { persistedQuery: { version: 1, sha256Hash: hash } } }],
    [
      "its hash with the algorithm",
      { extensions: { persistedQuery: { version: 1, sha256Hash: `sha256:${hash}` } } },
    ],
    ["its document id", { documentId: hash }],
  ])("runs a listed operation by %s", async (_how, body) => {
    const posted = await gateway.app.inject({
      method: "POST",
      url: "/graphql",
      payload: { ...body, variables },
    });
    const got = await gateway.app.inject({
      url: "/graphql",
      headers: { "apollo-require-preflight": "1" },
      query: Object.fromEntries(
        Object.entries({ ...body, variables }).map(([name, value]) => [
          name,
          typeof value === "string" ? value : JSON.stringify(value),
        ]),
      ),
    });

    for (const answer of [posted, got]) {
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({ data: { goods: { nodes: [] } } });
    }
  });

  it.each([
    ["another text", { query: OTHER }],
    [
      "another text under a listed hash",
      { query: OTHER, extensions: { persistedQuery: { version: 1, sha256Hash: hash } } },
    ],
    ["an unknown hash", { extensions: { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } } }],
    ["text that is no GraphQL", { query: "{ goods(" }],
  ])("refuses %s", async (_what, body) => {
    gateway.statements.length = 0;

    const answer = await gateway.app.inject({
      method: "POST",
      url: "/graphql",
      payload: { ...body, variables },
    });

    expect(answer.statusCode).toBe(403);
    expect(answer.json().errors[0].extensions).toMatchObject({ code: "FORBIDDEN", status: 403 });
    expect(gateway.statements).toEqual([]);
  });

  it("does not concern REST", async () => {
    expect((await gateway.anonymous.rest("GET", `/companies/${variables.companyId}/goods`)).status).toBe(200);
  });

  it.each([["[]"], ["{}"], ['{"a": 1}'], ["{"]])(
    "refuses to start with a file that holds %s",
    async (content) => {
      const path = join(folder, "wrong.json");
      await writeFile(path, content);

      await expect(startGateway({ on: gateway, environment: { SAFELIST: path } })).rejects.toThrow(
        /^SAFELIST /u,
      );
    },
  );
});
