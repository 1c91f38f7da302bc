import { createCompany, createProperty, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import {
  DocumentSchemas,
  openApiOf,
  restSource,
  type OpenApiDocument,
  type Reference,
  type Response,
} from "../support/openapi.js";

let gateway: Gateway;
let company: TestCompany;
let document: OpenApiDocument;
let schemas: DocumentSchemas;

beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  document = (await gateway.anonymous.rest("GET", "/openapi.json")).body as OpenApiDocument;
  schemas = new DocumentSchemas(document);
});
afterAll(() => gateway.close());

/** Returns the ways in which an answer differs from its description in the document. */
function complaints(
  method: "get" | "post",
  path: string,
  { status, body }: { status: number; body: unknown },
): string[] {
  const response = document.paths[path]?.[method]?.responses[status] as Response | Reference;
  const refusal = "$ref" in response ? response.$ref : null;
  const at = refusal ?? `#/paths/${path.replaceAll("/", "~1")}/${method}/responses/${status}`;
  const media = refusal === null ? "application~1json" : "application~1problem+json";
  return schemas.errors(`${at}/content/${media}/schema`, body);
}

const LIST = "/companies/{companyId}/properties";
const SHOW = "/companies/{companyId}/properties/{propertyId}";

it("serves the document to anyone, even to who sends a token that is none", async () => {
  const answer = await gateway.withToken("forged").rest("GET", "/openapi.json");

  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "public, max-age=15",
    etag: expect.stringMatching(/^W\/".+"$/u),
  });
  expect(answer.body.openapi).toBe("3.1.0");
});

it("serves what the routes and the schema make now, byte for byte", async () => {
  const headers = { host: "127.0.0.1:4000" };
  const { body } = await gateway.app.inject({ method: "GET", url: "/api/openapi.json", headers });

  expect(body === JSON.stringify(openApiOf(restSource()))).toBe(true);
});

it("names the address that the caller used, or the public one where there is one", async () => {
  const shop = await startGateway({ on: gateway, environment: { PUBLIC_URL: "https://shop.example/v1/" } });
  const headers = { host: "shop.test:8080", "x-forwarded-host": "worse.example" };

  const served = [];
  for (const { app } of [gateway, shop])
    served.push((await app.inject({ url: "/api/openapi.json", headers })).json<OpenApiDocument>().servers);
  await shop.close();

  expect(served.map(([server]) => server?.url)).toEqual([
    "http://shop.test:8080/api",
    "https://shop.example/v1/api",
  ]);
});

it("takes neither host nor scheme from what a proxy passes on", async () => {
  const behind = await startGateway({ on: gateway, environment: { TRUST_PROXY: "1" } });
  const headers = {
    host: "shop.test:8080",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
  };

  const answer = await behind.app.inject({ url: "/api/openapi.json", headers });
  await behind.close();

  expect(answer.json<OpenApiDocument>().servers.map(({ url }) => url)).toEqual(["http://shop.test:8080/api"]);
});

it("answers 304 to who has it already", async () => {
  const { headers } = await gateway.anonymous.rest("GET", "/openapi.json");

  const again = await gateway.anonymous.rest("GET", "/openapi.json", {
    headers: { "if-none-match": String(headers["etag"]) },
  });

  expect(again).toMatchObject({ status: 304, body: null });
});

it("refuses other methods", async () => {
  const answer = await gateway.anonymous.rest("POST", "/openapi.json");

  expect(answer).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
});

it("describes what reads really answer, whole or in part", async () => {
  const { id } = await createProperty(gateway, company.id);
  const base = `/companies/${company.id}/properties`;

  const list = await gateway.anonymous.rest("GET", base);
  const loaded = await gateway.anonymous.rest("GET", `${base}/${id}?load=branch_group`);
  const part = await gateway.anonymous.rest("GET", `${base}/${id}?fields=id,name`);

  expect(list.body).toHaveLength(1);
  expect(complaints("get", LIST, list)).toEqual([]);
  expect(complaints("get", SHOW, loaded)).toEqual([]);
  expect(part.body).toEqual({ id, name: expect.any(String) });
  expect(complaints("get", SHOW, part)).toEqual([]);
  expect(schemas.errors("#/components/schemas/Property", list.body[0])).toEqual([]);
});

it("describes what the example of a body creates", async () => {
  const example = document.paths[LIST]?.post?.requestBody?.content["application/json"]?.example;

  const created = await company.owner.rest("POST", `/companies/${company.id}/properties`, { body: example });

  expect(created.status).toBe(201);
  expect(complaints("post", LIST, created)).toEqual([]);
});

it("describes refusals", async () => {
  const base = `/companies/${company.id}/properties`;

  const unknown = await gateway.anonymous.rest("GET", `${base}?sort=colour`);
  const anonymous = await gateway.anonymous.rest("POST", base, { body: {} });
  const missing = await gateway.anonymous.rest("GET", `${base}/2147483647`);
  const invalid = await company.owner.rest("POST", base, { body: {} });

  expect([unknown, anonymous, missing, invalid].map(({ status }) => status)).toEqual([400, 401, 404, 422]);
  expect(complaints("get", LIST, unknown)).toEqual([]);
  expect(complaints("post", LIST, anonymous)).toEqual([]);
  expect(complaints("get", SHOW, missing)).toEqual([]);
  expect(complaints("post", LIST, invalid)).toEqual([]);
});
