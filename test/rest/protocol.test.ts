import { createCompany, createProperty, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const properties = (): string => `/companies/${company.id}/properties`;
const count = (): Promise<number> => gateway.db.property.count({ where: { companyId: company.id } });

describe("conditional reads", () => {
  it("answer 304 while nothing changed", async () => {
    const { id } = await createProperty(gateway, company.id, { name: "Before" });
    const first = await gateway.anonymous.rest("GET", `${properties()}/${id}`);
    const etag = String(first.headers["etag"]);

    const same = await gateway.anonymous.rest("GET", `${properties()}/${id}`, {
      headers: { "if-none-match": `"x", ${etag}` },
    });
    await company.owner.rest("PATCH", `${properties()}/${id}`, { body: { name: "After" } });
    const changed = await gateway.anonymous.rest("GET", `${properties()}/${id}`, {
      headers: { "if-none-match": etag },
    });

    expect(etag).toMatch(/^W\/"/u);
    expect([same.status, same.body]).toEqual([304, null]);
    expect([changed.status, changed.body.name]).toEqual([200, "After"]);
  });

  it("may be kept by everybody only when they are open", async () => {
    const open = await gateway.anonymous.rest("GET", properties());
    const branch = await gateway.db.branch.create({ data: { companyId: company.id, name: "B" } });
    const closed = await company.owner.rest(
      "GET",
      `/companies/${company.id}/branches/${branch.id}/properties`,
    );

    expect(open.headers["cache-control"]).toMatch(/^public, max-age=\d+$/u);
    expect(closed.headers["cache-control"]).toBe("private, no-store");
  });
});

describe("refusals", () => {
  it("are problems with a request id that the caller may choose", async () => {
    const answer = await gateway.anonymous.rest("POST", properties(), {
      body: {},
      headers: { "x-request-id": "mine-1" },
    });

    expect(answer.status).toBe(401);
    expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
    expect(answer.headers["x-request-id"]).toBe("mine-1");
    expect(answer.body).toEqual({
      type: "urn:problem-type:unauthenticated",
      title: "Authentication required",
      status: 401,
      code: "UNAUTHENTICATED",
      detail: "This operation needs a token.",
      request_id: "mine-1",
    });
  });

  it.each([
    ["malformed JSON", "{", 400, "BAD_REQUEST"],
    ["JSON nested too deep", `{"name":${"[".repeat(33)}${"]".repeat(33)}}`, 400, "BAD_REQUEST"],
    ["a body of more than 1 MB", JSON.stringify({ name: "x".repeat(1_100_000) }), 413, "PAYLOAD_TOO_LARGE"],
    ["no object", "[]", 422, "VALIDATION_FAILED"],
    ["a string", '"x"', 422, "VALIDATION_FAILED"],
    ["null", "null", 422, "VALIDATION_FAILED"],
    ["nothing", "", 422, "VALIDATION_FAILED"],
    ["an inherited key", '{"__proto__":{"name":"x"}}', 422, "VALIDATION_FAILED"],
    ["a number beyond a double", '{"name":"n","type":1e999}', 422, "VALIDATION_FAILED"],
    ["half a surrogate pair", '{"name":"\\ud800"}', 422, "VALIDATION_FAILED"],
  ])("of %s: %#", async (_name, body, status, code) => {
    const before = await count();

    const answer = await company.owner.rest("POST", properties(), { body });

    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await count()).toBe(before);
  });

  it("tell what a body has to be", async () => {
    const answer = await company.owner.rest("POST", properties(), {
      body: "name=x",
      headers: { "content-type": "text/plain" },
    });

    expect([answer.status, answer.body.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  });

  it("say who may not before they say what is wrong", async () => {
    const answer = await gateway.anonymous.rest("POST", properties(), { body: "{" });
    const unknown = await company.owner.rest("PATCH", `${properties()}/2147483647`, {
      body: "x",
      headers: { "content-type": "text/plain" },
    });

    expect([answer.status, unknown.status]).toEqual([401, 404]);
  });

  it.each([
    "/nope",
    "/companies/x/properties",
    "/companies/1/properties/abc",
    "/companies/99999999999/properties",
    "/companies/0/properties",
    "/companies/-1/properties",
    "/companies/1%00/properties",
    "/companies/%zz/properties",
  ])("answer 404 to %s", async (path) => {
    const answer = await gateway.anonymous.rest("GET", path);

    expect([answer.status, answer.body.code]).toEqual([404, "NOT_FOUND"]);
  });

  it("name the methods of a path", async () => {
    const answer = await company.owner.rest("PUT", properties(), { body: {} });

    expect([answer.status, answer.body.code]).toEqual([405, "METHOD_NOT_ALLOWED"]);
    expect(String(answer.headers["allow"]).split(", ").sort()).toEqual(["GET", "HEAD", "POST"]);
  });

  it("show nothing of a failure inside", async () => {
    const failing = await startGateway({ own: "database" });
    const other = await createCompany(failing);
    await failing.asOwner("ALTER TABLE properties RENAME COLUMN name TO gone");

    const rest = await failing.anonymous.rest("GET", `/companies/${other.id}/properties`);
    const graphql = await failing.anonymous.run(
      "query($id: Int!) { properties(companyId: $id) { nodes { name } } }",
      { id: other.id },
    );

    expect([rest.status, rest.body.code]).toEqual([500, "INTERNAL_SERVER_ERROR"]);
    expect(JSON.stringify([rest.body, graphql.errors])).not.toMatch(
      /properties\.|does not exist|prisma|select/iu,
    );
    expect(graphql.errors?.[0]?.extensions).toEqual({ code: "INTERNAL_SERVER_ERROR", status: 500 });
    await failing.close();
  });
});
