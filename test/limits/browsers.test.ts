import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { createCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const POLICY = {
  "content-security-policy": ["default-src 'none';frame-ancestors 'none'"],
  "x-content-type-options": ["nosniff"],
  "x-frame-options": ["SAMEORIGIN"],
  "referrer-policy": ["no-referrer"],
  "cross-origin-resource-policy": ["cross-origin"],
};

describe("the service towards browsers", () => {
  let gateway: Gateway;
  let url: string;

  beforeAll(async () => {
    gateway = await startGateway({ environment: { CORS_ORIGIN: "https://shop.example" } });
    url = await gateway.app.listen({ port: 0, host: "127.0.0.1" });
  });
  afterAll(() => gateway.close());

  it.each([
    ["data", "/api/companies/1/goods", {}],
    ["data of GraphQL", "/graphql?query={__typename}", { "apollo-require-preflight": "1" }],
    ["a probe", "/healthz", {}],
    ["a file that is not there", "/files/0123456789abcdef0123456789abcdef.jpg", {}],
    ["a path that is unknown", "/nowhere", {}],
    ["a request that names a host which is none", "/healthz", { host: "a b" }],
  ])("answers %s with a policy that allows nothing", async (_, path, headers) => {
    expect(await headersOf(url + path, headers)).toMatchObject(POLICY);
  });

  it("answers a table, which writes its head by itself, with the same policy", async () => {
    const { id, owner } = await createCompany(gateway);
    const table = await headersOf(`${url}/api/companies/${id}/goods?format=csv`, {
      authorization: `Bearer ${String(owner.token)}`,
    });

    expect(table["content-type"]).toEqual([expect.stringMatching(/^text\/csv/u)]);
    expect(table).toMatchObject(POLICY);
  });

  it("keeps what a page says of itself, and says it once", async () => {
    const page = await headersOf(`${url}/graphql`, { accept: "text/html" });

    expect(page["content-security-policy"]).toEqual([expect.stringMatching(/^script-src 'self' /u)]);
    expect(page).toMatchObject({ "x-content-type-options": ["nosniff"] });
  });

  it("lets Apollo Sandbox alone load scripts from elsewhere, and no inline ones", async () => {
    const page = await gateway.app.inject({ url: "/graphql", headers: { accept: "text/html" } });
    const policy = String(page.headers["content-security-policy"]);

    expect([page.statusCode, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(policy).toMatch(/^script-src 'self' https:\/\/embeddable-sandbox\.cdn\.apollographql\.com; /u);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-|\*/u);
    expect(page.body).not.toMatch(/<script(?! src=)|<style| on\w+=| style=/u);
    expect(page.body).toContain('<a href="graphiql">');
  });

  it("lets the configured origins alone read answers, and their headers", async () => {
    const url = "/api/companies/1/goods";
    const own = await gateway.app.inject({ url, headers: { origin: "https://shop.example" } });
    const foreign = await gateway.app.inject({ url, headers: { origin: "https://evil.example" } });

    expect(own.headers["access-control-allow-origin"]).toBe("https://shop.example");
    expect(own.headers["access-control-expose-headers"]).toMatch(
      /X-Request-Id, Traceparent, X-Total-Count, Link, Location, Content-Disposition, ETag/u,
    );
    expect(foreign.headers["access-control-allow-origin"]).not.toBe("https://evil.example");
    for (const { headers } of [own, foreign])
      expect(headers.vary).toBe("Origin, Authorization, Accept, Prefer");
  });

  it.each(["/graphql", "/api/companies/1/goods"])("answers preflights of %s", async (url) => {
    const answer = await gateway.app.inject({
      method: "OPTIONS",
      url,
      headers: {
        origin: "https://shop.example",
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "authorization,idempotency-key",
      },
    });

    expect(answer.statusCode).toBe(204);
    expect(answer.headers["access-control-allow-methods"]).toContain("PATCH");
    expect(answer.headers["access-control-allow-headers"]).toBe("authorization,idempotency-key");
  });

  describe.each([
    ["off", {}],
    [
      "*",
      {
        "access-control-allow-origin": ["*"],
        "access-control-expose-headers": [expect.stringMatching(/^X-Request-Id, .*, Preference-Applied, /u)],
      },
    ],
  ])("with %s for CORS_ORIGIN", (origins, said) => {
    let other: Gateway;
    let base: string;

    beforeAll(async () => {
      other = await startGateway({ on: gateway, environment: { CORS_ORIGIN: origins } });
      base = await other.app.listen({ port: 0, host: "127.0.0.1" });
    });
    afterAll(() => other.close());

    it.each(["/healthz", "/api/companies/1/goods", "/nowhere"])("says so in answers of %s", async (path) => {
      const headers = await headersOf(base + path, { origin: "https://a.example" });

      expect(headers).toMatchObject({ ...POLICY, ...said });
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual(
        Object.keys(said),
      );
    });

    it.each(["/graphql", "/api/companies/1/goods", "/nowhere"])("answers preflights of %s", async (path) => {
      const asks = { origin: "https://a.example", "access-control-request-method": "PATCH" };
      const headers = await headersOf(base + path, asks, "OPTIONS");

      expect(headers).toMatchObject({ ...POLICY, ...said });
      expect(headers["access-control-allow-methods"]).toEqual(
        origins === "*" ? ["GET, HEAD, POST, PUT, PATCH, DELETE"] : undefined,
      );
    });
  });

  it("takes no query without a header that a page of another origin cannot send by itself", async () => {
    const get = (headers: Record<string, string>) =>
      gateway.app.inject({ url: "/graphql?query={__typename}", headers });

    const link = await get({});
    const asked: Record<string, string>[] = [
      { "apollo-require-preflight": "1" },
      { "x-apollo-operation-name": "A" },
      { authorization: `Bearer ${gateway.platform.token}` },
      { "content-type": "application/json" },
    ];
    const taken = await Promise.all(asked.map(get));
    const page = await gateway.app.inject({ url: "/graphql", headers: { accept: "text/html" } });
    const simple = await Promise.all(
      ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"].map((type) =>
        get({ "content-type": type }),
      ),
    );

    for (const refused of [link, ...simple]) {
      expect([refused.statusCode, refused.json().errors[0].extensions]).toEqual([
        400,
        { code: "BAD_REQUEST", status: 400 },
      ]);
      expect(refused.json()).not.toHaveProperty("data");
    }
    for (const answer of taken)
      expect([answer.statusCode, answer.json().data]).toEqual([200, { __typename: "Query" }]);
    expect([page.statusCode, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  });

  it("refuses what a form of another origin could send", async () => {
    const act = await gateway.app.inject({
      url: "/graphql?query=mutation{__typename}",
      headers: { "apollo-require-preflight": "1" },
    });
    const form = (type: string) =>
      gateway.app.inject({
        method: "POST",
        url: "/graphql",
        headers: { "content-type": type },
        payload: '{"query":"{ __typename }"}',
      });

    expect(act.statusCode).toBe(405);
    for (const type of ["text/plain", "application/x-www-form-urlencoded"])
      expect((await form(type)).statusCode).toBe(415);
    expect((await form("multipart/form-data; boundary=a")).statusCode).toBe(400);
  });
});

/** The headers of an answer as they were sent: each with as many values as there were lines of it. */
async function headersOf(
  url: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<IncomingMessage["headersDistinct"]> {
  const sent = request(url, { method, headers }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  await once(answer, "end");
  return answer.headersDistinct;
}
