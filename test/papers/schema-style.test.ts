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
  ]);
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
        "One",
        "Order",
        "Query.Wrong",
        "Query.getThing",
        "Status.GIFT_CARD",
        "ThingOrderField.name",
        "thing",
        "thing.snake_case",
      ].sort(),
    );
  });
});
