import type { InjectOptions } from "fastify";
import { createCouponRow } from "../support/coupons.js";
import {
  createCompany,
  createGood,
  createProperty,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { startGateway, type Gateway, wrongFields } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
let locked: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  locked = await startGateway({ on: gateway, environment: { EXPLORER: "off", CORS_ORIGIN: "off" } });
});
afterAll(async () => {
  await locked.close();
  await gateway.close();
});

const JSON_TYPE = { "content-type": "application/json" };
const NOT_UTF8 = Buffer.from('{"name":"\xff\xfe"}', "latin1");
const properties = (): string => `/api/companies/${company.id}/properties`;
const bearer = (): Record<string, string> => ({ authorization: `Bearer ${company.owner.token}` });
const count = (): Promise<number> => gateway.db.property.count({ where: { companyId: company.id } });

async function ask(request: InjectOptions, asked = gateway) {
  const { statusCode, headers, body } = await asked.app.inject(request);
  return { status: statusCode, headers, body: body === "" ? null : JSON.parse(body) };
}

it("an empty segment is no id: no path of the service has one", async () => {
  const paths = [
    `/companies/${company.id}/admins//upgrade`,
    "/companies//goods",
    `/companies/${company.id}/goods/`,
  ];

  const answers = await Promise.all(
    paths.map((path, n) => ask({ method: n === 0 ? "POST" : "GET", url: `/api${path}`, headers: bearer() })),
  );

  expect(answers.map(({ status, body }) => [status, body.detail])).toEqual(
    Array(3).fill([404, "Path not found."]),
  );
  expect(answers.every(({ headers }) => headers["ratelimit"] !== undefined)).toBe(true);
});

describe("a body that may be left out", () => {
  it("is an object all the same, also where nothing is read of it, and changes nothing else", async () => {
    const { id: goodId } = await createGood(gateway, company.id, { deletedAt: new Date() });
    const { id: clientId, client } = await signedInClient(gateway, company.id);
    const { id: couponId } = await createCouponRow(gateway, company.id);
    const liked = await createGood(gateway, company.id);
    const own = `/companies/${company.id}`;
    const requests = [
      [company.owner, "POST", `${own}/goods/${goodId}/restore`],
      [client, "PUT", `${own}/clients/${clientId}/goods/${liked.id}/favorites`],
      [company.owner, "POST", `${own}/admins/${company.ownerId}/set-online`],
      [company.owner, "POST", `${own}/goods/${liked.id}/fix-images`],
      [company.owner, "POST", `${own}/coupons/${couponId}/set-ready`],
    ] as const;
    const stored = async () => [
      await gateway.db.good.findMany({ where: { companyId: company.id } }),
      await gateway.db.coupon.findMany({ where: { companyId: company.id } }),
      await gateway.db.admin.findMany({ where: { companyId: company.id } }),
      await gateway.db.clientFavorite.count({ where: { companyId: company.id } }),
    ];
    const before = await stored();

    for (const [caller, method, path] of requests)
      for (const body of ["null", "[]", '"x"', "7"]) {
        const answer = await caller.rest(method, path, { body, headers: JSON_TYPE });
        expect([path, body, answer.status, wrongFields(answer.body.errors)]).toEqual([
          path,
          body,
          422,
          ["body:type"],
        ]);
      }
    expect(await stored()).toEqual(before);
    for (const [caller, method, path] of requests.slice(1, 4))
      for (const body of ["", "{}"]) {
        const { status } = await caller.rest(method, path, { body, headers: JSON_TYPE });
        expect([path, body, status < 300]).toEqual([path, body, true]);
      }
  });
});

describe("a body", () => {
  const valid = JSON.stringify({ name: "n" });

  it.each<[string, Record<string, string>, string | Buffer, number, string]>([
    ["is no UTF-8", {}, NOT_UTF8, 400, "BAD_REQUEST"],
    [
      "is in another charset",
      { "content-type": "application/json; charset=latin1" },
      valid,
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    ["is compressed", { "content-encoding": "gzip" }, valid, 415, "UNSUPPORTED_MEDIA_TYPE"],
  ])("that %s is refused and not stored", async (_what, headers, payload, status, code) => {
    const before = await count();
    const send = (url: string, sender: Record<string, string>) =>
      ask({ method: "POST", url, payload, headers: { ...JSON_TYPE, ...headers, ...sender } });

    const answer = await send(properties(), bearer());
    const anonymous = await send(properties(), {});
    const missing = await ask({
      method: "PATCH",
      url: `${properties()}/2147483647`,
      payload,
      headers: { ...JSON_TYPE, ...headers, ...bearer() },
    });

    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect([anonymous.status, missing.status]).toEqual([401, 404]);
    expect(await count()).toBe(before);
  });

  it("may name what it is anyway", async () => {
    const { id } = await createProperty(gateway, company.id);

    const answer = await ask({
      method: "PATCH",
      url: `${properties()}/${id}`,
      payload: JSON.stringify({ name: "Größe" }),
      headers: {
        "content-type": 'application/json; charset="UTF-8"',
        "content-encoding": "identity",
        ...bearer(),
      },
    });

    expect([answer.status, answer.body.name]).toEqual([200, "Größe"]);
  });
});

describe("a path that nothing is at", () => {
  it.each(["/nope", "/api", "/api/nope", "/graphiql/nope.js", "/api/docs/nope"])(
    "is a problem with 404: %s",
    async (url) => {
      const { status, headers, body } = await ask({ url, headers: { "x-request-id": "mine-1" } });

      expect(status).toBe(404);
      expect(headers["content-type"]).toBe("application/problem+json; charset=utf-8");
      expect(headers["x-request-id"]).toBe("mine-1");
      expect(body).toEqual({
        type: "urn:problem-type:not-found",
        title: "Not found",
        status: 404,
        code: "NOT_FOUND",
        detail: "Path not found.",
        request_id: "mine-1",
      });
    },
  );

  it.each(["/graphiql", "/api/docs", "/api/docs/"])("is that of an explorer that is off: %s", async (url) => {
    const { status, headers, body } = await ask({ url }, locked);

    expect([status, body.code]).toEqual([404, "NOT_FOUND"]);
    expect(headers["content-type"]).toBe("application/problem+json; charset=utf-8");
  });

  it.each<[string, string, Record<string, string>]>([
    ["malformed JSON", "{", JSON_TYPE],
    ["more than 1 MB", JSON.stringify("x".repeat(1_100_000)), JSON_TYPE],
    ["another type", "x", { "content-type": "text/csv" }],
  ])("is said so before its body is read: %s", async (_what, payload, headers) => {
    for (const url of ["/api/nope", "/nope"]) {
      const { status, body } = await ask({ method: "POST", url, payload, headers });

      expect([status, body.code]).toEqual([404, "NOT_FOUND"]);
    }
  });
});

describe("another method than a path knows", () => {
  it.each([
    ["POST", "/healthz", "GET, HEAD"],
    ["DELETE", "/readyz", "GET, HEAD"],
    ["POST", "/metrics", "GET, HEAD"],
    ["POST", "/graphiql", "GET, HEAD"],
    ["PUT", "/graphiql/start.js", "GET, HEAD"],
    ["POST", "/api/docs", "GET, HEAD"],
    ["POST", "/api/openapi.json", "GET, HEAD"],
    ["TRACE", "/api/openapi.json", "GET, HEAD"],
    ["PUT", "/api/companies/1/properties", "GET, HEAD, POST"],
    ["TRACE", "/api/companies/1/properties", "GET, HEAD, POST"],
    ["PROPFIND", "/api/companies/1/properties?page=1", "GET, HEAD, POST"],
  ])("is refused with 405: %s %s", async (method, url, allowed) => {
    const { status, headers, body } = await ask({
      method: method as "GET",
      url,
      payload: "{",
      headers: JSON_TYPE,
    });

    expect([status, body.code]).toEqual([405, "METHOD_NOT_ALLOWED"]);
    expect(String(headers["allow"]).split(", ").sort().join(", ")).toBe(allowed);
    expect(headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(headers["x-request-id"]).toBe(body.request_id);
  });

  it("is OPTIONS where browsers of other origins are shut out", async () => {
    const { status, headers } = await ask({ method: "OPTIONS", url: properties() }, locked);

    expect([status, headers["allow"]]).toEqual([405, "GET, HEAD, POST"]);
  });

  it.each(["PUT", "PATCH", "DELETE", "HEAD", "PROPFIND"])(
    "is answered by GraphQL in its own form: %s",
    async (method) => {
      const { status, headers, body } = await ask({ method: method as "PUT", url: "/graphql" });

      expect([status, headers["allow"]]).toEqual([405, "GET, POST"]);
      if (method !== "HEAD")
        expect(body.errors[0].extensions).toEqual({ code: "METHOD_NOT_ALLOWED", status: 405 });
    },
  );
});
