import {
  buildSchema,
  parse,
  responsePathAsArray,
  type ExecutionResult,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLScalarType,
  type GraphQLSchema,
} from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { compileLean, leanCode } from "../../src/engine/execution/lean-code.js";

const TYPES = ["Int", "Float", "String", "Boolean", "ID", "Color", "Moment"];
const name = (type: string) => type.toLowerCase();
const schema = buildSchema(`
  scalar Moment
  enum Color { RED GREEN }
  type Row { ${TYPES.map((type) => `${name(type)}: ${type} ${name(type)}s: [${type}!]`).join(" ")} }
  type Full { ${TYPES.map((type) => `${name(type)}: ${type}!`).join(" ")} }
  type Query { rows: [Row] fulls: [Full] refused: Int! ${TYPES.map((type) => `${name(type)}: ${type}!`).join(" ")} }
`);
Object.assign(schema.getType("Moment") as GraphQLScalarType, {
  serialize: (value: unknown) => {
    if (value instanceof Date) return value.toISOString();
    throw new TypeError("no moment");
  },
});
const REFUSAL = new Error("refused");
Object.assign(schema.getQueryType()?.getFields()["refused"] ?? {}, {
  resolve: () => {
    throw REFUSAL;
  },
});

const OPTIONS = { disablingCapturingStackErrors: true };
const compiledPlain = (text: string) => compileQuery(schema, parse(text), "Q", OPTIONS);
const compiledLean = (text: string) => compileLean(() => compiledPlain(text)).compiled;

function answerOf(compiled: ReturnType<typeof compiledPlain>, root: unknown): ExecutionResult {
  return runOf(compiled, root) as ExecutionResult;
}

function runOf(compiled: ReturnType<typeof compiledPlain>, root: unknown) {
  if (!isCompiledQuery(compiled)) throw new Error("the document was not compiled");
  return compiled.query(root, {}, {});
}

/** What of an answer anybody sees, and the cause of each error. */
function seen({ data, errors }: ExecutionResult) {
  return {
    data,
    errors: errors?.map(({ message, path, locations, originalError }) => ({
      message,
      path,
      locations,
      originalError,
    })),
  };
}

/** The fields of an object type, which may be given resolvers. */
function fieldsOf(of: GraphQLSchema, type: string): Record<string, GraphQLField<unknown, unknown>> {
  return (of.getType(type) as GraphQLObjectType).getFields();
}

const USUAL = { int: 7, float: 0.5, string: "a", boolean: true, id: "8", color: "RED", moment: new Date(0) };
const VALUES: readonly unknown[] = [
  ...Object.values(USUAL),
  ...[0, -0, -1, 2 ** 31, -(2 ** 31), 1.5, NaN, Infinity, 1n, "", "7", "BLUE", false, null, undefined],
  ...[
    new Error("not found"),
    Object.assign(new Error("coded"), { extensions: { code: "X" } }),
    [],
    {},
    Symbol("s"),
  ],
];

describe("lean code", () => {
  it.each(TYPES.map(name))("answers and refuses each value of a field as before: %s", (field) => {
    const text = `query Q {
      rows { ${field} many: ${field}s }
      fulls { ${field} other: ${field} @include(if: true) }
    }`;
    const [plain, lean] = [compiledPlain(text), compiledLean(text)];

    const messages = new Set<string>();
    for (const value of VALUES) {
      const usual = { [field]: USUAL[field as "int"], [`${field}s`]: [USUAL[field as "int"]] };
      const odd = { [field]: value, [`${field}s`]: [USUAL[field as "int"], value] };
      const root = { rows: [usual, odd], fulls: [usual, odd, usual] };

      expect(seen(answerOf(lean, root))).toEqual(seen(answerOf(plain, root)));
      for (const { message } of answerOf(lean, root).errors ?? []) messages.add(message);
    }
    expect(messages).toContain(`Cannot return null for non-nullable field Full.${field}.`);
    expect(messages).toContain("coded");
  });

  it("tells where a value that may not be null is missing", () => {
    const answer = answerOf(compiledLean("query Q { fulls { id int } }"), { fulls: [USUAL, { id: "9" }] });

    expect(seen(answer)).toEqual({
      data: { fulls: [{ id: "8", int: 7 }, null] },
      errors: [
        {
          message: "Cannot return null for non-nullable field Full.int.",
          path: ["fulls", 1, "int"],
          locations: [{ line: 1, column: 22 }],
          originalError: undefined,
        },
      ],
    });
  });

  it("tells where a field was refused, and why", () => {
    const answer = answerOf(compiledLean("query Q { string refused }"), { string: "a" });

    expect(seen(answer)).toEqual({
      data: null,
      errors: [
        {
          message: "refused",
          path: ["refused"],
          locations: [{ line: 1, column: 18 }],
          originalError: REFUSAL,
        },
      ],
    });
  });

  it("takes what resolvers and items of lists answer at once or later, and their errors, as before", async () => {
    const texts = buildSchema(`
      type Row { id: Int name: String! next: Row rows: [Row] full: Row! fulls: [Row!]! }
      type Query { row: Row rows: [Row] full: Row! }
    `);
    const answers: readonly (() => unknown)[] = [
      () => ({ id: 1, name: "a" }),
      () => Promise.resolve({ id: 2, name: "b" }),
      () => Promise.resolve(null),
      () => null,
      () => new Error("answered"),
      () => Promise.reject(new Error("rejected")),
      () => {
        throw new Error("thrown");
      },
      () => 7,
    ];
    const item = (make: () => unknown): unknown => {
      try {
        return make();
      } catch (error) {
        return error;
      }
    };
    const lists: readonly (() => unknown)[] = [
      ...answers,
      () => [],
      () => Promise.resolve([{ id: 3, name: "c" }, null]),
      () => answers.map(item),
      () => new Set([{ id: 4, name: "d" }]),
    ];
    let [one, many] = [answers[0], lists[0]] as [() => unknown, () => unknown];
    for (const type of ["Row", "Query"])
      for (const [name, field] of Object.entries(fieldsOf(texts, type)))
        if (/^(?:next|full|row)$/u.test(name)) field.resolve = () => one();
        else if (/^(?:rows|fulls)$/u.test(name)) field.resolve = () => many();
    const text = `query Q { row { name rows { id next { name full { id } } } } rows { id fulls { name } } }`;
    const compile = () => compileQuery(texts, parse(text), "Q", OPTIONS);
    const [plain, lean] = [compile(), compileLean(compile).compiled];

    for (one of answers)
      for (many of lists) {
        const [expected, given] = [await runOf(plain, {}), await runOf(lean, {})];
        expect(seen(given)).toEqual(seen(expected));
      }
  });

  it("tells a resolver where it is asked when it takes that, and makes it for no other", async () => {
    const places = buildSchema("type Row { asks: String all: [Row] } type Query { rows: [Row] }");
    const told: unknown[][] = [];
    const { asks, all } = fieldsOf(places, "Row");
    if (asks === undefined || all === undefined) throw new Error("no such fields");
    asks.resolve = (_row, _args, _context, info) =>
      `${info.fieldName} ${responsePathAsArray(info.path).join(".")}`;
    const resolve = (_row: unknown, _args: unknown, _context: unknown) => [{}];
    all.resolve = new Proxy(resolve, {
      apply: (target, _this, given: Parameters<typeof resolve>) => {
        told.push(given);
        return target(...given);
      },
    });
    const compile = () => compileQuery(places, parse("query Q { rows { asks all { asks } } }"), "Q", OPTIONS);

    const { data } = await runOf(compileLean(compile).compiled, { rows: [{}] });

    expect(data).toEqual({ rows: [{ asks: "asks rows.0.asks", all: [{ asks: "asks rows.0.all.0.asks" }] }] });
    expect(told).toEqual([[{}, {}, {}, undefined]]);
  });

  it("makes the place of an error only where a value is not as usual", () => {
    const fields = TYPES.map(name).join(" ");
    const text = `query Q { ${fields} rows { ${fields} ints colors @skip(if: false) } fulls { ${fields} } }`;
    const options = { ...OPTIONS, debug: true } as typeof OPTIONS;
    const compile = () => compileQuery(schema, parse(text), "Q", options);
    const CODE = "__DO_NOT_USE_THIS_OR_YOU_WILL_BE_FIRED_compilation";

    const { compiled, characters } = compileLean(compile);

    const lean = leanCode((compiled as unknown as Record<typeof CODE, string>)[CODE]);
    expect(lean.match(/__context\.rt\.check\w+Leaf/gu)).toHaveLength(3 * TYPES.length + 2);
    expect(lean).not.toMatch(/(?<! : )__context\.rt\.check/u);
    expect(characters).toBeGreaterThan(lean.length);
  });

  it("leaves everybody else's functions alone", () => {
    const { Function: native } = globalThis;

    expect(() =>
      compileLean(() => {
        throw new Error("not compiled");
      }),
    ).toThrow("not compiled");
    expect(globalThis.Function).toBe(native);
    expect(compileLean(() => ({ errors: [] })).compiled).toEqual({ errors: [] });
    expect(globalThis.Function).toBe(native);
  });
});
