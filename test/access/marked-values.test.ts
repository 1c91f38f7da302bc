import { formOf } from "../files/uploads.js";
import { createCompany, createGood, unique, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { sharedOpenApi } from "../support/openapi.js";
import { Marks } from "./marks.js";
import { plantedOperations, restBody, type Planted } from "./planted-operations.js";
import { Witness } from "./witness.js";
import { wrongRequests } from "./wrong-requests.js";

const PARAMETERS = ["load", "fields", "sort", "cursor", "per_page", "filter[name]", "filter[x]", "password"];
const HEADERS = ["authorization", "cookie", "prefer", "if-match", "if-none-match", "origin", "accept"];
const STRICT = { prefer: "handling=strict" };
/** Tables that refuse rows in the end, while the service writes what it was sent. */
const BROKEN = ["client_addresses", "admins", "company_settings", "companies", "refresh_tokens"];

const ROUTES = sharedOpenApi().source.routes;
const marks = new Marks();
let gateway: Gateway;
let witness: Witness;
let company: TestCompany;
let clientId: number;
let tokens: Record<"owner" | "platform" | "client" | "neighbour" | "stranger", string>;
let operations: ReturnType<typeof plantedOperations>;

beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  witness = await Witness.of(gateway);
  company = await createCompany(gateway);
  await createGood(gateway, company.id);
  const { db } = gateway;
  const createClient = () => db.client.create({ data: { companyId: company.id, name: "Client" } });
  clientId = (await createClient()).id;
  const own = { kind: "client", companyId: company.id } as const;
  tokens = {
    owner: company.owner.token as string,
    platform: gateway.platform.token as string,
    client: (await gateway.as({ ...own, id: clientId })).token as string,
    neighbour: (await gateway.as({ ...own, id: (await createClient()).id })).token as string,
    stranger: (await createCompany(gateway)).owner.token as string,
  };
  const address = { companyId: company.id, clientId, name: "Home", address: "1 Main Street" };
  const { id: addressId } = await db.clientAddress.create({ data: address });
  operations = plantedOperations({ ...tokens, companyId: company.id, clientId, addressId, marks });
  for (const [name, token] of Object.entries(tokens))
    marks.add(`token of ${name}`, token.split(".")[2] as string);
});
afterAll(async () => {
  await witness.close();
  await gateway.close();
});

/** Runs an operation that must succeed, twice under a key where there is one; returns what it answers. */
async function graphql(operation: Planted, input: object = operation.input(), keys = true): Promise<any> {
  const { name, by, query, tells = null } = operation;
  const headers = keys ? { "idempotency-key": unique() } : {};
  const request = {
    method: "POST",
    url: "/graphql",
    by,
    headers,
    tells,
    payload: { query, variables: { input } },
  } as const;
  const answer = await witness.send(name, request);
  expect([name, answer.json().errors]).toEqual([name, undefined]);
  if (keys) expect((await witness.send(name, request)).headers["idempotent-replayed"]).toBe("true");
  return answer.json().data[name];
}

/** The same over REST. */
async function rest(operation: Planted, input: object = operation.input(), keys = true): Promise<any> {
  const { name, by, rest: [method, path] = ["POST", ""], tells = null } = operation;
  const headers = keys ? { "idempotency-key": unique() } : {};
  const payload = restBody(input) as object;
  const request = { method, url: `/api${path}`, by, headers, tells, payload };
  const answer = await witness.send(name, request);
  expect([name, answer.statusCode < 300, answer.body]).toEqual([name, true, expect.anything()]);
  if (keys) expect((await witness.send(name, request)).headers["idempotent-replayed"]).toBe("true");
  return answer.json();
}

/** Marks the tokens of an answer, which nobody may know but who received it. */
function keepTokens(answer: Record<string, unknown>): void {
  for (const [key, token] of Object.entries(answer)) {
    // What is secret of a token is its last part.
    if (/(?:access|refresh|device|setup)_?token$/iu.test(key) && typeof token === "string")
      marks.add(`issued ${unique()}: ${key}`, token.split(".").at(-1) as string);
  }
}

/** A company and admins with passwords, logins in all their states, tokens of clients. */
async function plantLogins(): Promise<void> {
  const {
    createCompany: found,
    createAdmin,
    login,
    refreshToken,
    logout,
    setPassword,
    changePassword,
  } = operations;
  const issued = { by: tokens.owner, tells: /^issued/u, input: () => ({}) };
  const signedIn = async (email: string, password: string): Promise<any> => {
    const answer = await rest({ ...login, tells: issued.tells }, { email, password }, false);
    keepTokens(answer);
    return answer;
  };
  await graphql(found);
  const input = found.input();
  await rest(found, input);
  await signedIn(input.user.email, marks.text("password of an owner"));

  await rest(createAdmin);
  const invited = await graphql(
    { ...createAdmin, tells: issued.tells },
    { ...createAdmin.input(), password: null },
  );
  keepTokens(invited);
  const first = marks.text("password set");
  await graphql(setPassword, { token: invited.passwordSetupToken, password: first }, false);
  const session = await signedIn(invited.email, first);
  const next = marks.text("password changed");
  const change = { currentPassword: first, newPassword: next };
  await graphql({ ...changePassword, by: session.access_token }, change, false);
  const { refresh_token } = await signedIn(invited.email, next);
  const fresh = await graphql(
    { ...refreshToken, tells: issued.tells },
    { refreshToken: refresh_token },
    false,
  );
  keepTokens(fresh);
  await graphql(logout, { refreshToken: fresh.refreshToken }, false);

  const invite = `mutation { issuePasswordSetupToken(companyId: ${company.id}, adminId: ${invited.id}) { passwordSetupToken } }`;
  const issue = `mutation { issueClientToken(companyId: ${company.id}, clientId: ${clientId}) { accessToken refreshToken } }`;
  keepTokens(await graphql({ ...issued, name: "issuePasswordSetupToken", query: invite }));
  keepTokens(await graphql({ ...issued, name: "issueClientToken", query: issue }));
}

/** Settings by each way in, and addresses with all that their client does with them. */
async function plantSettingsAndAddresses(): Promise<void> {
  const { updateSettings, createClientAddress, updateClientAddress } = operations;
  await graphql(updateSettings);
  await rest(updateSettings);
  const parts = Object.entries(restBody(updateSettings.input()) as object).map(
    ([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  const form = await formOf(Object.fromEntries(parts));
  const url = `/api/companies/${company.id}/settings`;
  const filled = await witness.send("form", { method: "PATCH", url, by: tokens.owner, ...form });
  expect([filled.statusCode, filled.body]).toEqual([200, expect.anything()]);

  await graphql(createClientAddress);
  const { id } = await rest(createClientAddress);
  const { by, tells } = createClientAddress;
  await graphql(updateClientAddress);
  await rest(updateClientAddress);
  const all = `/api/companies/${company.id}/client-addresses`;
  for (const [method, path] of [
    ["POST", `${all}/${id}/set-selected`],
    ["GET", `${all}/${id}`],
    ["GET", all],
    [
      "GET",
      `/api/companies/${company.id}/clients/${clientId}/client-addresses?filter[name]=${marks.text("address name")}`,
    ],
    ["DELETE", `${all}/${id}`],
  ] as const) {
    const answer = await witness.send("address", { method, url: path, by, tells });
    expect([method, path, answer.statusCode < 300]).toEqual([method, path, true]);
  }
}

/** The same values where something is wrong, by each way in. */
async function plantWrong(): Promise<number> {
  let refused = 0;
  for (const operation of Object.values<Planted>(operations)) {
    for (const request of await wrongRequests(operation, tokens.stranger)) {
      const { statusCode, body } = await witness.send(operation.name, request);
      if (statusCode >= 400 || body.includes('"errors":')) refused += 1;
    }
  }
  return refused;
}

/**
 * Texts where a caller may put any: in parameters and headers of every route that reads. What a caller names in a
 * parameter may be shown to that caller, since links to other pages repeat it.
 */
async function plantParameters(): Promise<void> {
  const names = ["secret of a bank", "password set", "token to refresh", "address line 1"];
  const values = names.map((name) => marks.text(name));
  const pairs = PARAMETERS.map((key) => `${encodeURIComponent(key)}=${values.join(",")}`);
  for (const url of readPaths()) {
    const request = { method: "GET", by: tokens.owner, tells: /./u } as const;
    for (const pair of pairs) await witness.send("parameter", { ...request, url: `${url}?${pair}` });
    for (const by of [tokens.owner, tokens.client, values[2] as string])
      await witness.send("parameters", { ...request, url: `${url}?${pairs.join("&")}`, by, headers: STRICT });
    for (const header of HEADERS)
      await witness.send(header, { method: "GET", url, headers: { [header]: `Bearer ${values.join(" ")}` } });
  }
}

/** The paths of all routes that read, with ids that there are. */
function readPaths(): string[] {
  const ids = { companyId: company.id, clientId, jobId: "none" };
  const paths = ROUTES.filter(({ rest: { method } }) => method === "GET").map(({ rest: { path } }) => path);
  return [...new Set(paths)].map(
    (path) =>
      `/api${path.replaceAll(/\{(?<name>\w+)\}/gu, (_, name: string) => String(ids[name as "clientId"] ?? 1))}`,
  );
}

/** Everybody reads everything. */
async function readAll(): Promise<void> {
  const trail = `{ auditEntries(companyId: ${company.id}, first: 200) { nodes {
    operation requestId actorKind action targetType targetId targetKey changes { field before after } } } }`;
  const people = `{ clients(companyId: ${company.id}) { nodes { id addresses { name addressLine1 latitudeE6 } } } }`;
  for (const [who, by] of Object.entries(tokens)) {
    const tells = who === "client" ? /^address/u : null;
    for (const url of readPaths()) await witness.send(who, { method: "GET", url, by, tells });
    for (const query of [trail, people])
      await witness.send(who, { method: "POST", url: "/graphql", by, tells, payload: { query } });
  }
}

/** The same again while the database refuses the rows, and says of each what it holds. */
async function plantFaults(): Promise<number> {
  const before = witness.faults;
  const each = async (change: string) => {
    for (const table of BROKEN) await gateway.asOwner(`ALTER TABLE ${table} ${change}`);
  };
  await each("ADD CONSTRAINT away CHECK (false) NOT VALID");
  for (const { name, by, query, input, rest: route } of Object.values<Planted>(operations)) {
    await witness.send(name, {
      method: "POST",
      url: "/graphql",
      by,
      payload: { query, variables: { input: input() } },
    });
    if (route !== undefined)
      await witness.send(name, {
        method: route[0],
        url: `/api${route[1]}`,
        by,
        payload: restBody(input()) as object,
      });
  }
  await each("DROP CONSTRAINT away");
  return witness.faults - before;
}

it("finds what it looks for in each place", async () => {
  const control = new Marks();
  const { createAdmin, createClientAddress, updateSettings } = operations;
  await graphql(createClientAddress);
  await rest(updateSettings);
  await rest(createAdmin, { ...createAdmin.input(), name: control.text("name") });
  await witness.send("path", { method: "GET", url: `/api/${control.text("path")}` });
  control.add("operation", "createClientAddress");
  control.add("route", "UpdateSettings");
  const hidden = Buffer.from(`x${control.text("kept")}`);
  await gateway.db.idempotencyKey.create({
    data: { id: hidden, answer: Buffer.from(hidden.toString("hex")), expiresAt: new Date() },
  });
  await gateway.db
    .$queryRaw`SELECT id FROM graphile_worker.add_job('none', json_build_object('text', ${control.text("job")}::text), run_at := now() + interval '1 day')`;

  expect(await witness.find(control)).toEqual([
    "createAdmin: POST /api/companies/1/admins 201: name",
    "createClientAddress: POST /graphql 200: operation",
    "graphile_worker._private_jobs: job",
    "log: operation",
    "log: path",
    "log: route",
    "metrics: operation",
    "metrics: route",
    "public.admins: name",
    "public.audit_entries: name",
    "public.audit_entries: operation",
    "public.idempotency_keys: kept",
  ]);
});

it("shows secrets, passwords, tokens and addresses to nobody but whose they are, and keeps them nowhere else", async () => {
  await plantLogins();
  await plantSettingsAndAddresses();
  const refused = await plantWrong();
  await plantParameters();
  const faults = await plantFaults();
  await readAll();

  expect(refused).toBeGreaterThan(900);
  expect(faults).toBe(10);
  expect(await witness.find(marks)).toEqual([]);
}, 60_000);
