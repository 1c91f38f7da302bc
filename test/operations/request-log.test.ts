import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createAccount, PASSWORD } from "../auth/accounts.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";
import { observedApp, type ObservedApp } from "./observed-app.js";

let gateway: Gateway;
let acme: TestCompany;
let observed: ObservedApp;
beforeAll(async () => {
  gateway = await startGateway();
  acme = await createCompany(gateway);
  observed = await observedApp(gateway);
});
afterAll(async () => {
  await observed.app.close();
  await gateway.close();
});
beforeEach(() => observed.forget());

const bearer = () => ({ authorization: `Bearer ${acme.owner.token}` });

it("describes a REST request in one line", async () => {
  const { id } = await createGood(gateway, acme.id);

  const { headers } = await observed.app.inject({
    method: "GET",
    url: `/api/companies/${acme.id}/goods/${id}?fields=id`,
    headers: bearer(),
  });

  expect(observed.requests()).toEqual([
    {
      level: 30,
      time: expect.any(Number),
      msg: "request",
      requestId: headers["x-request-id"],
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/u),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/u),
      face: "rest",
      operation: "ShowGood",
      method: "GET",
      path: `/api/companies/${acme.id}/goods/${id}`,
      status: 200,
      ms: expect.any(Number),
      statements: expect.any(Number),
      sqlMs: expect.any(Number),
      principal: `admin:${acme.ownerId}`,
      companyId: acme.id,
    },
  ]);
});

it("describes a GraphQL request by its root fields, the name that the caller chose, and what refused it", async () => {
  const query = `query Wanted { good(companyId: ${acme.id}, id: 2000000000) { id } }`;

  await observed.app.inject({
    method: "POST",
    url: "/graphql",
    headers: { "x-request-id": "mine-1" },
    payload: { query },
  });

  expect(observed.requests()).toEqual([
    expect.objectContaining({
      requestId: "mine-1",
      face: "graphql",
      operation: "good",
      documentName: "Wanted",
      code: "NOT_FOUND",
      principal: "anonymous",
      companyId: acme.id,
    }),
  ]);
});

it("gives each request its own statements, however many run at once", async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => createGood(gateway, acme.id)));
  const one = { method: "GET", url: `/api/companies/${acme.id}/goods/${ids[0]?.id}` } as const;
  const forget = keepRemembered();
  await observed.app.inject(one);
  observed.forget();
  await observed.app.inject(one);
  const [alone] = observed.requests();
  observed.forget();

  await Promise.all(
    ids.map(({ id }) => observed.app.inject({ ...one, url: `/api/companies/${acme.id}/goods/${id}` })),
  );
  forget();

  expect(alone?.["statements"]).toBeGreaterThan(0);
  expect(observed.requests().map(({ statements }) => statements)).toEqual(
    ids.map(() => alone?.["statements"]),
  );
});

it("has one line for a request that took too long, also when its answer is there in the end", async () => {
  const late = await observedApp(gateway, { REQUEST_TIMEOUT_MS: "500" });
  const blocker = new pg.Client({ connectionString: gateway.url });
  await blocker.connect();
  const headers = bearer();
  const query = `{ goods(companyId: ${acme.id}) { nodes { id } } }`;
  await blocker.query("BEGIN; LOCK TABLE goods IN ACCESS EXCLUSIVE MODE");

  const answers = await Promise.all([
    late.app.inject({ method: "GET", url: `/api/companies/${acme.id}/goods`, headers }),
    late.app.inject({ method: "POST", url: "/graphql", headers, payload: { query } }),
  ]);
  await blocker.query("ROLLBACK");
  // Their statements are answered now, since these services share a client whose statements may take longer.
  await sleep(300);

  expect(
    answers.map(({ statusCode, json }) => [statusCode, json().code ?? json().errors[0].extensions.code]),
  ).toEqual([
    [503, "UNAVAILABLE"],
    [503, "UNAVAILABLE"],
  ]);
  expect(late.requests().map(({ status, code }) => [status, code])).toEqual([
    [503, "UNAVAILABLE"],
    [503, "UNAVAILABLE"],
  ]);
  expect(late.log()).not.toContain("already sent");
  await blocker.end();
  await late.app.close();
});

it("has probes at level debug", async () => {
  await observed.app.inject({ method: "GET", url: "/healthz" });

  expect(observed.requests()).toEqual([expect.objectContaining({ level: 20, operation: "/healthz" })]);
});

it("holds no password and no token of a whole session, at level debug", async () => {
  const { email } = await createAccount(gateway, acme.id);
  const send = (method: "GET" | "POST", url: string, token: string, payload?: object) =>
    observed.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}`, cookie: `session=${token}` },
      ...(payload !== undefined && { payload }),
    });
  const LOGIN = "mutation ($input: LoginInput!) { login(input: $input) { accessToken refreshToken } }";

  const rest = await send("POST", "/api/auth/login", "forged.token.one", { email, password: PASSWORD });
  const graphql = await send("POST", "/graphql", "forged.token.one", {
    query: LOGIN,
    variables: { input: { email, password: PASSWORD } },
  });
  await send("POST", "/api/auth/login", "x", { email, password: "wrong password" });
  const inline = `mutation { login(input: { email: "${email}", password: "inline password" }) { accessToken } }`;
  await send("POST", "/graphql", "x", { query: inline });
  await send("GET", `/graphql?query=${encodeURIComponent("{ me { id } }")}&token=token-in-query`, "x");
  const { access_token, refresh_token } = rest.json<Record<string, string>>();
  const { accessToken, refreshToken } = graphql.json<any>().data.login;
  await send("POST", "/graphql", accessToken, { query: "{ me { id } }" });
  await send("GET", `/api/companies/${acme.id}/goods?access_token=${access_token}`, access_token as string);
  await send("POST", "/api/auth/refresh", "x", { refresh_token });
  await send("POST", "/api/auth/refresh", "x", { refresh_token });
  await send("POST", "/api/auth/logout", "x", { refresh_token: refreshToken });
  await send("POST", "/api/auth/login", "x", { email, password: 7 });
  await observed.app.inject({ method: "POST", url: "/graphql", payload: '{"query": "broken password' });

  const secrets = [
    PASSWORD,
    "wrong password",
    "inline password",
    "broken password",
    "token-in-query",
    "forged.token",
    "Bearer",
    ...[access_token, refresh_token, accessToken, refreshToken].map((token: string) => token.slice(-30)),
  ];
  expect(observed.requests()).toHaveLength(12);
  expect(secrets.filter((secret) => observed.log().includes(secret))).toEqual([]);
});

it("hides what carries a secret should anything ever log it", () => {
  const secret = "s3cret-value";
  const holders = {
    authorization: secret,
    password: secret,
    headers: { authorization: secret, cookie: secret },
  };

  observed.app.log.warn({ ...holders, req: { headers: { authorization: secret } } }, "careless");

  expect(observed.log()).toContain("careless");
  expect(observed.log()).not.toContain(secret);
});
