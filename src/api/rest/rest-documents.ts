import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  getNamedType,
  isLeafType,
  isObjectType,
  Kind,
  parse,
  print,
  validate,
  visit,
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { withListArguments } from "./list-arguments.js";
import { toSnakeCase } from "./naming.js";
import { readRestDirective, withoutNames, withRestDirectives, type RestDirective } from "./rest-directive.js";

/** How the names of fragments end that are the shape of a type; other fragments are parts of shapes. */
const SHAPE_ENDING = "Resource";
/** What a fragment selects that is of every field of its type. */
const EVERY_FIELD = "{\n  __typename\n}";

/** The document of one REST route: an operation whose answers already have REST names. */
export interface RestDocument {
  readonly name: string;
  /** The name of its file, which is the slice that it belongs to. */
  readonly slice: string;
  readonly description: string;
  readonly rest: RestDirective;
  /** The fragments are expanded, and every field has its snake_case name as alias. */
  readonly operation: OperationDefinitionNode;
  /** The document that exports the list, or the single row, of the route as a table. */
  readonly table: RestDocument | null;
  /** The document that counts the rows of the route's list, which has no pages. */
  readonly count: RestDocument | null;
}

export interface RestDocuments {
  readonly routes: readonly RestDocument[];
  /** Descriptions of slices: the comment at the head of each file, followed by an empty line. */
  readonly slices: ReadonlyMap<string, string>;
  /** The shape of each resource by its type; a resource that is loaded along is embedded in this shape. */
  readonly resources: ReadonlyMap<string, SelectionSetNode>;
}

/** The documents of a folder as they are written. */
class DocumentFolder {
  readonly parsed: readonly { file: string; text: string; document: DocumentNode }[];
  readonly definitions: readonly DefinitionNode[];

  constructor(folder: string, schema: GraphQLSchema) {
    const files = readdirSync(folder)
      .filter((file) => file.endsWith(".graphql"))
      .sort();
    this.parsed = files.map((file) => {
      const text = readFileSync(join(folder, file), "utf8");
      return { file, text, document: parse(text) };
    });
    this.definitions = this.parsed
      .flatMap(({ document }) => document.definitions)
      .map((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? withEveryField(definition, schema) : definition,
      );
  }
}

/**
 * Checks all documents of a folder. The service itself leaves this out at its start, where it would take a sixth of a
 * second: what is built has been checked with the contract.
 *
 * @throws Error that names everything in the folder that does not fit the schema.
 */
export function assertRestDocumentsFit(folder: string, schema: GraphQLSchema): void {
  const { definitions } = new DocumentFolder(folder, schema);
  const errors = validate(withRestDirectives(schema), { kind: Kind.DOCUMENT, definitions });
  if (errors.length > 0) {
    throw new Error(
      `schema/rest does not fit the schema:\n${errors.map(({ message }) => `- ${message}`).join("\n")}`,
    );
  }
}

/** Reads all documents of a folder; `assertRestDocumentsFit` says whether they fit the schema. */
export function readRestDocuments(folder: string, schema: GraphQLSchema): RestDocuments {
  const { parsed, definitions } = new DocumentFolder(folder, schema);
  const fragments = new Map(
    definitions
      .filter(
        (definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION,
      )
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const all = parsed.flatMap(({ file, text, document }) =>
    document.definitions.flatMap((definition) => {
      if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
      const rest = readRestDirective(definition);
      const operation = prepare(definition, fragments);
      return [
        {
          name: definition.name?.value ?? "",
          slice: sliceOf(file),
          description: commentAbove(text, definition.loc?.start ?? 0),
          rest,
          operation: rest.output === "COUNT" ? operation : withListArguments(operation, schema),
          table: null,
          count: null,
        },
      ];
    }),
  );
  const shapeFragments = [...fragments.values()].filter(({ name }) => name.value.endsWith(SHAPE_ENDING));
  const shapes = shapeFragments.map(({ typeCondition }) => typeCondition.name.value);
  const twice = shapes.find((type, index) => shapes.indexOf(type) !== index);
  if (twice !== undefined) throw new Error(`schema/rest has two fragments on ${twice}: which is its shape?`);
  const resources = new Map(
    shapeFragments.map(({ typeCondition, selectionSet }) => [
      typeCondition.name.value,
      withoutNames(alias(expand(selectionSet, fragments))),
    ]),
  );
  const slices = new Map(parsed.map(({ file, text }) => [sliceOf(file), headComment(text)]));
  return { routes: withCompanions(withSharedExamples(all)), slices, resources };
}

/**
 * Adds an example of the input to each document without one, when another document has an example of the same type.
 */
function withSharedExamples(documents: readonly RestDocument[]): RestDocument[] {
  const examples = new Map<string, unknown>();
  for (const { operation, rest } of documents) {
    const type = inputTypeOf(operation);
    if (type !== null && "input" in rest.example && !examples.has(type))
      examples.set(type, rest.example["input"]);
  }
  return documents.map((document) => {
    const { operation, rest } = document;
    const type = inputTypeOf(operation);
    if (type === null || "input" in rest.example || !examples.has(type)) return document;
    return { ...document, rest: { ...rest, example: { ...rest.example, input: examples.get(type) } } };
  });
}

function inputTypeOf({ variableDefinitions = [] }: OperationDefinitionNode): string | null {
  const input = variableDefinitions.find(({ variable }) => variable.name.value === "input");
  return input === undefined ? null : print(input.type);
}

/** Returns the routes, each with the documents of the same path that export and count its list. */
function withCompanions(documents: readonly RestDocument[]): RestDocument[] {
  const having = (wanted: RestDirective["output"]) => documents.filter(({ rest }) => rest.output === wanted);
  const routes = [...having("JSON"), ...having("EVENTS")];
  const byPath = (companions: readonly RestDocument[]) =>
    new Map(companions.map((document) => [keyOf(document), document]));
  const exports = byPath(having("TABLE"));
  const counts = byPath(having("COUNT"));
  const paths = new Set(routes.map(keyOf));
  const lost = [...exports.values(), ...counts.values()].find((document) => !paths.has(keyOf(document)));
  if (lost !== undefined) throw new Error(`${lost.name}: no route has its path`);
  return routes.map((route) => {
    const table = exports.get(keyOf(route));
    // A table takes what its list takes, else it would pass over in silence what callers ask for.
    const { dynamic } = route.rest;
    return {
      ...route,
      table: table === undefined ? null : { ...table, rest: { ...table.rest, dynamic } },
      count: counts.get(keyOf(route)) ?? null,
    };
  });
}

function keyOf({ rest }: RestDocument): string {
  return `${rest.method} ${rest.path}`;
}

function sliceOf(file: string): string {
  return file.replace(/\.graphql$/u, "");
}

/**
 * Returns the `# Lines` at the head of a file, which an empty line has to follow; an empty text when there are
 * none.
 */
function headComment(text: string): string {
  const lines = /^(?<lines>(?:#.*\n)+)\n/u.exec(text)?.groups?.["lines"] ?? "";
  return lines.replace(/^# ?/gmu, "").trim().replaceAll("\n", " ");
}

/** Returns the `# Lines` right above a definition: they describe the route. */
function commentAbove(text: string, start: number): string {
  const lines = text.slice(0, start).trimEnd().split("\n").reverse();
  const end = lines.findIndex((line) => !line.startsWith("#"));
  return lines
    .slice(0, end === -1 ? lines.length : end)
    .reverse()
    .map((line) => line.replace(/^#\s?/u, ""))
    .join(" ");
}

function prepare(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): OperationDefinitionNode {
  const { directives, ...rest } = operation;
  return {
    ...rest,
    directives: (directives ?? []).filter(({ name }) => name.value !== "rest"),
    selectionSet: alias(expand(operation.selectionSet, fragments)),
  };
}

/**
 * A fragment that selects `__typename` alone is of every field of its type, in the order of the type. An object among them
 * has its own shape.
 */
function withEveryField(fragment: FragmentDefinitionNode, schema: GraphQLSchema): FragmentDefinitionNode {
  const { selectionSet, typeCondition } = fragment;
  if (print(selectionSet) !== EVERY_FIELD) return fragment;
  const type = schema.getType(typeCondition.name.value);
  if (!isObjectType(type)) return fragment;
  const fields = Object.values(type.getFields()).map((field) => {
    const named = getNamedType(field.type);
    return isLeafType(named) ? field.name : `${field.name} { ...${named.name}${SHAPE_ENDING} }`;
  });
  const [written] = parse(`fragment Fields on ${type.name} { ${fields.join(" ")} }`, { noLocation: true })
    .definitions as [FragmentDefinitionNode];
  return { ...fragment, selectionSet: written.selectionSet };
}

function expand(
  selectionSet: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): SelectionSetNode {
  const selections = selectionSet.selections.flatMap((selection): readonly SelectionNode[] => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = fragments.get(selection.name.value) as FragmentDefinitionNode;
      return expand(fragment.selectionSet, fragments).selections;
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) return expand(selection.selectionSet, fragments).selections;
    if (selection.selectionSet === undefined) return [selection];
    return [{ ...selection, selectionSet: expand(selection.selectionSet, fragments) }];
  });
  return { ...selectionSet, selections };
}

function alias(selectionSet: SelectionSetNode): SelectionSetNode {
  return visit(selectionSet, {
    Field: (field) => {
      const name = toSnakeCase(field.name.value);
      if (field.alias !== undefined || name === field.name.value) return undefined;
      return { ...field, alias: { kind: Kind.NAME, value: name } };
    },
  });
}
