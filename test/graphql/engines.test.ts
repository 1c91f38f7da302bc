import { delegateName } from "../../src/core/scope/tenant-models.js";
import { toSnakeCase } from "../../src/api/rest/naming.js";
import { queryVariables } from "../../src/api/rest/query-parameters.js";
import { RestRoute } from "../../src/api/rest/rest-route.js";
import { sharedRestDocuments, sharedSchema as createSchema } from "../support/schema.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { fillCompany } from "../support/fill-company.js";
import { saidBy, startGateway, type Client, type Gateway } from "../support/gateway.js";

const finished = createSchema();
/** Read by a link of which only the service makes the signature. */
const BY_LINK = "/companies/{companyId}/clients/{clientId}/data";
const reads = sharedRestDocuments()
  .routes.map((document) => new RestRoute(document, finished.schema, finished.operations))
  .filter((route) => route.isRead && route.rest.path !== BY_LINK);

let compiled: Gateway;
let interpreted: Gateway;
let company: TestCompany;
let client: Client;
let clientId: number;
beforeAll(async () => {
  compiled = await startGateway({ own: "database" });
  interpreted = await startGateway({ engine: "graphql-js", on: compiled });
  company = await createCompany(compiled, { settings: { isMarketplace: true } });
  await fillCompany(compiled.db, company.id, 4);
  const { clientId: id } = await compiled.db.admin.findFirstOrThrow({
    where: { companyId: company.id, clientId: { not: null } },
    orderBy: { id: "asc" },
  });
  clientId = id as number;
  client = await compiled.as({ kind: "client", id: clientId, companyId: company.id });
});

/** Rows of the client whose token reads what is for clients alone, and the admin who is the same person. */
function ofTheFirstClient(model: string): object {
  if (model === "Client") return { id: clientId };
  return model === "ClientAddress" || model === "Admin" ? { clientId } : {};
}
afterAll(async () => {
  await interpreted.close();
  await compiled.close();
});

it.each(reads.map((route) => [route.rest.path, route] as const))(
  "gives the same answer compiled and interpreted: %s",
  async (_, route) => {
    const { domain } = await compiled.db.company.findUniqueOrThrow({ where: { id: company.id } });
    let path = route.rest.path
      .replace(/\{company(?:Id)?\}/u, String(company.id))
      .replace(/\{domain\w*\}/u, domain);
    for (const { argument, model } of route.operation.idArguments) {
      const parameter = route.pathParameters.find((name) => argument in route.argumentsOf({ [name]: 1 }));
      const delegate = compiled.db[delegateName(model) as "good"];
      const row = await delegate.findFirstOrThrow({
        where: { companyId: company.id, ...ofTheFirstClient(model) },
        select: { id: true },
      });
      path = path.replace(`{${parameter ?? ""}}`, String(row.id));
    }
    for (const [name, value] of Object.entries(route.rest.example)) {
      if (route.pathParameters.includes(toSnakeCase(name)))
        path = path.replace(`{${toSnakeCase(name)}}`, String(value));
    }
    const given = queryVariables(route).filter((name) => name in route.rest.example);
    path += `?${given.map((name) => `${toSnakeCase(name)}=${String(route.rest.example[name])}`).join("&")}`;
    const { kind } = route.operation.access;
    const caller = kind === "platform" ? compiled.platform : kind === "client" ? client : company.owner;

    const [one, other] = await Promise.all([
      caller.rest("GET", path),
      interpreted.withToken(caller.token).rest("GET", path),
    ]);

    expect(one.status).toBe(200);
    expect(other.body).toEqual(one.body);
  },
);

it.each([
  ["{ nope }", {}],
  [
    "query($id: Int!) { properties(companyId: $id) { nodes { id ... on Property { name } } totalCount } }",
    {},
  ],
  ["query($id: Int!) { properties(companyId: $id, first: 500) { nodes { id } } }", { first: 1 }],
  [
    "query($id: Int!, $yes: Boolean!) { properties(companyId: $id) { nodes { id name @include(if: $yes) type @skip(if: $yes) } } }",
    { yes: true },
  ],
  [
    'query($id: Int!, $yes: Boolean = true, $name: String = "x") { properties(companyId: $id, filter: { name: { not: $name } }) { nodes { id @include(if: $yes) name @skip(if: $yes) } } }',
    {},
  ],
  [
    "query($id: Int!) { a: property(companyId: $id, id: 1) { id } b: property(companyId: $id, id: 2147483647) { id } }",
    {},
  ],
  [
    'query($id: Int!) { cityDebtCount(companyId: $id, cityId: 2147483647) goods(companyId: $id, first: 2) { nodes { id name type } } clientData(companyId: $id, clientId: 1, expires: "0", signature: "0") }',
    {},
  ],
  [
    "mutation($id: Int!, $i: PropertyInput!) { createProperty(companyId: $id, input: $i) { id } }",
    { i: { name: 1 } },
  ],
])("says the same of %s", async (query, variables) => {
  const all = { id: company.id, ...variables };

  await company.owner.run(query, all);
  // The second run is of compiled code.
  const one = await company.owner.run(query, all);
  const other = await interpreted.withToken(company.owner.token).run(query, all);

  const bare = (result: typeof one) => ({
    ...saidBy(result),
    errors: result.errors?.map(({ message, path, locations, extensions }) => ({
      message,
      path,
      locations,
      extensions,
    })),
  });
  expect(bare(other)).toEqual(bare(one));
});
