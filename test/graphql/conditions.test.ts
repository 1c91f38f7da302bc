import { buildSchema, executeSync, Kind, parse, validate, type OperationDefinitionNode } from "graphql";
import { ConditionalDocument } from "../../src/engine/execution/conditional-document.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { randomly } from "../support/randomly.js";

const SCHEMA = buildSchema("type Query { a: Int b: Int c: Query d: Query }");
const ROOT = { a: 1, b: 2, c: () => ROOT, d: () => ROOT };
const VARIABLES = ["$x", "$y"];

/** Writes selections of which many stand in one place several times, with and without conditions. */
function documentBy(next: () => number): string {
  const fragments: string[] = [];
  const oneOf = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const condition = (): string =>
    next() < 0.5 ? "" : ` @${oneOf(["skip", "include"])}(if: ${oneOf([...VARIABLES, "true", "false"])})`;
  const set = (levels: number): string =>
    `{ ${Array.from({ length: 1 + Math.floor(next() * 3) }, () => selection(levels)).join(" ")} }`;
  const selection = (levels: number): string => {
    const kind = next();
    if (levels === 0 || kind < 0.3) return oneOf(["a", "b"]) + condition();
    if (kind < 0.6) return `${oneOf(["c", "d"])}${condition()} ${set(levels - 1)}`;
    if (kind < 0.8) return `... on Query${condition()} ${set(levels - 1)}`;
    const name = `f${fragments.length}`;
    fragments.push("");
    fragments[fragments.indexOf("")] = `fragment ${name} on Query ${set(levels - 1)}`;
    return `...${name}${condition()} ...${name}${condition()}`;
  };
  const operation = `query ($x: Boolean!, $y: Boolean = true) ${set(3)}`;
  return [operation, ...fragments].join("\n");
}

describe("fields and fragments that are left out by a condition", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
    await gateway.db.client.createMany({
      data: ["One", "Two"].map((name) => ({ companyId: company.id, name })),
    });
  });
  afterAll(() => gateway.close());

  it("are those that graphql-js leaves out, in the same order, in the document that is compiled", () => {
    const next = randomly(17);
    const counts = { compared: 0, empty: 0 };
    const wrong: string[] = [];
    for (let made = 0; made < 3_000; made += 1) {
      const text = documentBy(next);
      const document = parse(text);
      if (validate(SCHEMA, document).length > 0) continue;
      const definition = document.definitions.find(
        ({ kind }) => kind === Kind.OPERATION_DEFINITION,
      ) as OperationDefinitionNode;
      const conditional = new ConditionalDocument(document, definition);
      for (const variableValues of [
        { x: true },
        { x: false },
        { x: true, y: false },
        { x: false, y: false },
      ]) {
        const variant = conditional.variantFor(variableValues);
        if (variant === null) {
          counts.empty += 1;
          continue;
        }
        const [asked, shown] = [document, variant.document].map((one) =>
          JSON.stringify(
            executeSync({ schema: SCHEMA, document: one, rootValue: ROOT, variableValues }).data,
          ),
        );
        if (asked !== shown) wrong.push(text);
        counts.compared += 1;
      }
    }

    expect(wrong).toEqual([]);
    expect(counts.compared).toBeGreaterThan(1_000);
    expect(counts.empty).toBeGreaterThan(100);
  });

  it.each([
    [
      "a field beside the same one",
      "query ($c: Int!, $f: Boolean!) { clients(companyId: $c) { nodes { id } nodes @include(if: $f) { ...G } } } fragment G on Client { name }",
      { f: false },
    ],
    [
      "a spread beside the same one",
      "query ($c: Int!, $f: Boolean!) { clients(companyId: $c) { nodes { ...G @include(if: $f) ...G } } } fragment G on Client { name }",
      { f: false },
    ],
    [
      "a field before others",
      "query ($c: Int!, $f: Boolean!) { clients(companyId: $c) { nodes @skip(if: $f) { id } totalCount nodes { name } } }",
      { f: true },
    ],
    [
      "all fields",
      "query ($c: Int!, $f: Boolean!) { clients(companyId: $c) { nodes @skip(if: $f) { id } } }",
      { f: true },
    ],
    [
      "a field by a default",
      "query ($c: Int!, $f: Boolean! = true) { clients(companyId: $c) { nodes { id name @skip(if: $f) } } }",
      {},
    ],
    [
      "a field by no value",
      "query ($c: Int!, $f: Boolean = true) { clients(companyId: $c) { totalCount nodes { name @skip(if: $f) } } }",
      { f: null },
    ],
  ])("are the same at each run of a document: %s", async (_, document, variables) => {
    const interpreted = await startGateway({ engine: "graphql-js", on: gateway });
    const by = async (one: Gateway) =>
      (await one.as({ kind: "admin", id: company.ownerId, companyId: company.id })).run(document, {
        c: company.id,
        ...variables,
      });
    const asked = await by(interpreted);
    const shown = [await by(gateway), await by(gateway), await by(gateway)];
    await interpreted.close();

    const told = ({ data, errors }: typeof asked) =>
      JSON.stringify({ data, errors: errors?.map(({ message }) => message) });
    expect(shown.map(told)).toEqual(Array(3).fill(told(asked)));
  });

  it("never keep a mutation from being done", async () => {
    const document = `mutation ($c: Int!, $n: String!, $f: Boolean!) { ...G @include(if: $f) ...G }
      fragment G on Mutation { createCity(companyId: $c, input: { name: $n, countryIso: "NL" }) { name } }`;
    const done = [];
    for (const n of ["A", "B", "C"])
      done.push(await company.owner.run(document, { c: company.id, n, f: false }));

    expect(done.map(({ data }) => data)).toEqual(["A", "B", "C"].map((name) => ({ createCity: { name } })));
    expect(await gateway.db.city.count({ where: { companyId: company.id } })).toBe(3);
  });

  it("take the default of a variable that is never null at each run", async () => {
    const document = `query ($c: Int! = ${company.id}, $first: Int! = 1) { clients(companyId: $c, first: $first) { nodes { name } } }`;
    const answers = [];
    for (let run = 0; run < 3; run += 1) answers.push(await company.owner.run(document, {}));

    expect(answers.map(({ errors }) => errors)).toEqual([undefined, undefined, undefined]);
    expect(answers.map(({ data }) => data)).toEqual(Array(3).fill(answers[0]?.data));
  });
});
