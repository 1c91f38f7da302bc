import { getIntrospectionQuery } from "graphql";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const OVER_LIMIT: Readonly<Record<string, string>> = {
  depth: nested(13),
  aliases: `{ ${times(51, (index) => `a${index}: __typename`)} }`,
  directives: `{ ${times(51, () => "__typename @include(if: true)")} }`,
  tokens: `{ ${times(4_001, () => "__typename")} }`,
  operations: times(51, (index) => `query A${index} { __typename }`),
  lines: `{ __typename }${"\n".repeat(4_000)}`,
  name: `query A${"a".repeat(200)} { __typename }`,
  pairs: `{ ${times(46, () => "__typename")} nothing }`,
  cost: `{ ${times(
    20,
    (index) =>
      `a${index}: goods(companyId: 1, first: 200) { nodes { properties { property { propertyOptions { id } } } } }`,
  )} }`,
};

describe("limits of GraphQL documents", () => {
  let gateway: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  it.each(Object.entries(OVER_LIMIT))(
    "refuses a document over the limit of %s, by POST and GET",
    async (rule, query) => {
      gateway.statements.length = 0;

      const answers = [await post({ query }), await post({ query }), await get({ query })];

      for (const answer of answers) {
        expect(answer.statusCode).toBe(400);
        expect(answer.json()).toMatchObject({
          errors: [{ extensions: { code: "BAD_REQUEST", status: 400, errors: [{ field: "query", rule }] } }],
        });
      }
      expect(gateway.statements).toEqual([]);
    },
  );

  it("lets pass what is just within the limits", async () => {
    const within = [
      `{ ${times(50, (index) => `a${index}: __typename`)} }`,
      `{ ${times(50, () => "__typename @include(if: true)")} }`,
      `{ __typename }${"\n".repeat(1_999)}${"\r\n".repeat(2_000)}`,
      `query A${"a".repeat(199)} { __typename }`,
    ];

    const statuses = await Promise.all(within.map(async (query) => (await post({ query })).statusCode));

    expect(statuses).toEqual([200, 200, 200, 200]);
    const ids = times(3_900, () => "1");
    const long = await post({
      query: `{ goods(companyId: 1, filter: { id: { in: [${ids}] } }) { totalCount } }`,
    });
    expect(long.body).not.toContain('"tokens"');
    expect((await post({ query: nested(12) })).json().errors[0].message).toMatch(/^Cannot query field/u);
  });

  it("names every limit that a document exceeds", async () => {
    const { errors } = (
      await post({ query: `query @skip(if: true) { ${times(51, (i) => `a${i}: x @skip(if: true)`)} }` })
    ).json();

    expect(errors[0].extensions.errors.map(({ rule }: { rule: string }) => rule)).toEqual([
      "aliases",
      "directives",
    ]);
  });

  it("counts what fragments stand for, each once, however they multiply", async () => {
    const bomb = times(
      60,
      (index) => `fragment f${index} on Query { a: __typename ...f${index + 1} ... { ...f${index + 1} } }`,
    );

    const answer = await post({ query: `{ ...f0 } ${bomb} fragment f60 on Query { __typename }` });

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].extensions.errors.map(({ rule }: { rule: string }) => rule)).toEqual([
      "aliases",
      "fields",
    ]);
  });

  it("takes fields that are the same however often they stand in one place", async () => {
    const good = (fields: string) => `good(companyId: 1, id: 2000000000) { ${fields} }`;
    const fragments = (count: number) => times(count, (index) => `fragment f${index} on Good { id }`);
    const documents = [
      `{ ${times(250, () => good("id"))} }`,
      `{ ${good(times(350, (index) => `...f${index}`))} } ${fragments(350)}`,
      `{ ${good(times(800, () => "...f"))} } fragment f on Good { id }`,
    ];

    for (const query of documents)
      expect((await post({ query })).json().errors).toMatchObject([{ extensions: { code: "NOT_FOUND" } }]);
  });

  it("tells of an invalid document with many pairs of fields in one place what is wrong first, and no value", async () => {
    const good = (fields: string) => `good(companyId: 1, id: 2000000000) { ${fields} }`;
    const most = "at most 1000 pairs of fields with the same name in one place are allowed";
    const faults: [query: string, fault: string][] = [
      [`{ ${times(46, () => good("nothing"))} }`, 'Cannot query field "nothing" on type "Good".'],
      [
        `{ ${times(46, () => good("id"))} good(companyId: "secret", id: 5) { id } }`,
        "Int cannot represent non-integer value",
      ],
      [
        `{ ${times(46, () => good("id"))} good(companyId: 1, id: 5) { id } }`,
        'Fields "good" conflict because they have differing arguments.',
      ],
      [`{ __typename } fragment f on Good { ${times(46, () => "id")} }`, 'Fragment "f" is never used.'],
      [
        `{ ...f } fragment f on Query { a: ${good("id")} ...f ${times(46, () => "__typename")} }`,
        'Cannot spread fragment "f" within itself.',
      ],
    ];

    for (const [query, fault] of faults) {
      const answer = await post({ query });
      const [{ message, ...entry }] = answer.json().errors[0].extensions.errors;
      expect([answer.statusCode, entry]).toEqual([400, { field: "query", rule: "pairs" }]);
      expect(message).toContain(`${most} in a document that does not fit the schema: ${fault}`);
      expect(answer.body).not.toContain("secret");
    }
  });

  it("tells only what is wrong first where many lines come before many places", async () => {
    const goods = `goods(${times(30, () => "companyId: 1")}) { nothing }`;
    const query = (lines: number) => `${"\n".repeat(lines)}{ ${times(20, () => goods)} }`;

    const long = (await post({ query: query(3_000) })).json();
    const usual = (await post({ query: query(100) })).json();

    expect(long.errors).toHaveLength(1);
    expect(long.errors[0].extensions.errors).toEqual([
      {
        field: "query",
        rule: "lines",
        message:
          "has 3001 lines, too many to tell all that is wrong in a document that does not fit the schema: " +
          'There can be only one argument named "companyId".',
      },
    ]);
    expect(usual.errors).toHaveLength(21);
    expect(usual.errors[0]).toMatchObject({
      locations: expect.arrayContaining([{ line: 101, column: 9 }]) as unknown,
      extensions: { code: "GRAPHQL_VALIDATION_FAILED" },
    });
  });

  it("names at most twenty faults of a document that does not fit the schema", async () => {
    const answer = await post({
      query: `query (${times(100, (index) => `$a${index}: Goods${index}`)}) { me { id } }`,
    });

    expect(answer.json().errors).toHaveLength(21);
  });

  it("leaves fragments within themselves, and text that is no GraphQL, to the messages for that", async () => {
    const cycle = await post({
      query: "{ ...a } fragment a on Query { __typename ...b } fragment b on Query { ...a }",
    });
    const broken = await post({ query: "{ goods(" });

    expect(cycle.json().errors[0].extensions.code).toBe("GRAPHQL_VALIDATION_FAILED");
    expect(broken.json().errors[0].extensions.code).toBe("GRAPHQL_PARSE_FAILED");
  });

  it("refuses introspection that nests lists, and answers the explorers' query", async () => {
    const bomb = await post({
      query: "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }",
    });
    const usual = await post({ query: getIntrospectionQuery() });

    expect(bomb.statusCode).toBe(400);
    expect(bomb.json().errors[0].extensions).toMatchObject({
      code: "BAD_REQUEST",
      errors: [{ field: "query", rule: "depth", message: expect.stringContaining("at most 2") }],
    });
    expect(usual.statusCode).toBe(200);
    expect(usual.json()).toMatchObject({
      extensions: { cost: { requested: expect.any(Number) as number, limit: 100_000 } },
    });
  });

  it("charges introspection, filter values, and the larger of first and last", async () => {
    const nodes = "{ nodes { id } }";
    const list = (args: string) => `goods(companyId: ${company.id}, ${args}) ${nodes}`;
    const introspection = await costOf(getIntrospectionQuery());
    const many = await post({
      query: getIntrospectionQuery().replace(/__schema \{[\s\S]*?\n {6}\}/u, (schema) =>
        times(5, (i) => `a${i}: ${schema}`),
      ),
    });

    expect(introspection).toBeGreaterThan(1_000);
    expect([many.statusCode, many.json().errors[0].extensions.errors[0].rule]).toEqual([400, "cost"]);
    expect(await costOf(`{ ${list("first: 10, filter: { id: { in: [1, 2, 3] } }")} }`)).toBe(15);
    expect(
      await costOf(`query F($f: GoodFilterInput) { ${list("first: 10, filter: $f")} }`, {
        f: { id: { in: [1, 2, 3] } },
      }),
    ).toBe(15);
    expect(await costOf(`{ ${list("first: null, last: 100")} }`)).toBe(111);
    expect(
      await costOf(`query L($n: Int, $m: Int) { ${list("first: $n, last: $m")} }`, { n: null, m: 100 }),
    ).toBe(111);
  });

  it("takes no document with the name __proto__", async () => {
    for (const query of [
      "{ __proto__: __typename }",
      "query A($__proto__: Int) { goods(companyId: 1, first: $__proto__) { totalCount } }",
      "{ ...f } fragment f on Query { __proto__: __typename }",
    ]) {
      const answer = await post({ query });
      expect([answer.statusCode, answer.json().errors[0].extensions.errors[0].rule]).toEqual([400, "name"]);
    }
  });

  it("shows the cost: 1 an object, 0.1 a field, lists by what they may hold", async () => {
    const list = (first: string) =>
      `query L${first.includes("$") ? "($n: Int = 7)" : ""} { goods(companyId: ${company.id}, ${first}) { nodes { id name } totalCount } }`;
    const costs = [
      await costOf(list("first: 10")),
      await costOf(list("first: $n")),
      await costOf(list("first: $n"), { n: 100 }),
      await costOf(list("withDeleted: null")),
      await costOf(
        `{ goods(companyId: ${company.id}, first: 10) { ...c } } fragment c on GoodConnection { nodes { id name } totalCount }`,
      ),
      await costOf(`{ goods(companyId: ${company.id}, first: 2) { nodes { properties { id } } } }`),
    ];

    expect(costs).toEqual([14, 10, 122, 32, 14, 14]);
  });

  it("judges each call of a persisted document by its own variables", async () => {
    const query = `query P($n: Int) { goods(companyId: ${company.id}, first: $n) { nodes { properties { property { propertyOptions { id } } } } } }`;
    const { createHash } = await import("node:crypto");
    const extensions = {
      persistedQuery: { version: 1, sha256Hash: createHash("sha256").update(query).digest("hex") },
    };
    const cheap = await startGateway({ on: gateway, environment: { COST_LIMIT: "1000" } });
    const send = (body: object) => cheap.app.inject({ method: "POST", url: "/graphql", payload: body });

    const known = await send({ query, extensions, variables: { n: 1 } });
    const again = await send({ extensions, variables: { n: 1 } });
    const tooMuch = await send({ extensions, variables: { n: 200 } });
    const byUrl = await cheap.app.inject({
      url: "/graphql",
      headers: { "apollo-require-preflight": "1" },
      query: { extensions: JSON.stringify(extensions), variables: JSON.stringify({ n: 200 }) },
    });
    await cheap.close();

    expect([known.statusCode, again.statusCode, tooMuch.statusCode, byUrl.statusCode]).toEqual([
      200, 200, 400, 400,
    ]);
    expect(again.json().extensions.cost).toEqual({
      requested: expect.any(Number) as number,
      limit: 1000,
      used: expect.any(Number) as number,
      left: expect.any(Number) as number,
    });
    expect(tooMuch.json().errors[0].extensions).toMatchObject({
      code: "BAD_REQUEST",
      errors: [{ rule: "cost" }],
    });
  });

  it("refuses over REST what costs too much", async () => {
    const cheap = await startGateway({ on: gateway, environment: { COST_LIMIT: "300" } });

    const few = await cheap.anonymous.rest("GET", `/companies/${company.id}/goods?per_page=5`);
    const many = await cheap.anonymous.rest(
      "GET",
      `/companies/${company.id}/goods?per_page=200&load=properties`,
    );
    await cheap.close();

    expect(few.status).toBe(200);
    expect([many.status, many.body.code, many.body.errors[0].rule]).toEqual([400, "BAD_REQUEST", "cost"]);
  });

  it("refuses bodies nested deeper than 32 levels", async () => {
    const deep = JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`) as unknown;

    const answer = await post({ query: "{ __typename }", variables: { deep } });

    expect([answer.statusCode, answer.json().errors[0].extensions.code]).toEqual([400, "BAD_REQUEST"]);
  });

  const post = (payload: object) => gateway.app.inject({ method: "POST", url: "/graphql", payload });
  const get = (query: Record<string, string>) =>
    gateway.app.inject({ url: "/graphql", query, headers: { "apollo-require-preflight": "1" } });
  async function costOf(query: string, variables = {}): Promise<number> {
    const answer = (await post({ query, variables })).json();
    expect(answer.errors).toBeUndefined();
    return answer.extensions.cost.requested as number;
  }
});

function times(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join(" ");
}

function nested(levels: number): string {
  return `${"{ a ".repeat(levels)}${"}".repeat(levels)}`;
}
