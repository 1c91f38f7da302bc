import { composeServices } from "@theguild/federation-composition";
import { getStitchedSchemaFromSupergraphSdl } from "@graphql-tools/federation";
import { makeExecutableSchema } from "@graphql-tools/schema";
import type { Executor } from "@graphql-tools/utils";
import { execute, parse, print, type DocumentNode } from "graphql";
import { createSchema } from "../../src/schema.js";
import { boundAdmin, createTwoShops } from "../bounds/two-shops.js";
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
      const name = config.name.toLowerCase();
      const answer = (document: DocumentNode, variableValues: Record<string, unknown>): unknown =>
        name === "reviews"
          ? execute({ schema: reviews, document, variableValues })
          : company.owner.run(print(document), variableValues);
      config.executor = (({ document, variables }) => {
        asked.push(name);
        return answer(document, variables as Record<string, unknown>);
      }) as Executor;
    },
  });

  const document = parse("{ reviews { stars good { name priceE2 } } }");
  const result = await execute({ schema, document });

  expect(composed.errors ?? []).toEqual([]);
  expect(result).toEqual({
    data: {
      reviews: [
        { stars: 1, good: { name: "Mate", priceE2: 1000 } },
        { stars: 2, good: { name: "Yerba", priceE2: 1000 } },
      ],
    },
  });
  expect(asked).toEqual(["reviews", "shop"]);
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
  const nonsense = await entities([{ __typename: "Nonsense", id: 1 }, {}]);
  const byAnybody = await entities(
    [{ __typename: "Client", id: 2_000_000_000 }, ...named],
    gateway.anonymous,
  );

  expect([errorCodes(byReader), byReader.data?.["_entities"]]).toEqual([
    ["FORBIDDEN"],
    [null, { __typename: "Good", id: good.id, name: "Mate" }],
  ]);
  expect(errorCodes(nonsense)).toEqual(["BAD_REQUEST", "BAD_REQUEST"]);
  expect([errorCodes(byAnybody), byAnybody.data?.["_entities"]]).toEqual([
    ["UNAUTHENTICATED"],
    [null, null, { __typename: "Good", id: good.id, name: "Mate" }],
  ]);
  expect(dataOf(await entities(named))["_entities"]).toMatchObject([{ name: "Eva" }, { name: "Mate" }]);
});

it("reads rows of other shops as if they did not exist for who is bound to one", async () => {
  const { companyId, own, other } = await createTwoShops(gateway);
  const admin = await boundAdmin(gateway, companyId, { branchGroupIds: [own.id] }, "access_goods");

  const read = await entities([goodOf(other.goodId), goodOf(own.goodId)], admin);

  expect(dataOf(read)["_entities"]).toEqual([null, { __typename: "Good", id: own.goodId, name: "own lamp" }]);
});

it("costs as much as rows are named, and refuses too many", async () => {
  const costOf = async (count: number): Promise<unknown> => {
    const answer = await entities(Array.from({ length: count }, (_, index) => goodOf(index + 1)));
    return (answer as { extensions?: { cost: { requested: number } } }).extensions?.cost.requested;
  };

  // An object is 1, and 0.1 is each of its five fields.
  expect([await costOf(0), await costOf(2), await costOf(1_000)]).toEqual([0, 3, 1_500]);
  const tooMany = await entities(Array.from({ length: 1_001 }, () => goodOf(1)));
  expect(tooMany.errors).toMatchObject([
    { extensions: { errors: [{ field: "variables.representations", rule: "max_items" }] } },
  ]);
});
