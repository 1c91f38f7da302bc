import { getNamedType, isObjectType } from "graphql";
import { CHECKED_LIST } from "../../src/core/operations/operation-arguments.js";
import { sharedSchema } from "../support/schema.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { type Gateway, type GraphqlResult, startGateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const WORDS = "a b c d e f g h i j k";

const goods = (args: string, selection = "nodes { id }"): Promise<GraphqlResult> =>
  company.owner.run(`{ goods(companyId: ${company.id}, ${args}) { ${selection} } }`);
const told = ({ errors }: GraphqlResult) =>
  errors?.flatMap(({ extensions }) => [
    [extensions["status"], extensions["code"]],
    ...(extensions["errors"] ?? []).map(({ field, rule }: Record<string, string>) => `${field} ${rule}`),
  ]);
const REFUSED = [400, "BAD_REQUEST"];

describe("wrong arguments of a list", () => {
  it.each<[string, string[]]>([
    ["first: 0", ["first min"]],
    ["first: 201", ["first max"]],
    ["last: 0", ["last min"]],
    ["last: 201", ["last max"]],
    ["offset: -1", ["offset min"]],
    ["first: 5, last: 5", ["last mismatch"]],
    ['first: 2, before: "x"', ["before mismatch"]],
    ['offset: 2, after: "x"', ["offset mismatch", "after cursor"]],
    ["offset: 2, last: 2", ["offset mismatch"]],
    ['after: "x", last: 300', ["last mismatch", "last max", "after cursor"]],
    ['after: "WyJPdGhlciJd"', ["after cursor"]],
  ])("are reported with field and rule: %s", async (args, expected) => {
    expect(told(await goods(args))).toEqual([REFUSED, ...expected]);
  });

  it.each<[string, string[]]>([
    [
      "first: 0, orderBy: [{ field: DELETED_AT }], filter: { sku: { eq: null } }",
      ["first min", "orderBy required", "filter.sku.eq type"],
    ],
    [
      `filter: { sku: { eq: null }, name: { words: "${WORDS}" }, not: {} }, after: "zz"`,
      ["after cursor", "filter.name.words max_values", "filter.sku.eq type", "filter.not required"],
    ],
    [
      `first: 0, filter: { createdAt: { gt: "yesterday" }, or: [{ id: { isNull: null } }, {}] }`,
      ["filter.createdAt.gt datetime", "first min", "filter.or[0].id.isNull type", "filter.or[1] required"],
    ],
    [
      `offset: -1, filter: { createdAt: { in: [${Array(201).fill('"2026-01-01"').join()}] }, not: { not: { not: { id: { eq: 1 } } } } }`,
      ["offset min", "filter.not.not.not max_depth", "filter max_values"],
    ],
  ])("are reported all at once: %s", async (args, expected) => {
    expect(told(await goods(args))).toEqual([REFUSED, ...expected]);
  });

  it("are named by the message, too, when there is one", async () => {
    const one = await goods("first: 0");
    const two = await goods("first: 0, offset: -1");

    expect(one.errors?.[0]?.message).toBe("first must be between 1 and 200.");
    expect(two.errors?.[0]?.message).toBe("The list cannot be asked for like this; see errors.");
  });

  it("are reported of counts and searches, too", async () => {
    const count = await company.owner.run(
      `{ goodCounts(companyId: ${company.id}, by: good_type_id, filter: { sku: { eq: null }, not: {} }) { count } }`,
    );
    const search = (args: string) =>
      company.owner.run(`{ searchGoods(companyId: ${company.id}, ${args}) { nodes { id } } }`);

    expect(told(count)).toEqual([REFUSED, "filter.sku.eq type", "filter.not required"]);
    expect(told(await search(`q: "tea", first: 0, after: "x", filter: { not: {} }`))).toEqual([
      REFUSED,
      "first min",
      "after cursor",
      "filter.not required",
    ]);
    expect(told(await search(`q: "", first: 0`))).toEqual([REFUSED, "q min_length", "first min"]);
    // Without pages the size of one means nothing.
    expect(told(await search(`q: "tea", paginate: false, first: 0, after: "x"`))).toBeUndefined();
  });

  it.each([
    ["$f: [GoodOrderByInput!]", "orderBy: $f", [{ field: "name" }], "orderBy[0].field"],
    ["$f: GoodOrderByInput!", "orderBy: [{ field: ID }, $f]", { field: "priceE2" }, "orderBy[1].field"],
    ["$f: GoodOrderField!", "orderBy: [{ field: $f }]", "createdAt", "orderBy[0].field"],
    ["$f: [GoodOrderByInput!]", "orderBy: $f", [{ field: "ID", direction: "asc" }], "orderBy[0].direction"],
  ])(
    "have one answer for a word of no closed set, however often they came: %s",
    async (variable, argument, f, field) => {
      const query = `query (${variable}) { goods(companyId: ${company.id}, ${argument}) { nodes { id } } }`;
      const refused = [REFUSED, `${field} enum`];

      for (let run = 0; run < 3; run += 1)
        expect(told(await company.owner.run(query, { f }))).toEqual(refused);
    },
  );

  it("have one answer for a word of no closed set after right ones, too", async () => {
    const query = `query ($f: [GoodOrderByInput!]) { goods(companyId: ${company.id}, orderBy: $f) { nodes { name } } }`;

    for (const field of ["NAME", "NAME", "name", "NOPE"]) {
      const answer = told(await company.owner.run(query, { f: [{ field }] }));
      expect(answer).toEqual(field === "NAME" ? undefined : [REFUSED, "orderBy[0].field enum"]);
    }
  });

  it("come after rows that are not there", async () => {
    const answer = await company.owner.run(
      `{ propertiesOfGood(companyId: ${company.id}, goodId: 2000000000, first: 0) { nodes { id } } }`,
    );

    expect(told(answer)).toEqual([[404, "NOT_FOUND"]]);
  });

  it("name what orders alone beside what else is wrong", async () => {
    const answer = await company.owner.run(
      `{ coupons(companyId: ${company.id}, first: 0, orderBy: [{ field: SPENT_COUNT }, { field: NAME }]) { nodes { id } } }`,
    );

    expect(told(answer)).toEqual([REFUSED, "first min", "orderBy max_items"]);
  });
});

it("are checked wherever the schema takes them", () => {
  const { schema } = sharedSchema();
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) ? Object.values(type.getFields()) : [],
  );
  const lists = fields.filter(({ args }) =>
    args.some(({ type }) => /FilterInput$|OrderByInput$/u.test(getNamedType(type).name)),
  );
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
    Object.values(root?.getFields() ?? {}),
  );

  expect(lists.length).toBeGreaterThan(50);
  // The filter of the journal is of plain lists of words, as any other input; changes of prices check theirs with the change.
  const unchecked = lists.filter((field) => !field.args.some(({ extensions }) => CHECKED_LIST in extensions));
  expect(unchecked.map(({ name }) => name)).toEqual(["changes", "previewRepricing", "repriceGoods"]);
  // Only the arguments of root fields are checked before anything runs.
  expect(lists.filter((field) => !roots.includes(field)).map(({ name }) => name)).toEqual([]);
});
