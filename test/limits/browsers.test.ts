import { startGateway, type Gateway } from "../support/gateway.js";

const STRICT = "default-src 'none';frame-ancestors 'none'";

describe("the service towards browsers", () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway({ environment: { CORS_ORIGIN: "https://shop.example" } });
  });
  afterAll(() => gateway.close());

  it("answers data with a policy that allows nothing", async () => {
    const answers = [
      await gateway.app.inject({ url: "/api/companies/1/goods" }),
      await gateway.app.inject({ method: "POST", url: "/graphql", payload: { query: "{ __typename }" } }),
      await gateway.app.inject({ url: "/healthz" }),
    ];

    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        "content-security-policy": STRICT,
        "x-content-type-options": "nosniff",
        "x-frame-options": "SAMEORIGIN",
        "referrer-policy": "no-referrer",
      });
    }
  });

  it("lets Apollo Sandbox alone load scripts from elsewhere, and no inline ones", async () => {
    const page = await gateway.app.inject({ url: "/graphql", headers: { accept: "text/html" } });
    const policy = String(page.headers["content-security-policy"]);

    expect(page.statusCode).toBe(200);
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
      /X-Request-Id, Traceparent, X-Total-Count, Link, Location, ETag/u,
    );
    expect(foreign.headers["access-control-allow-origin"]).not.toBe("https://evil.example");
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

  it("says nothing of other origins when that is off", async () => {
    const closed = await startGateway({ on: gateway, environment: { CORS_ORIGIN: "off" } });
    const { headers } = await closed.app.inject({
      url: "/healthz",
      headers: { origin: "https://a.example" },
    });
    await closed.close();

    expect(headers).not.toHaveProperty("access-control-allow-origin");
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
    expect([page.statusCode, page.headers["content-type"]]).toEqual([200, "text/html"]);
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
