import type { GraphQLField } from "graphql";
import { assertDeprecationsDated, deprecationOf } from "../../src/engine/schema/deprecation.js";
import { buildOpenApi } from "../../src/api/rest/openapi.js";
import { RestRoute } from "../../src/api/rest/rest-route.js";
import { restDocumentsOf } from "../../src/app.js";
import { createSchema } from "../../src/schema.js";
import { createCompany } from "../support/factories.js";
import { startGateway } from "../support/gateway.js";

const REASON = "Use `goods`, since 2026-12-01 until 2027-06-01.";

/** The schema of the service with two things in it that leave the contract. */
function schemaWithDeprecations() {
  const finished = createSchema();
  const query = finished.schema.getQueryType()?.getFields()["properties"] as GraphQLField<unknown, unknown>;
  query.deprecationReason = REASON;
  const good = finished.schema.getType("Good") as unknown as {
    getFields(): Record<string, GraphQLField<unknown, unknown>>;
  };
  (good.getFields()["eta"] as GraphQLField<unknown, unknown>).deprecationReason = REASON;
  return finished;
}

it("says with each answer of a deprecated route since when it is and until when it stays", async () => {
  const gateway = await startGateway({ schema: schemaWithDeprecations() });
  const company = await createCompany(gateway);
  const expected = { deprecation: "@1796083200", sunset: "Tue, 01 Jun 2027 00:00:00 GMT" };

  const answer = await gateway.platform.rest("GET", `/companies/${company.id}/properties`);
  const refusal = await gateway.platform.rest("GET", `/companies/${company.id}/properties?sort=nothing`);
  const other = await gateway.platform.rest("GET", `/companies/${company.id}/goods`);

  expect([answer.status, refusal.status, other.status]).toEqual([200, 400, 200]);
  expect(answer.headers).toMatchObject(expected);
  expect(refusal.headers).toMatchObject(expected);
  expect(other.headers).not.toHaveProperty("deprecation");
  expect(other.headers).not.toHaveProperty("sunset");
  await gateway.close();
});

it("marks what is deprecated in the REST reference", () => {
  const finished = schemaWithDeprecations();
  const documents = restDocumentsOf(finished);
  const routes = RestRoute.all(documents, finished);

  const { paths, components } = buildOpenApi({ routes, documents, finished, answers: {} }) as unknown as {
    paths: Record<string, Record<string, { deprecated?: boolean; description: string }>>;
    components: { schemas: Record<string, { properties: Record<string, { deprecated?: boolean }> }> };
  };

  const deprecated = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .filter((operation) => operation.deprecated === true);
  expect(deprecated.length).toBeGreaterThan(0);
  expect(deprecated.every(({ description }) => description.includes(REASON))).toBe(true);
  expect(paths["/companies/{companyId}/properties"]?.["get"]?.deprecated).toBe(true);
  expect(paths["/companies/{companyId}/goods"]?.["get"]).not.toHaveProperty("deprecated");
  const views = Object.entries(components.schemas).filter(([name]) => /^Good(?:View)?$/u.test(name));
  expect(views.map(([, { properties }]) => properties["eta"]?.deprecated)).toEqual(views.map(() => true));
  expect(views.length).toBeGreaterThan(0);
});

it.each([
  "Use `goods`.",
  "Use `goods`, since 2026-12-01.",
  "Use `goods`, since 2026-12-01 until 2027-05-31.",
  "Use `goods`, since 2026-12-01 until 2027-13-01.",
])("does not take the reason %j", (reason) => {
  const { schema } = createSchema();
  (schema.getQueryType()?.getFields()["goods"] as GraphQLField<unknown, unknown>).deprecationReason = reason;

  expect(() => deprecationOf(reason)).toThrow("has to end in");
  expect(() => assertDeprecationsDated(schema)).toThrow(reason);
});

it("takes six months and more", () => {
  expect(deprecationOf(REASON)).toEqual({
    since: new Date("2026-12-01T00:00:00Z"),
    until: new Date("2027-06-01T00:00:00Z"),
  });
});
