import { contractVersion } from "../../src/engine/schema/contract-version.js";
import { parse, validate } from "graphql";
import { EXAMPLES } from "../../src/api/explorers/examples.js";
import { sharedSchema as createSchema } from "../support/schema.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const PAGES = ["/", "/graphiql", "/api/docs"];
const PARTS = [
  "/graphiql/explorer.css",
  "/graphiql/start.js",
  "/graphiql/home.js",
  "/graphiql/sandbox.js",
  "/graphiql/session",
  "/graphiql/graphiql.js",
  "/graphiql/graphiql.css",
  "/graphiql/editor-worker.js",
  "/graphiql/json-worker.js",
  "/graphiql/graphql-worker.js",
  "/api/docs/explorer.css",
  "/api/docs/start.js",
  "/api/docs/session",
  "/api/docs/swagger-ui-bundle.js",
  "/api/docs/swagger-ui.css",
  "/api/docs/favicon-32x32.png",
];

describe("the pages of the explorers", () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  async function statusesOf(asked: Gateway, urls: readonly string[]): Promise<Record<string, number>> {
    const statuses: Record<string, number> = {};
    for (const url of urls) statuses[url] = (await asked.app.inject({ url })).statusCode;
    return statuses;
  }

  const all = (urls: readonly string[], status: number): Record<string, number> =>
    Object.fromEntries(urls.map((url) => [url, status]));

  it.each(PAGES)("serves %s under a policy that lets it load from nowhere else", async (url) => {
    const { headers, body } = await gateway.app.inject({ url });
    const policy = String(headers["content-security-policy"]);

    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /u);
    expect(policy).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe-inline|\*/u);
    expect(body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//u);
  });

  it("leads on from / to all that people read, with requests that name the address that was asked", async () => {
    const { body } = await gateway.app.inject({ url: "/", headers: { host: "shop.example:81" } });
    const links = [...body.matchAll(/<a href="(?<path>[^"]+)"/gu)].map(
      ({ groups }) => groups?.["path"] ?? "",
    );
    const commands = [...body.matchAll(/<pre tabindex="0">(?<text>[^<]+)</gu)].map(
      ({ groups }) => groups?.["text"],
    );

    expect(links).toEqual([
      "graphiql",
      "graphql",
      "api/docs",
      "api/docs/contract",
      "api/docs/recipes",
      "api/openapi.json",
    ]);
    const headers = { accept: "text/html" };
    for (const link of links)
      expect([link, (await gateway.app.inject({ url: `/${link}`, headers })).statusCode]).toEqual([
        link,
        200,
      ]);
    expect(commands).toHaveLength(3);
    for (const command of commands) expect(command).toContain("http://shop.example:81/");
    expect(body).toContain(`<span>${contractVersion()}</span>`);
  });

  it.each(["contract", "recipes", "glossary", "changes"])(
    "serves the contract's page %s, whose links lead to what is there",
    async (name) => {
      const { headers, body } = await gateway.app.inject({ url: `/api/docs/${name}` });
      const anchors = async (path: string): Promise<Set<string>> => {
        const page = path === name ? body : (await gateway.app.inject({ url: `/api/docs/${path}` })).body;
        return new Set([...page.matchAll(/ id="(?<id>[^"]+)"/gu)].map(({ groups }) => groups?.["id"] ?? ""));
      };
      const links = [...body.matchAll(/href="(?<to>[^"]+)"/gu)].map(({ groups }) => groups?.["to"] ?? "");

      expect([headers["content-type"], body.includes("<script")]).toEqual([
        "text/html; charset=utf-8",
        false,
      ]);
      for (const link of new Set(links.filter((to) => /^(?:[a-z]*#|[a-z]+$)/u.test(to)))) {
        const [path = "", anchor] = link.split("#");
        const known = await anchors(path === "" ? name : path);
        expect([link, anchor === undefined || known.has(anchor)]).toEqual([link, true]);
      }
    },
  );

  it("serves what the pages need and nothing beside it", async () => {
    const others = [
      "/graphiql/other.js",
      "/graphiql/constructor",
      "/graphiql/__proto__",
      "/graphiql/..%2fpackage.json",
      "/api/docs/package.json",
      "/api/docs/index.html",
    ];

    expect(await statusesOf(gateway, PARTS)).toEqual(all(PARTS, 200));
    expect(await statusesOf(gateway, others)).toEqual(all(others, 404));
    expect((await gateway.app.inject({ url: "/api/docs/" })).headers["location"]).toBe("/api/docs");
  });

  it.each<[string, Record<string, string>]>([
    ["with EXPLORER=off", { EXPLORER: "off" }],
    ["in production", { NODE_ENV: "production" }],
  ])("has no page and no part of one %s", async (_when, environment) => {
    const locked = await startGateway({ on: gateway, environment });
    const urls = [...PAGES, "/api/docs/", ...PARTS];

    expect(await statusesOf(locked, urls)).toEqual(all(urls, 404));
    await locked.close();
  });
});

describe("the examples of GraphiQL", () => {
  const { schema } = createSchema();

  it("have a query and a mutation among them, each under a name of its own", () => {
    const names = EXAMPLES.map(
      ({ query }) => /^(?:query|mutation) (?<name>\w+)/mu.exec(query)?.groups?.["name"],
    );

    expect(new Set(names).size).toBe(EXAMPLES.length);
    for (const kind of ["query", "mutation"]) {
      expect(EXAMPLES.some(({ query }) => query.includes(`\n${kind} `))).toBe(true);
    }
  });

  it.each(EXAMPLES.map(({ query, variables }) => [query, variables] as const))(
    "fit the schema: %s",
    (query, variables) => {
      expect(validate(schema, parse(query))).toEqual([]);
      expect(() => JSON.parse(variables ?? "{}")).not.toThrow();
    },
  );
});
