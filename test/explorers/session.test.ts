import { createTokenKeys } from "../../src/core/access/tokens.js";
import { loadConfig } from "../../src/process/config/config.js";
import { createDatabase } from "../../src/engine/connections/client.js";
import { loadDemoData } from "../../src/demo/load.js";
import { demoSession } from "../../src/demo/demo-session.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";

const SESSIONS = ["/graphiql/session", "/api/docs/session"];
const WHO = "{ me { kind companyId admin { email } client { id } } }";

describe("the session of the explorers", () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway({ own: "database", environment: { DEMO_DATA: "on" } });
    const database = await createDatabase({ url: gateway.ownerUrl });
    await loadDemoData(database);
    await database.close();
  });
  afterAll(() => gateway.close());

  async function demoOf(asked: Gateway, url: string, headers: Record<string, string> = {}): Promise<any> {
    const answer = await asked.app.inject({ url, headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["cache-control"]).toBe("no-store");
    return answer.json<{ demo: unknown }>().demo;
  }

  /** Returns the session that a service with another configuration gives for the same data. */
  async function demosWith(environment: Record<string, string>): Promise<unknown[]> {
    const other = await startGateway({ on: gateway, environment });
    const demos = [];
    for (const url of SESSIONS) demos.push(await demoOf(other, url));
    await other.close();
    return demos;
  }

  it.each(SESSIONS)("%s signs in as the owner of the demo company and as a client of it", async (url) => {
    const demo = await demoOf(gateway, url, { "sec-fetch-site": "same-origin" });

    const owner = dataOf(await gateway.withToken(demo.token).run(WHO))["me"];
    const client = dataOf(await gateway.withToken(demo.clientToken).run(WHO))["me"];

    expect(Object.keys(demo).sort()).toEqual(["clientToken", "email", "token"]);
    expect(owner).toMatchObject({ kind: "admin", companyId: 1, admin: { email: demo.email } });
    expect(client).toMatchObject({ kind: "client", companyId: 1, admin: null });
  });

  it.each<[string, Record<string, string>]>([
    ["a script of the page", { "sec-fetch-site": "same-origin", host: "127.0.0.1:4000" }],
    ["a script of the page that names itself", { origin: "http://localhost:4000", host: "localhost:4000" }],
    ["a script of the page in IPv6", { "sec-fetch-site": "same-origin", host: "[::1]:4000" }],
    ["a script of a page below localhost", { "sec-fetch-site": "same-origin", host: "shop.localhost" }],
    ["a tool that is no browser", {}],
  ])("is given to %s", async (_who, headers) => {
    for (const url of SESSIONS) expect(await demoOf(gateway, url, headers)).not.toBeNull();
  });

  it.each<[string, Record<string, string>]>([
    ["a script of another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["a script of another port or subdomain", { "sec-fetch-site": "same-site" }],
    ["who follows a link to it or types its address", { "sec-fetch-site": "none" }],
    [
      "a script of another site whose browser says no more",
      { origin: "https://evil.example", host: "10.0.0.1:4000" },
    ],
    [
      "a script of another port whose browser says no more",
      { origin: "http://10.0.0.1:8080", host: "10.0.0.1:4000" },
    ],
    ["another name that leads here", { "sec-fetch-site": "same-origin", host: "evil.example:4000" }],
    [
      "a name that looks like a loopback",
      { "sec-fetch-site": "same-origin", host: "127.0.0.1.evil.example" },
    ],
    ["another machine", { origin: "http://10.0.0.1:4000", host: "10.0.0.1:4000" }],
    ["a page without an origin", { origin: "null", host: "10.0.0.1:4000" }],
  ])("is not given to %s", async (_who, headers) => {
    for (const url of SESSIONS) expect(await demoOf(gateway, url, headers)).toBeNull();
  });

  it("is given under the public address too, and under no other", async () => {
    const environment = { DEMO_DATA: "on", PUBLIC_URL: "https://demo.example/shop" };
    const shop = await startGateway({ on: gateway, environment });
    const given = async (host: string) =>
      (await demoOf(shop, "/graphiql/session", { "sec-fetch-site": "same-origin", host })) !== null;

    const answers = [];
    for (const host of ["demo.example", "demo.example:443", "demo.example:80", "www.demo.example"])
      answers.push(await given(host));
    await shop.close();

    expect(answers).toEqual([true, true, false, false]);
  });

  it("is not given without demo data", async () => {
    expect(await demosWith({ DEMO_DATA: "off" })).toEqual([null, null]);
  });

  it("is not given in production, even with explorers and demo data on", async () => {
    const environment = { NODE_ENV: "production", EXPLORER: "on", DEMO_DATA: "on" };

    expect(await demosWith(environment)).toEqual([null, null]);
  });

  it("is not given where tokens come from an identity provider", async () => {
    const config = loadConfig({ DATABASE_URL: gateway.url, DEMO_DATA: "on" });
    const keys = createTokenKeys({
      secret: null,
      jwksUrl: "https://id.example/jwks",
      jwtIssuer: "https://id.example",
      jwtAudience: "shop",
    });

    expect(await demoSession(config, gateway.db, keys)).toBeNull();
  });

  it("is not given for a database whose companies are not the demo's", async () => {
    const other = await startGateway({ own: "database", environment: { DEMO_DATA: "on" } });
    const before = await demoOf(other, "/graphiql/session");
    await other.platform.run(
      `mutation { createCompany(input: {
        company: { name: "Acme", domain: "acme", email: "a@acme.example", folderName: "acme" }
        user: { name: "Ana", email: "ana@acme.example", phone: "+15550100123" }
      }) { id } }`,
    );
    const after = await demoOf(other, "/graphiql/session");
    const companies = await other.db.company.count();
    await other.close();

    expect({ before, after, companies }).toEqual({ before: null, after: null, companies: 1 });
  });
});
