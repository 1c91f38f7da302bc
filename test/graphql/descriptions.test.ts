import {
  getIntrospectionQuery,
  graphqlSync,
  isSpecifiedScalarType,
  type GraphQLScalarType,
  type IntrospectionQuery,
} from "graphql";
import { sharedSchema as createSchema } from "../support/schema.js";

const { schema } = createSchema();
const introspection = graphqlSync({ schema, source: getIntrospectionQuery({ inputValueDeprecation: true }) })
  .data as unknown as IntrospectionQuery;
const types = introspection.__schema.types.filter(({ name, kind }) => {
  const isBuiltIn = kind === "SCALAR" && isSpecifiedScalarType(schema.getType(name) as GraphQLScalarType);
  return !name.startsWith("__") && !isBuiltIn;
});

interface Described {
  readonly name: string;
  readonly description?: string | null;
}

/** Introspection answers `null` for the members that a kind of type does not have. */
function partsOf(
  type: object,
  part: "fields" | "inputFields" | "enumValues",
): readonly (Described & { args?: Described[] })[] {
  return (type as Record<string, Described[] | null | undefined>)[part] ?? [];
}

/** Returns the paths of all items without a description. */
function undescribed(path: string, items: readonly Described[]): string[] {
  return items
    .filter(({ description }) => (description ?? "").trim() === "")
    .map(({ name }) => `${path}${name}`);
}

describe("the GraphQL reference describes", () => {
  it("every type", () => {
    expect(types.length).toBeGreaterThan(100);
    expect(undescribed("", types)).toEqual([]);
  });

  it("every operation and every other field", () => {
    expect(types.flatMap((type) => undescribed(`${type.name}.`, partsOf(type, "fields")))).toEqual([]);
  });

  it("every argument", () => {
    expect(
      types.flatMap((type) =>
        partsOf(type, "fields").flatMap(({ name, args = [] }) => undescribed(`${type.name}.${name}.`, args)),
      ),
    ).toEqual([]);
  });

  it("every field of an input", () => {
    expect(types.flatMap((type) => undescribed(`${type.name}.`, partsOf(type, "inputFields")))).toEqual([]);
  });

  it("every value of an enum", () => {
    expect(types.flatMap((type) => undescribed(`${type.name}.`, partsOf(type, "enumValues")))).toEqual([]);
  });

  it("every directive and its arguments", () => {
    const { directives } = introspection.__schema;

    expect(undescribed("@", directives)).toEqual([]);
    expect(directives.flatMap(({ name, args }) => undescribed(`@${name}.`, args))).toEqual([]);
  });
});
