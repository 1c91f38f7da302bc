import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
} from "graphql";
import { clientArgument } from "../../../src/core/access/access.js";
import type { Relation } from "../../../src/core/relations/relations.js";
import type { ModelName } from "../../../src/core/scope/tenant-models.js";
import type { JsonSchema } from "../../../src/core/inputs/json-schema.js";
import { DEFAULT_COST_LIMIT } from "../../../src/engine/limits/cost-limit.js";
import { countDocument, definitionsOf, DOCUMENT_LIMITS } from "../../../src/engine/limits/document-bounds.js";
import { OperationCost } from "../../../src/engine/limits/document-cost.js";
import { VALUE_LIMITS } from "../../../src/engine/limits/value-bounds.js";
import type { FinishedSchema } from "../../../src/engine/guard/finish-schema.js";
import type { Operation } from "../../../src/engine/schema/operation.js";
import { FILTER_LIMITS } from "../../../src/core/lists/compile-filter.js";
import { MAX_PAGE_SIZE } from "../../../src/core/lists/list-page.js";
import { documentOf, fieldOf, requiredArguments, type Arguments } from "../../support/operations.js";

export interface Document {
  readonly query: string;
  readonly variables: Arguments;
}

/** The costliest request that is within the limits, and the first one beyond them. */
export interface Pair {
  readonly name: string;
  readonly group: "lists" | "relations" | "filters" | "input arrays";
  /** Says whether a client asks it: the platform may not, or does not sign in. */
  readonly asClient: boolean;
  readonly legal: Document;
  readonly illegal: Document;
}

/** Returns values for the required arguments of an operation, ids of existing rows among them. */
export type ArgumentsOf = (operation: Operation) => Arguments;

type Field = { readonly operation: Operation; readonly type: GraphQLObjectType; readonly isPage: boolean };

/** Builds two requests for every list, relation, filter field and input array of the schema. */
export class DerivedRequests {
  private readonly fields: readonly Field[];

  constructor(
    private readonly finished: FinishedSchema,
    private readonly argumentsOf: ArgumentsOf,
  ) {
    this.fields = [...finished.operations.values()].flatMap((operation) => {
      const type = getNamedType(fieldOf(finished, operation).type);
      return operation.kind === "query" && isObjectType(type)
        ? [{ operation, type, isPage: type.name.endsWith("Connection") }]
        : [];
    });
  }

  all(): Pair[] {
    return [...this.lists(), ...this.relations(), ...this.filters(), ...this.inputArrays()];
  }

  private lists(): Pair[] {
    return this.fields
      .filter(
        ({ operation }) => isListType(getNullableType(this.typeOf(operation))) || this.isPaged(operation),
      )
      .map(({ operation, type, isPage }) => {
        const size = isPage ? { first: MAX_PAGE_SIZE } : {};
        const rows = isPage ? `{ totalCount nodes ${leavesOf(nodeOf(type))} }` : leavesOf(type);
        const legal = this.most((count) =>
          this.document(operation, size, (call) => aliases(count, () => `${call} ${rows}`)),
        );
        return { name: operation.name, group: "lists", asClient: isForClients(operation), ...legal };
      });
  }

  /** Each relation is followed from a page of the rows that have it, as often as one document may. */
  private relations(): Pair[] {
    const pages = this.roots();
    const own = this.roots(this.fields.filter(({ operation }) => clientArgument(operation.access) !== null));
    return Object.values(this.finished.schema.getTypeMap()).flatMap((type) => {
      if (!isObjectType(type)) return [];
      return relationsOf(type).flatMap((name): Pair[] => {
        const target = getNamedType(type.getFields()[name]?.type) as GraphQLObjectType;
        const root = (this.isPrivate(target) ? own : pages).get(type.name);
        if (root === undefined) return [];
        const further = relationsOf(target).map(
          (next) => `${next} ${leavesOf(getNamedType(target.getFields()[next]?.type) as GraphQLObjectType)}`,
        );
        const related = `${name} { ${leavesOf(target).slice(1, -1)} ${further.join(" ")} }`;
        const { operation } = root.field;
        const pair = this.most((count) =>
          this.document(operation, root.size, (call) =>
            root.around(call, `{ ${aliases(count, () => related)} }`),
          ),
        );
        const asClient = this.isPrivate(target) || isForClients(operation);
        return [{ name: `${type.name}.${name}`, group: "relations", asClient, ...pair }];
      });
    });
  }

  private filters(): Pair[] {
    return this.fields.flatMap(({ operation, type, isPage }) => {
      const argument = fieldOf(this.finished, operation).args.find(({ name }) => name === "filter");
      const input = argument === undefined ? null : getNullableType(argument.type);
      if (!isInputObjectType(input)) return [];
      return Object.values(input.getFields()).flatMap((field): Pair[] => {
        const conditions = conditionsOf(input, field);
        if (conditions === null) return [];
        const ask = (condition: unknown): Document => ({
          query: documentOf(
            this.finished,
            operation,
            { ...this.argumentsOf(operation), filter: {}, first: 1 },
            isPage ? "{ totalCount nodes { __typename } }" : leavesOf(type),
          ),
          variables: {
            ...this.argumentsOf(operation),
            filter: { [field.name]: condition },
            first: MAX_PAGE_SIZE,
          },
        });
        return [
          {
            name: `${operation.name} ${field.name}`,
            group: "filters",
            asClient: isForClients(operation),
            legal: ask(conditions.legal),
            illegal: ask(conditions.illegal),
          },
        ];
      });
    });
  }

  private inputArrays(): Pair[] {
    return [...this.finished.operations.values()].flatMap((operation) => {
      const argument = fieldOf(this.finished, operation).args.find(({ name }) => name === "input");
      if (argument === undefined) return [];
      const places = arraysIn(argument.type, [], new Set());
      return places.map(({ path, type }): Pair => {
        const bound = this.boundAt(operation, path);
        const ask = (count: number): Document => {
          const args = { ...this.argumentsOf(operation) };
          const items = Array.from({ length: count }, (_, index) => itemOf(type, index));
          args["input"] = withValue(args["input"], path, items);
          return { query: documentOf(this.finished, operation, args), variables: args };
        };
        return {
          name: `${operation.name} ${path.join(".")}`,
          group: "input arrays",
          asClient: isForClients(operation),
          legal: ask(bound),
          illegal: ask(bound + 1),
        };
      });
    });
  }

  private typeOf(operation: Operation) {
    return fieldOf(this.finished, operation).type;
  }

  private isPaged(operation: Operation): boolean {
    return fieldOf(this.finished, operation).args.some(({ name }) => name === "first");
  }

  /** Returns whether only clients may read rows of the type, each its own. */
  private isPrivate(target: GraphQLObjectType): boolean {
    const readers = this.fields.filter(
      ({ type, isPage }) => (isPage ? nodeOf(type) : type).name === target.name,
    );
    return readers.length > 0 && readers.every(({ operation }) => isForClients(operation));
  }

  /** Finds for each type the shortest way to many of its rows. */
  private roots(fields = this.fields): Map<string, Root> {
    const roots = new Map<string, Root>();
    const pagesFirst = [...fields].sort((a, b) => Number(b.isPage) - Number(a.isPage));
    for (const field of pagesFirst) {
      const type = field.isPage ? nodeOf(field.type) : field.type;
      if (roots.has(type.name)) continue;
      roots.set(type.name, {
        field,
        size: field.isPage ? { first: MAX_PAGE_SIZE } : {},
        around: (call, selection) =>
          field.isPage ? `${call} { nodes ${selection} }` : `${call} ${selection}`,
        type,
      });
    }
    const queue = [...roots.values()];
    for (let root = queue.shift(); root !== undefined; root = queue.shift()) {
      const from = root;
      for (const name of relationsOf(from.type)) {
        const type = getNamedType(from.type.getFields()[name]?.type) as GraphQLObjectType;
        if (roots.has(type.name)) continue;
        const next: Root = {
          ...from,
          type,
          around: (call, selection) => from.around(call, `{ ${name} ${selection} }`),
        };
        roots.set(type.name, next);
        queue.push(next);
      }
    }
    return roots;
  }

  /** Returns the document with the largest count that is within the limits, and the next one. */
  private most(make: (count: number) => Document): Pick<Pair, "legal" | "illegal"> {
    let count = 1;
    while (count <= DOCUMENT_LIMITS.aliases && this.isWithin(make(count + 1))) count += 1;
    return { legal: make(count), illegal: make(count + 1) };
  }

  private isWithin({ query, variables }: Document): boolean {
    try {
      const document = parse(query, { maxTokens: DOCUMENT_LIMITS.tokens });
      const definitions = definitionsOf(document);
      const [operation] = definitions.operations;
      if (operation === undefined || countDocument(definitions).excesses.length > 0) return false;
      const cost = OperationCost.of(this.finished.schema, document, operation, definitions.fragments);
      return cost.withVariables(variables).cost <= DEFAULT_COST_LIMIT;
    } catch {
      return false;
    }
  }

  /** Builds a query around calls of one operation. */
  private document(operation: Operation, size: Arguments, selection: (call: string) => string): Document {
    const variables = { ...this.argumentsOf(operation), ...size };
    const used = fieldOf(this.finished, operation).args.filter(({ name }) => name in variables);
    const declared = used.map(({ name, type }) => `$${name}: ${String(type)}`).join(", ");
    const passed = used.map(({ name }) => `${name}: $${name}`).join(", ");
    const call = passed === "" ? operation.name : `${operation.name}(${passed})`;
    return { query: `query${declared === "" ? "" : `(${declared})`} { ${selection(call)} }`, variables };
  }

  private boundAt({ schema }: Operation, path: readonly string[]): number {
    const { definitions } = this.finished.inputSchemas;
    const resolved = (one: JsonSchema | undefined): JsonSchema => {
      const reference = one?.["$ref"];
      if (typeof reference === "string") return resolved(definitions[reference.replace("#/$defs/", "")]);
      const alternatives = one?.["anyOf"] as JsonSchema[] | undefined;
      return alternatives === undefined ? (one ?? {}) : resolved(alternatives[0]);
    };
    let at = resolved((schema["properties"] as Record<string, JsonSchema>)["input"]);
    for (const key of path)
      at = resolved((at["properties"] as Record<string, JsonSchema> | undefined)?.[key]);
    return Math.min(Number(at["maxItems"] ?? VALUE_LIMITS.items), VALUE_LIMITS.items);
  }
}

interface Root {
  readonly field: Field;
  readonly type: GraphQLObjectType;
  readonly size: Arguments;
  readonly around: (call: string, selection: string) => string;
}

function aliases(count: number, field: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `a${index}: ${field(index)}`).join(" ");
}

function nodeOf(connection: GraphQLObjectType): GraphQLObjectType {
  return getNamedType(connection.getFields()["nodes"]?.type) as GraphQLObjectType;
}

/** Selects all plain fields of a type. */
function leavesOf(type: GraphQLObjectType): string {
  const names = Object.values(type.getFields())
    .filter(
      (field) => isLeafType(getNamedType(field.type)) && !field.args.some((one) => isNonNullType(one.type)),
    )
    .map(({ name }) => name);
  return `{ __typename ${names.join(" ")} }`;
}

function relationsOf(type: GraphQLObjectType): string[] {
  return Object.values(type.getFields())
    .filter(({ extensions }) => (extensions["relation"] as Relation | undefined) !== undefined)
    .map(({ name }) => name);
}

/**
 * Returns the conditions of a filter's field with as many values as every kind of field takes, and with one value more in
 * a list than any takes; null for a field that is no condition. `not` and `or` take conditions on the filter's first field.
 */
function conditionsOf(
  filter: GraphQLInputObjectType,
  field: GraphQLInputField,
): { legal: unknown; illegal: unknown } | null {
  const type = getNullableType(field.type);
  const [first] = Object.values(filter.getFields());
  if (first === undefined) return null;
  if (getNamedType(type) === filter) {
    const inner = conditionsOf(filter, first);
    if (inner === null) return null;
    if (!isListType(type))
      return { legal: { [first.name]: inner.legal }, illegal: { [first.name]: inner.illegal } };
    const single = { [first.name]: { isNull: false } };
    const many = (count: number) => Array.from({ length: count }, () => single);
    return { legal: many(FILTER_LIMITS.values), illegal: many(FILTER_LIMITS.values + 1) };
  }
  if (!isInputObjectType(type)) return null;
  const operators = type.getFields();
  const lists = Object.values(operators).filter((one) => isListType(getNullableType(one.type)));
  const value = valueOf((lists[0] ?? operators["eq"])?.type);
  if (lists.length === 0) return { legal: { eq: value }, illegal: { eq: null } };
  const filled = (count: number) =>
    Object.fromEntries(lists.map(({ name }) => [name, Array.from({ length: count }, () => value)]));
  const each = Math.floor(FILTER_LIMITS.values / lists.length);
  return { legal: filled(each), illegal: filled(FILTER_LIMITS.listed + 1) };
}

/** Returns a value of the type; of a list, one of its items. */
function valueOf(declared: GraphQLInputType | undefined): unknown {
  const type = getNamedType(declared);
  if (isEnumType(type)) return type.getValues()[0]?.name;
  switch (type?.name) {
    case "DateTime":
      return "2026-01-01T00:00:00Z";
    case "Boolean":
      return true;
    case "String":
      return "x";
    default:
      return 1;
  }
}

function isForClients({ access }: Operation): boolean {
  return access.kind === "client" || access.kind === "signedIn";
}

const MAX_DEPTH = 4;

/** Returns the places of all arrays of an input that objects alone lead to. */
function arraysIn(
  declared: GraphQLInputType,
  path: readonly string[],
  seen: ReadonlySet<string>,
): { path: readonly string[]; type: GraphQLInputType }[] {
  const type = getNullableType(declared);
  if (isListType(type)) return [{ path, type: type.ofType }];
  if (!isInputObjectType(type) || seen.has(type.name) || path.length === MAX_DEPTH) return [];
  return Object.values(type.getFields()).flatMap((field) =>
    arraysIn(field.type, [...path, field.name], new Set([...seen, type.name])),
  );
}

function itemOf(declared: GraphQLInputType, index: number): unknown {
  const type = getNullableType(declared);
  if (isListType(type)) return [];
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
    return Object.fromEntries(required.map((field) => [field.name, itemOf(field.type, index)]));
  }
  if (type.name === "Boolean") return true;
  return type.name === "String" ? `x${index}` : index + 1;
}

function withValue(base: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const object = (typeof base === "object" && base !== null ? base : {}) as Record<string, unknown>;
  return { ...object, [key]: withValue(object[key], rest, value) };
}

/** Returns the arguments that an operation needs, with ids of rows that exist. */
export async function knownArguments(
  finished: FinishedSchema,
  companyId: number,
  idOf: (model: ModelName) => Promise<number>,
): Promise<ArgumentsOf> {
  const known = new Map<string, Arguments>();
  for (const operation of finished.operations.values()) {
    const args = requiredArguments(fieldOf(finished, operation), { filled: true });
    if ("companyId" in args) args["companyId"] = companyId;
    for (const { argument, model } of operation.idArguments)
      if (argument in args) args[argument] = await idOf(model);
    known.set(operation.name, args);
  }
  return ({ name }) => known.get(name) ?? {};
}
