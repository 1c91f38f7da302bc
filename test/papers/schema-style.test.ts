import {
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  buildSchema,
  parse,
  print,
  visit,
} from "graphql";
import { readFile } from "node:fs/promises";
import { ESLint } from "eslint";
import { sharedSchema } from "../support/schema.js";

/** Finds what breaks those rules of the schema that no rule in `eslint.config.js` can tell. */
function findings(schema: GraphQLSchema): string[] {
  const mutation = schema.getMutationType();
  return [
    ...Object.values(schema.getTypeMap()).flatMap((type) => interfacesOf(type, schema)),
    ...(mutation == null ? [] : mutationsOf(mutation, schema)),
  ];
}

function interfacesOf(type: GraphQLNamedType, schema: GraphQLSchema): string[] {
  return check(!isInterfaceType(type) || schema.getPossibleTypes(type).length > 1, `${type.name}: of no use`);
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

const check = (holds: boolean, finding: string): string[] => (holds ? [] : [finding]);

/** Returns the inputs and arguments with a description that leaves out a bound of what is in a list. */
function untoldBounds(schema: GraphQLSchema): string[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isInputObjectType(type))
      return Object.values(type.getFields()).flatMap((field) =>
        check(tellsItems(field.description, field.extensions["jsonSchema"]), `${type.name}.${field.name}`),
      );
    if (!isObjectType(type)) return [];
    return Object.values(type.getFields()).flatMap(({ name, args, extensions }) =>
      args.flatMap((argument) =>
        check(
          tellsItems(argument.description, extensions[`argumentSchema:${argument.name}`]),
          `${type.name}.${name}(${argument.name})`,
        ),
      ),
    );
  });
}

function tellsItems(description: string | null | undefined, schema: unknown): boolean {
  const { items = {} } = (schema ?? {}) as { items?: Record<string, number | string> };
  return ["minLength", "maxLength", "minimum", "maximum", "patternWords"]
    .flatMap((bound) => items[bound] ?? [])
    .every((bound) => description?.includes(String(bound)));
}

describe("the style of the schema", () => {
  it("tells the bounds of what is in lists, those of texts with a pattern too", () => {
    const { schema } = sharedSchema();
    const told = (type: string, field: string) =>
      (schema.getType(type) as GraphQLInputObjectType).getFields()[field]?.description;

    expect(untoldBounds(schema)).toEqual([]);
    expect(told("CreateGoodInput", "keywords")).toBe("Words it is found by. (each 1 to 255 characters)");
    expect(told("CsvSettingsInput", "enclosure")).toBe("What encloses values. (one character, or \\t)");
  });

  it("has ids that are unique for their type, but where the page for clients says so", async () => {
    const page = await readFile("schema/CLIENTS.md", "utf8");
    const [, list = ""] = /const typesWithoutKey = \[(.*?)\n\];/su.exec(page) ?? [];
    const borrowed = Object.values(sharedSchema().schema.getTypeMap()).flatMap((type) => {
      const id = isObjectType(type) ? type.getFields()["id"] : undefined;
      return id === undefined || id.description?.startsWith("Identifier") === true ? [] : type.name;
    });

    // Each form has one currency, and the policy of `Me` names its keys.
    expect(borrowed.sort()).toEqual(["FormCurrency", "Me", ...(list.match(/\w+/gu) ?? [])].sort());
  });

  it("is kept by all of it", () => {
    expect(findings(sharedSchema().schema)).toEqual([]);
  });

  it("is missed by a schema that breaks each rule", () => {
    const broken = buildSchema(`
      type Query { any: Any }
      interface Any { id: Int }
      type One implements Any { id: Int }
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
        "Mutation.createOne",
        "Mutation.deleteOne",
        "Mutation.restoreCompany",
        "Mutation.restoreCompany",
        "Mutation.shareOne",
        "Mutation.updateSize",
      ].sort(),
    );
  });
});

describe("the rules of ESLint for the schema", () => {
  /** Lints a schema in place of the emitted one, and returns for each finding its rule and the name at its place. */
  async function lint(schema: string): Promise<string[]> {
    const eslint = new ESLint({
      overrideConfig: {
        files: ["schema/*.graphql"],
        languageOptions: { parserOptions: { graphQLConfig: { schema } } },
      },
    });
    const [result] = await eslint.lintText(schema, { filePath: "schema/schema.graphql" });
    const lines = schema.split("\n");
    return (result?.messages ?? []).map(({ ruleId, line, column, message }) => {
      const [name] = /^\w*/u.exec((lines[line - 1] ?? "").slice(column - 1)) ?? [];
      return `${ruleId?.replace("@graphql-eslint/", "") ?? message}: ${name ?? ""}`;
    });
  }

  it("find nothing in a schema that keeps them", async () => {
    const kept = described(`
      type Query { words(first: Int, after: String, last: Int, before: String, by: WordOrderField): WordConnection }
      enum WordOrderField { BY_NAME }
      type WordConnection { edges: [WordEdge!]! pageInfo: PageInfo! }
      type WordEdge { cursor: String! node: Word! }
      type Word { kind: WordKind words: [Word!]! old: Int @deprecated(reason: "Use \`kind\`.") }
      enum WordKind { gift_card }
      type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
    `);

    expect(await lint(kept)).toEqual([]);
  });

  it("find what breaks each of them", async () => {
    const broken = described(`
      type Query { getThing(Wrong: Int): thing status: Status sure: Int! words: WordConnection other(by: Order): KindEnum }
      type thing { snake_case: Int @deprecated order(by: ThingOrderField): Twice page: PageInfo other: Other }
      enum Status { GIFT_CARD card Card }
      enum ThingOrderField { name NAME_OF }
      enum KindEnum { a }
      input Order { listThings: Int }
      type Unused { id: Int }
      enum Twice { a }
      enum Twice { b }
      type WordConnection { edges: [Word!]! }
      type Word { cursor: String! }
      type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: Int! }
    `);
    const undescribed = `
      # Another.
      type Other { id(by: Mark): Int }
      enum Mark { mark }
      directive @Mark on FIELD
    `;

    expect(await lint(broken + undescribed)).toEqual([
      "naming-convention: getThing",
      "naming-convention: Wrong",
      "require-nullable-result-in-root: Int",
      "relay-arguments: words",
      "naming-convention: thing",
      "naming-convention: snake_case",
      "require-deprecation-reason: deprecated",
      "naming-convention: GIFT_CARD",
      "unique-enum-value-names: Card",
      "naming-convention: Card",
      "naming-convention: name",
      "naming-convention: KindEnum",
      "naming-convention: Order",
      "naming-convention: listThings",
      "no-unreachable-types: Unused",
      "unique-type-names: Twice",
      "relay-connection-types: WordConnection",
      "relay-edge-types: Word",
      "relay-edge-types: Word",
      "relay-page-info: endCursor",
      "no-hashtag-description: ",
      "require-description: Other",
      "require-description: id",
      "require-description: by",
      "require-description: Mark",
      "require-description: mark",
      "naming-convention: Mark",
      "require-description: Mark",
    ]);
  });
});

/** Gives a description to each type, field, argument and value of a schema that has one definition in a line. */
function described(schema: string): string {
  return print(
    visit(parse(schema), {
      enter: (node) =>
        "name" in node && node.kind !== Kind.NAMED_TYPE && node.kind.endsWith("Definition")
          ? { ...node, description: { kind: Kind.STRING, value: "Described.", block: true } }
          : undefined,
    }),
  );
}
