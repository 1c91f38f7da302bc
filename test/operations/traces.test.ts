import { jpeg } from "../files/pictures.js";
import { localStore, type TestStore } from "../files/uploads.js";
import { startWebServer, type WebServer } from "../files/web-server.js";
import { createGood, goodPath, KINDS } from "../goods/good-pictures.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { startReceiver, type Receiver } from "../webhooks/receiver.js";
import { send } from "../webhooks/sending.js";
import { asking, webhookOf } from "../webhooks/webhooks.js";
import { observedApp } from "./observed-app.js";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLERS = `00-${TRACE}-00f067aa0ba902b7-01`;
const OWN = new RegExp(`^00-${TRACE}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`, "u");

let web: WebServer;
let store: TestStore;
let receiver: Receiver;
let gateway: Gateway;
let company: TestCompany;
const ask = asking(() => company);
beforeAll(async () => {
  web = await startWebServer();
  store = await localStore();
  receiver = await startReceiver();
  const FETCH_ALLOW = `${web.host},${receiver.host}`;
  gateway = await startGateway({ own: "database", environment: { STORAGE_URL: store.url, FETCH_ALLOW } });
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
  await store.close();
  await web.close();
});

const rename = (id: number, name: string, headers: Record<string, string>) =>
  company.owner.rest("PATCH", goodPath(company.id, id), { body: { name }, headers });

describe("traceparent", () => {
  it("stands in the answer and in the log, below the caller's", async () => {
    const observed = await observedApp(gateway);
    const { headers } = await observed.app.inject({
      url: `/api/companies/${company.id}/goods/1`,
      headers: { traceparent: CALLERS },
    });
    const graphql = await observed.app.inject({
      method: "POST",
      url: "/graphql",
      headers: { traceparent: CALLERS },
      payload: { query: "{ me { id } }" },
    });
    const [line] = observed.requests();
    await observed.app.close();

    expect(headers["traceparent"]).toMatch(OWN);
    expect(graphql.headers["traceparent"]).toMatch(OWN);
    expect(line).toMatchObject({ traceId: TRACE, spanId: headers["traceparent"]?.toString().split("-")[2] });
  });

  it("is new where the caller's is none", async () => {
    const { headers } = await company.owner.rest("GET", `/companies/${company.id}/goods/1`, {
      headers: { traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01` },
    });

    expect(headers["traceparent"]).toMatch(/^00-(?!0{32})[0-9a-f]{32}-[0-9a-f]{16}-00$/u);
  });

  it("goes with what is fetched for the request, and only where the caller named one", async () => {
    const { id } = await createGood(gateway, company.id);
    const [{ action, least }] = KINDS;
    const url = web.serve("/a.jpg", await jpeg(least));
    const fetch = (headers: Record<string, string>) =>
      company.owner.rest("POST", `${goodPath(company.id, id)}/${action}`, { body: { url }, headers });

    expect((await fetch({})).status).toBe(200);
    const { status, headers } = await fetch({ traceparent: CALLERS });

    expect(status).toBe(200);
    expect(web.requests.map((request) => request.headers["traceparent"])).toEqual([
      undefined,
      headers["traceparent"],
    ]);
  });

  it("goes with the messages of webhooks about what the request changed, each attempt in a span of its own", async () => {
    const { id } = await createGood(gateway, company.id);
    webhookOf(await ask.create({ url: receiver.url, types: ["Good"], actions: ["updated"] }));
    expect((await rename(id, "First", { traceparent: CALLERS })).status).toBe(200);
    expect((await rename(id, "Second", {})).status).toBe(200);

    await send(gateway, 3);

    const [first, second] = receiver.received.map(({ headers }) => headers["traceparent"]);
    expect(receiver.received).toHaveLength(2);
    expect(first).toMatch(OWN);
    expect(second).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/u);
    expect(second).not.toContain(TRACE);
  });
});
