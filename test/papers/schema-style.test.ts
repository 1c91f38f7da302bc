import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  buildSchema,
  getNamedType,
} from "graphql";
import { sharedSchema } from "../support/schema.js";

/** Enums whose values are not words of the specification: what lists are ordered by, and codes of refusals. */
const IN_CAPITALS = /OrderField$|^OrderDirection$|^CouponReason$/u;

/** Finds what breaks the rules by which the schema is written. */
function findings(schema: GraphQLSchema): string[] {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  const used = usedTypes(schema);
  return types.flatMap((type) => [
    ...check(/^[A-Z][A-Za-z0-9]*$/u.test(type.name), `${type.name}: a type is in PascalCase`),
    ...check(!/Enum$|^I[A-Z][a-z]+Interface$/u.test(type.name), `${type.name}: a name says no kind of type`),
    ...check(used.has(type), `${type.name}: nothing leads to the type`),
    ...check(!isInputObjectType(type) || type.name.endsWith("Input"), `${type.name}: an input ends in Input`),
    ...check(!isInterfaceType(type) || schema.getPossibleTypes(type).length > 1, `${type.name}: of no use`),
    ...fieldsOf(type),
    ...valuesOf(type),
    ...(type === schema.getMutationType() ? mutationsOf(type, schema) : []),
  ]);
}

/** What names a row that has no `id` in the company: the company itself, or the row that it is a part of. */
const NAMED_BY: Readonly<Record<string, readonly string[]>> = {
  AdminSettings: ["adminId"],
  Company: ["companyId"],
  GoodProperty: ["goodId", "propertyId"],
};

/**
 * Update, delete and restore of a type name its row by `id`; all other mutations name rows by `<resource>Id`, as the
 * paths of REST do.
 */
function mutationsOf(mutation: GraphQLObjectType, schema: GraphQLSchema): string[] {
  return Object.values(mutation.getFields()).flatMap(({ name, args }) => {
    const given = args.map((argument) => argument.name);
    const model = /^(?:update|delete|restore)(?<model>[A-Z]\w*)$/u.exec(name)?.groups?.["model"] ?? "";
    const isOfType = isObjectType(schema.getType(model));
    const ids = isOfType ? (NAMED_BY[model] ?? ["id"]) : [];
    return [
      ...check(
        ids.every((id) => given.includes(id)),
        `Mutation.${name}: takes ${ids.join(" and ")}`,
      ),
      ...check(ids.includes("id") || !given.includes("id"), `Mutation.${name}: takes <resource>Id, not id`),
    ];
  });
}

function fieldsOf(type: GraphQLNamedType): string[] {
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [];
  return allFields(type).flatMap((field) => {
    return [field.name, ...argumentsOf(field).map(({ name }) => name)].flatMap((name) => [
      ...check(/^[a-z][A-Za-z0-9]*$/u.test(name), `${type.name}.${name}: a field is in camelCase`),
      ...check(!/^(?:get|list)[A-Z]/u.test(name), `${type.name}.${name}: a field is no verb`),
    ]);
  });
}

type AnyField = GraphQLField<unknown, unknown> | GraphQLInputField;

function allFields(type: GraphQLObjectType | GraphQLInterfaceType | GraphQLInputObjectType): AnyField[] {
  return Object.values<AnyField>(type.getFields());
}

function argumentsOf(field: AnyField): readonly GraphQLArgument[] {
  return "args" in field ? field.args : [];
}

function valuesOf(type: GraphQLNamedType): string[] {
  if (!isEnumType(type)) return [];
  const words = IN_CAPITALS.test(type.name) ? /^[A-Z][A-Z0-9_]*$/u : /^[a-z][a-z0-9_]*$/u;
  return type
    .getValues()
    .flatMap(({ name }) => check(words.test(name), `${type.name}.${name}: a value is a word as specified`));
}

function usedTypes(schema: GraphQLSchema): ReadonlySet<GraphQLNamedType> {
  const used = new Set<GraphQLNamedType>();
  const visit = (type: GraphQLNamedType): void => {
    if (used.has(type)) return;
    used.add(type);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return;
    if (isObjectType(type)) type.getInterfaces().forEach(visit);
    for (const field of allFields(type)) {
      visit(getNamedType(field.type));
      for (const { type: of } of argumentsOf(field)) visit(getNamedType(of));
    }
  };
  for (const root of [schema.getQueryType(), schema.getMutationType()]) if (root != null) visit(root);
  return used;
}

const check = (holds: boolean, finding: string): string[] => (holds ? [] : [finding]);

describe("the style of the schema", () => {
  it("is kept by all of it", () => {
    expect(findings(sharedSchema().schema)).toEqual([]);
  });

  it("is missed by a schema that breaks each rule", () => {
    const broken = buildSchema(`
      type Query { getThing(Wrong: Int): thing status: Status order(input: Order): ThingOrderField any: Any }
      type thing { snake_case: Int }
      enum Status { GIFT_CARD gift_card }
      enum ThingOrderField { name NAME }
      enum KindEnum { a }
      input Order { id: Int }
      interface Any { id: Int }
      type One implements Any { id: Int }
      type Unused { id: Int }
      type Company { id: Int }
      type Mutation {
        updateOne(id: Int): One
        deleteOne(oneId: Int): One
        restoreCompany(id: Int): Company
        shareOne(id: Int): One
        createOne(id: Int): One
        updateSize(id: Int): One
        paintOne(oneId: Int): One
      }
    `);

    expect(
      findings(broken)
        .map((finding) => finding.slice(0, finding.indexOf(":")))
        .sort(),
    ).toEqual(
      [
        "Any",
        "KindEnum",
        "KindEnum",
        "Mutation.createOne",
        "Mutation.deleteOne",
        "Mutation.restoreCompany",
        "Mutation.restoreCompany",
        "Mutation.shareOne",
        "Mutation.updateSize",
        "Order",
        "Query.Wrong",
        "Query.getThing",
        "Status.GIFT_CARD",
        "ThingOrderField.name",
        "thing",
        "thing.snake_case",
        "Unused",
      ].sort(),
    );
  });
});
