import { RELATION_AREAS } from "../access/relation-areas.js";
import {
  GraphQLBoolean,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  printSchema,
  type GraphQLScalarType,
} from "graphql";
import { getMetadataStorage } from "type-graphql";
import { createSchema } from "../../src/schema.js";
import { finishSchema } from "../../src/engine/guard/finish-schema.js";

function schemaWith(
  extensions: Record<string, unknown>,
  argumentTypes: Record<string, GraphQLScalarType> = {},
): GraphQLSchema {
  const args = Object.fromEntries(Object.entries(argumentTypes).map(([name, type]) => [name, { type }]));
  const field = { type: GraphQLString, args, resolve: () => "x", extensions };
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields: { secret: field } }) });
}

it("does not build with an operation that declares no access", () => {
  expect(() => finishSchema(schemaWith({}))).toThrow("query secret declares no access");
  expect(() => finishSchema(schemaWith({ access: { kind: "platform" } }))).not.toThrow();
});

it("does not build with an operation that needs a permission of no slice", () => {
  const needing = (permission: string) => () =>
    finishSchema(schemaWith({ access: { kind: "permission", permission } }));

  expect(needing("access_moons")).toThrow("query secret needs access_moons, which no slice defines");
  expect(needing("access_goods")).not.toThrow();
});

it("does not build with an operation that lets somebody in by an argument it lacks", () => {
  const access = { kind: "client", itself: "clientId" };

  expect(() => finishSchema(schemaWith({ access }, { id: GraphQLString }))).toThrow(
    "query secret has no argument clientId, by which its access is declared",
  );
  expect(() => finishSchema(schemaWith({ access }, { clientId: GraphQLString }))).not.toThrow();
});

it("does not build with a mutation that does not say how it is recorded", () => {
  const schemaOf = (declared: Record<string, unknown>): GraphQLSchema => {
    const extensions = { access: { kind: "platform" }, ...declared };
    const secret = { type: GraphQLString, resolve: () => "x", extensions };
    const query = { type: GraphQLString, resolve: () => "x", extensions: { access: { kind: "platform" } } };
    return new GraphQLSchema({
      query: new GraphQLObjectType({ name: "Query", fields: { query } }),
      mutation: new GraphQLObjectType({ name: "Mutation", fields: { secret } }),
    });
  };
  const isAudited = (declared: boolean) =>
    finishSchema(schemaOf({ audit: { isAudited: declared, byService: false } })).operations.get("secret")
      ?.isAudited;

  expect(() => finishSchema(schemaOf({}))).toThrow("mutation secret does not declare how it is recorded");
  expect([isAudited(true), isAudited(false)]).toEqual([true, false]);
});

it("does not build with an operation that may answer deleted rows and does not say to whom", () => {
  const schema = schemaWith(
    { access: { kind: "open", ignoresToken: false } },
    { withDeleted: GraphQLBoolean },
  );
  const saying = schemaWith(
    { access: { kind: "open", ignoresToken: false }, deletedRowsOf: "goods" },
    { withDeleted: GraphQLBoolean },
  );

  expect(() => finishSchema(schema)).toThrow("secret does not declare who may see deleted rows");
  expect(finishSchema(saying).operations.get("secret")?.deletedRowsOf).toBe("goods");
});

it("does not build with a relation to rows that no query reads and no area is declared for", () => {
  const schemaOf = (declared: Record<string, unknown>): GraphQLSchema => {
    const hint = new GraphQLObjectType({ name: "Hint", fields: { text: { type: GraphQLString } } });
    const relation = {
      kind: "many",
      model: "PropertyText",
      via: "id",
      foreignKey: "propertyId",
      ...declared,
    };
    const hints = { type: new GraphQLNonNull(hint), extensions: { relation } };
    const row = new GraphQLObjectType({ name: "Row", fields: { hints } });
    const field = { type: row, resolve: () => null, extensions: { access: { kind: "platform" } } };
    return new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields: { row: field } }) });
  };
  const typeOf = (declared: Record<string, unknown>) => {
    const row = finishSchema(schemaOf(declared)).schema.getType("Row") as GraphQLObjectType;
    return String(row.getFields()["hints"]?.type);
  };

  expect(() => finishSchema(schemaOf({}))).toThrow("Row.hints declares no area, and no query reads one Hint");
  expect([typeOf({ openTo: "readers" }), typeOf({ area: "properties" })]).toEqual(["Hint!", "Hint"]);
});

it("lets a field be null that is refused to some who read its row", () => {
  const name = { type: new GraphQLNonNull(GraphQLString), extensions: {} };
  const email = { ...name, extensions: { readersOf: { area: "goods", orItself: false } } };
  const row = new GraphQLObjectType({ name: "Row", fields: { name, email } });
  const field = { type: row, resolve: () => null, extensions: { access: { kind: "platform" } } };
  const { schema } = finishSchema(
    new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields: { row: field } }) }),
  );

  const fields = (schema.getType("Row") as GraphQLObjectType).getFields();
  expect([String(fields["name"]?.type), String(fields["email"]?.type)]).toEqual(["String!", "String"]);
});

it("calls nothing for a field that is a property of its row", () => {
  const good = createSchema().schema.getType("Good") as GraphQLObjectType;

  expect(good.getFields()["name"]?.resolve).toBeUndefined();
  expect(good.getFields()["isCombo"]?.resolve).toBeDefined();
});

it("hands arguments over as they are, however often a schema is built", () => {
  const built = [createSchema(), createSchema()].map(({ schema }) => printSchema(schema));
  const { queries, mutations, fieldResolvers } = getMetadataStorage();
  const parameters = [...queries, ...mutations, ...fieldResolvers].flatMap(({ params }) => params ?? []);
  const converted = parameters.filter(
    (parameter) =>
      ["arg", "args"].includes(parameter.kind) ||
      (parameter.kind === "custom" && parameter.options.arg !== undefined),
  );

  expect(built[1]).toBe(built[0]);
  expect(parameters.length).toBeGreaterThan(500);
  expect(converted).toEqual([]);
});

/** The types whose rows everybody may read by open operations. */
const PUBLIC_TYPES = [
  "Branch",
  "BranchCategory",
  "BranchGroup",
  "Category",
  "City",
  "Company",
  "DayTime",
  "Geofence",
  "Good",
  "GoodFacets",
  "GoodImageSuggestion",
  "GoodMaterial",
  "GoodProperty",
  "GoodTag",
  "GoodType",
  "Material",
  "PromotedBanner",
  "Property",
  "PropertyOption",
  "PropertyRange",
  "PropertyText",
  "TermsOfService",
  "ValueCount",
];

it("leads from no open read to anything that is not public", () => {
  const { schema, operations } = createSchema();
  const reached = new Set<string>();
  const visit = (typeName: string): void => {
    const type = schema.getType(typeName);
    if (!(type instanceof GraphQLObjectType)) return;
    for (const field of Object.values(type.getFields())) {
      const target = String(field.type).replace(/[[\]!]/gu, "");
      const isRow = field.extensions["relation"] !== undefined || field.name === "nodes";
      // Who follows a relation into an area is judged by that area, see `access/relations.test.ts`.
      const isOpen = !(`${typeName}.${field.name}` in RELATION_AREAS);
      if (isRow && isOpen && !reached.has(target)) {
        reached.add(target);
        visit(target);
      }
    }
  };
  for (const { kind, access, name } of operations.values()) {
    if (kind !== "query" || access.kind !== "open") continue;
    const target = String(schema.getQueryType()?.getFields()[name]?.type).replace(/[[\]!]/gu, "");
    if (!target.endsWith("Connection")) reached.add(target);
    visit(target);
  }

  expect([...reached].sort()).toEqual(PUBLIC_TYPES);
});
