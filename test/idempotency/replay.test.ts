import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import {
  adminWith,
  createCompany,
  createGood,
  createProperty,
  unique,
  type TestCompany,
} from "../support/factories.js";
import { startGateway, wrongFields, type Gateway, type RestResult, saidBy } from "../support/gateway.js";
import { CREATE_PROPERTY, newKey, propertyNamed, runWithKey } from "./with-key.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const properties = (): string => `/companies/${company.id}/properties`;
const named = (name: string): Promise<number> =>
  gateway.db.property.count({ where: { companyId: company.id, name } });
const post = (key: string, name: string, client = company.owner) =>
  client.rest("POST", properties(), { body: propertyNamed(name), headers: { "idempotency-key": key } });

describe("the same key with the same request", () => {
  it("answers a POST again, byte for byte, without a second effect", async () => {
    const [key, name] = [newKey(), unique()];
    const send = () =>
      gateway.app.inject({
        method: "POST",
        url: `/api${properties()}`,
        headers: {
          authorization: `Bearer ${String(company.owner.token)}`,
          "content-type": "application/json",
          "idempotency-key": key,
        },
        payload: JSON.stringify(propertyNamed(name)),
      });

    const first = await send();
    const again = await send();

    expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
    expect(again.body).toBe(first.body);
    expect(again.headers["location"]).toBe(first.headers["location"]);
    expect([first, again].map(({ headers }) => headers["idempotent-replayed"])).toEqual([undefined, "true"]);
    expect(await named(name)).toBe(1);
  });

  it("answers a PATCH again, although the row changed since", async () => {
    const { id } = await createProperty(gateway, company.id);
    const headers = { "idempotency-key": newKey() };
    const path = `${properties()}/${id}`;
    const first = await company.owner.rest("PATCH", path, { body: { name: "First" }, headers });
    await company.owner.rest("PATCH", path, { body: { name: "Second" } });

    const again = await company.owner.rest("PATCH", path, { body: { name: "First" }, headers });

    expect([again.status, saidBy(again.body)]).toEqual([200, saidBy(first.body)]);
    expect(await named("Second")).toBe(1);
  });

  it("takes members in another order for the same request", async () => {
    const [key, name] = [newKey(), unique()];
    const first = await post(key, name);
    const body = Object.fromEntries(Object.entries(propertyNamed(name)).reverse());

    const again = await company.owner.rest("POST", properties(), {
      body,
      headers: { "idempotency-key": key },
    });

    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it("answers a mutation again", async () => {
    const [key, variables] = [newKey(), { companyId: company.id, name: unique() }];

    const first = await runWithKey(gateway, company.owner, key, CREATE_PROPERTY, variables);
    const again = await runWithKey(gateway, company.owner, key, CREATE_PROPERTY, variables);

    expect(first.body.data.createProperty.name).toBe(variables.name);
    expect([again.status, saidBy(again.body)]).toEqual([200, saidBy(first.body)]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(await named(variables.name)).toBe(1);
  });

  it("answers what the operation refused, although it would not any more", async () => {
    const good = await createGood(gateway, company.id);
    const headers = { "idempotency-key": newKey() };
    const path = `/companies/${company.id}/goods/${good.id}`;
    const first = await company.owner.rest("POST", `${path}/restore`, { body: {}, headers });
    await company.owner.rest("DELETE", path);

    const again = await company.owner.rest("POST", `${path}/restore`, { body: {}, headers });

    expect([first.status, first.body.code]).toEqual([409, "INVALID_STATE"]);
    expect([again.status, again.body]).toEqual([409, first.body]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
  });

  it("answers a one-time token again, which the database does not show", async () => {
    const name = unique();
    const body = {
      company: { name, domain: name, email: `i@${name}.example.com`, folder_name: name },
      user: { name: "Ada", email: `ada@${name}.example.com`, phone: "+15551234567" },
    };
    const [key, secret] = [newKey(), /[\w-]{20,}/u];
    const send = () =>
      gateway.platform.rest("POST", "/companies", { body, headers: { "idempotency-key": key } });

    const first = await send();
    const again = await send();
    const kept = await gateway.db.idempotencyKey.findMany();

    expect(first.status).toBe(201);
    expect(first.body.password_setup_token).toMatch(secret);
    expect(again.body).toEqual(first.body);
    for (const { answer } of kept)
      expect(Buffer.from(answer).includes(first.body.password_setup_token)).toBe(false);
    expect(await gateway.db.company.count({ where: { name } })).toBe(1);
  });

  it("is not shown to who may not ask any more", async () => {
    const admin = await adminWith(gateway, company.id, "can_edit_properties");
    const [key, name] = [newKey(), unique()];
    const first = await post(key, name, admin);
    await gateway.db.adminTypeRole.deleteMany({
      where: { companyId: company.id, role: "can_edit_properties" },
    });
    const other = await startGateway({ on: gateway });

    const again = await post(key, name, other.withToken(admin.token));
    await other.close();

    expect([first.status, again.status]).toEqual([201, 403]);
  });
});

describe("another request with the same key", () => {
  it("is refused, and does nothing", async () => {
    const [key, name, other] = [newKey(), unique(), unique()];
    await post(key, name);

    const changed = await post(key, other);
    const elsewhere = await runWithKey(gateway, company.owner, key, CREATE_PROPERTY, {
      companyId: company.id,
      name,
    });

    expect([changed.status, changed.body.code]).toEqual([422, "VALIDATION_FAILED"]);
    expect(wrongFields(changed.body.errors)).toEqual(["Idempotency-Key:reused"]);
    expect(elsewhere.body).toMatchObject({
      data: null,
      errors: [
        {
          extensions: {
            code: "VALIDATION_FAILED",
            status: 422,
            errors: [{ field: "Idempotency-Key", rule: "reused" }],
          },
        },
      ],
    });
    expect([await named(name), await named(other)]).toEqual([1, 0]);
  });

  it("is taken once the first was refused before it began", async () => {
    const [key, name] = [newKey(), unique()];
    const refused = await post(key, "x".repeat(65));

    const corrected = await post(key, name);

    expect([refused.status, corrected.status]).toEqual([422, 201]);
    expect(await named(name)).toBe(1);
  });

  it("is taken after 24 hours", async () => {
    const [key, name] = [newKey(), unique()];
    await post(key, name);
    const expiry = await gateway.db.idempotencyKey.findFirst({ orderBy: { expiresAt: "desc" } });
    await gateway.db.idempotencyKey.updateMany({ data: { expiresAt: new Date(Date.now() - 1_000) } });

    const later = await post(key, name);

    const hours = (Number(expiry?.expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    expect(later.status).toBe(201);
    expect(later.headers["idempotent-replayed"]).toBeUndefined();
    expect(await named(name)).toBe(2);
  });
});

describe("a key", () => {
  it("is another key when another caller sends it", async () => {
    const [key, name] = [newKey(), unique()];
    const admin = await adminWith(gateway, company.id, "can_edit_properties");

    const answers = [
      await post(key, name),
      await post(key, name, admin),
      await post(key, name, gateway.platform),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await named(name)).toBe(3);
  });

  it.each([
    ["", "min_length"],
    ["k".repeat(256), "max_length"],
    ["schlüssel", "pattern"],
  ])("like %j is refused on both faces", async (key, rule) => {
    const name = unique();

    const rest = await post(key, name);
    const graphql = await runWithKey(gateway, company.owner, key, CREATE_PROPERTY, {
      companyId: company.id,
      name,
    });

    expect([rest.status, wrongFields(rest.body.errors)]).toEqual([422, [`Idempotency-Key:${rule}`]]);
    expect(wrongFields(graphql.body.errors[0].extensions.errors)).toEqual([`Idempotency-Key:${rule}`]);
    expect(await named(name)).toBe(0);
  });

  it("that comes twice is refused on both faces, and nothing takes effect", async () => {
    const name = unique();
    const other = await startGateway({ on: gateway });
    await other.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = other.app.server.address() as AddressInfo;
    const send = async (path: string, body: object) => {
      const headers = {
        authorization: `Bearer ${String(company.owner.token)}`,
        "content-type": "application/json",
        "idempotency-key": [newKey(), newKey()],
      };
      const asked = request({ port, path, method: "POST", headers, agent: false }).end(JSON.stringify(body));
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      return { status: answer.statusCode, body: (await json(answer)) as RestResult["body"] };
    };

    const rest = await send(`/api${properties()}`, propertyNamed(name));
    const variables = { companyId: company.id, name };
    const graphql = await send("/graphql", { query: CREATE_PROPERTY, variables });
    const one = await post("one, two", unique());
    await other.close();

    expect([rest.status, wrongFields(rest.body.errors)]).toEqual([422, ["Idempotency-Key:pattern"]]);
    expect(wrongFields(graphql.body.errors[0].extensions.errors)).toEqual(["Idempotency-Key:pattern"]);
    expect(await named(name)).toBe(0);
    expect(one.status).toBe(201);
  });

  it("may have 255 characters", async () => {
    const key = unique().padEnd(255, "~ k");

    const answers = [await post(key, "Long key"), await post(key, "Long key")];

    expect(answers.map(({ headers }) => headers["idempotent-replayed"])).toEqual([undefined, "true"]);
  });

  it("changes nothing of what refuses a caller", async () => {
    const answer = await post(newKey(), "Nobody's", gateway.anonymous);

    expect([answer.status, answer.body.code]).toEqual([401, "UNAUTHENTICATED"]);
  });

  it("counts for nothing where tokens are asked for", async () => {
    const body = { email: "nobody@example.com", password: "not the password" };
    const headers = { "idempotency-key": newKey() };
    const LOGIN = `mutation { login(input: { email: "nobody@example.com", password: "no" }) { accessToken } }`;

    const rest = await gateway.anonymous.rest("POST", "/auth/login", { body, headers });
    const before = await gateway.db.idempotencyKey.count();
    const graphql = await runWithKey(gateway, gateway.anonymous, newKey(), LOGIN);

    expect([rest.status, rest.body.code]).toEqual([401, "UNAUTHENTICATED"]);
    expect(graphql.body.errors[0].extensions.code).toBe("UNAUTHENTICATED");
    expect(await gateway.db.idempotencyKey.count()).toBe(before);
  });

  it("is not looked at in reads, nor in requests that are idempotent as they are", async () => {
    const { id } = await createProperty(gateway, company.id);
    const headers = { "idempotency-key": "k".repeat(300) };

    const read = await company.owner.rest("GET", `${properties()}/${id}`, { headers });
    const removed = await company.owner.rest("DELETE", `${properties()}/${id}`, { headers });

    expect([read.status, removed.status]).toEqual([200, 204]);
  });

  it("costs requests without one no statement", async () => {
    await company.owner.rest("POST", properties(), { body: propertyNamed(unique()) });
    gateway.statements.length = 0;

    await company.owner.rest("POST", properties(), { body: propertyNamed(unique()) });

    expect(gateway.statements.filter((sql) => /idempotency_keys|advisory/u.test(sql))).toEqual([]);
  });
});
