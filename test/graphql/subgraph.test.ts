import { composeServices } from "@theguild/federation-composition";
import { getStitchedSchemaFromSupergraphSdl } from "@graphql-tools/federation";
import { makeExecutableSchema } from "@graphql-tools/schema";
import { execute, parse, print, type ExecutionResult } from "graphql";
import { createSchema } from "../../src/schema.js";
import { adminWith, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";

const ENTITIES = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) { __typename ... on Good { id name } ... on Client { id name } }
}`;
const REVIEWS = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Query { reviews: [Review!]! }
  type Review { stars: Int!  good: Good! }
  type Good @key(fields: "id", resolvable: false) { id: Int! }
`);

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway({ schema: createSchema({ isSubgraph: true }) });
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const goodOf = (id: number) => ({ __typename: "Good", id });
const entities = (representations: readonly object[], by: Client = company.owner) =>
  by.run(ENTITIES, { representations });

it("is composed with another subgraph, whose references a query follows", async () => {
  const [one, two] = [
    await createGood(gateway, company.id, { name: "Mate" }),
    await createGood(gateway, company.id, { name: "Yerba" }),
  ];
  const { _service } = dataOf(await company.owner.run("{ _service { sdl } }"));
  const composed = composeServices([
    { name: "shop", url: "http://shop", typeDefs: parse((_service as { sdl: string }).sdl) },
    { name: "reviews", url: "http://reviews", typeDefs: REVIEWS },
  ]);
  const reviews = makeExecutableSchema({
    typeDefs:
      "type Query { reviews: [Review!]! } type Review { stars: Int!  good: Good! } type Good { id: Int! }",
    resolvers: {
      Query: { reviews: () => [one, two].map(({ id }, index) => ({ stars: index + 1, good: { id } })) },
    },
  });
  const asked: string[] = [];
  const schema = getStitchedSchemaFromSupergraphSdl({
    supergraphSdl: composed.supergraphSdl ?? "",
    onSubschemaConfig: (config) => {
      config.executor = async ({ document, variables }) => {
        asked.push(config.name);
        if (config.name.toLowerCase() === "reviews")
          return execute({ schema: reviews, document, variableValues: variables as Record<string, unknown> });
        return (await company.owner.run(print(document), variables as object)) as ExecutionResult;
      };
    },
  });

  const document = parse("{ reviews { stars good { name priceE2 } } }");
  const result = (await execute({ schema, document })) as ExecutionResult;

  expect(composed.errors ?? []).toEqual([]);
  expect(result).toEqual({
    data: {
      reviews: [
        { stars: 1, good: { name: "Mate", priceE2: Number(one.priceE2) } },
        { stars: 2, good: { name: "Yerba", priceE2: Number(two.priceE2) } },
      ],
    },
  });
  expect(asked.map((name) => name.toLowerCase())).toEqual(["reviews", "shop"]);
});

it("reads entities in their order, those of other companies and deleted ones as if they did not exist", async () => {
  const other = await createCompany(gateway);
  const [own, foreign, gone] = [
    await createGood(gateway, company.id, { name: "Own" }),
    await createGood(gateway, other.id, { name: "Foreign" }),
    await createGood(gateway, company.id, { name: "Gone", deletedAt: new Date() }),
  ];
  const named = [foreign, own, gone, { id: 2_000_000_000 }].map(({ id }) => goodOf(id));

  const byOwner = dataOf(await entities(named))["_entities"];
  const byAnybody = dataOf(await entities(named, gateway.anonymous))["_entities"];

  const own_ = { __typename: "Good", id: own.id, name: "Own" };
  expect(byOwner).toEqual([null, own_, null, null]);
  expect(byAnybody).toEqual([{ __typename: "Good", id: foreign.id, name: "Foreign" }, own_, null, null]);
});

it("refuses who may not read the type, and what is no entity, in its place", async () => {
  const reader = await adminWith(gateway, company.id, "access_goods");
  const client = await gateway.db.client.create({ data: { companyId: company.id, name: "Eva" } });
  const good = await createGood(gateway, company.id, { name: "Mate" });
  const named = [{ __typename: "Client", id: client.id }, goodOf(good.id)];

  const byReader = await entities(named, reader);
  const nonsense = await entities([{ __typename: "Nonsense", id: 1 }]);

  expect([errorCodes(byReader), byReader.data?.["_entities"]]).toEqual([
    ["FORBIDDEN"],
    [null, { __typename: "Good", id: good.id, name: "Mate" }],
  ]);
  expect(errorCodes(nonsense)).toEqual(["BAD_REQUEST"]);
  expect(dataOf(await entities(named))["_entities"]).toMatchObject([{ name: "Eva" }, { name: "Mate" }]);
});
