import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  typeFromAST,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import { hasField, isModel, type ModelName } from "../../core/scope/tenant-models.js";
import { fileRuleOf, type FileRule } from "../../core/files/file-rule.js";
import type { JsonSchema } from "../../core/inputs/json-schema.js";
import { isConnection } from "../../engine/schema/connection.js";
import { deprecationOf, type Deprecation } from "../../engine/schema/deprecation.js";
import type { FinishedSchema } from "../../engine/guard/finish-schema.js";
import type { Operation } from "../../engine/schema/operation.js";
import { typeUnlessRefused } from "../../engine/schema/refusable-field.js";
import { toSnakeCase } from "./naming.js";
import type { Counting } from "./preferences.js";
import { fieldBeside, WHOLE_BODY } from "./bind-body.js";
import {
  BESIDE,
  CARRIED,
  DECIMAL,
  FLAT,
  HEADER,
  INSTEAD,
  NAMES,
  withoutNames,
  type RestDirective,
} from "./rest-directive.js";
import type { RestDocument, RestDocuments } from "./rest-documents.js";

/** What the headers of a page need: its cursors, or its total, found in one of three ways. */
export type PageMode = "cursor" | Counting;

/** A route with everything that is known of it before the first request. */
export class RestRoute {
  readonly name: string;
  readonly description: string;
  readonly rest: RestDirective;
  /** The query or mutation that the document runs. */
  readonly operation: Operation;
  /** The types of the document's variables by their name. */
  readonly variables: ReadonlyMap<string, GraphQLInputType>;
  readonly pathParameters: readonly string[];
  /** The files that the body may have, by their keys; a route that takes some takes multipart bodies. */
  readonly uploads: ReadonlyMap<string, FileRule>;
  /** The key of the answer in `data`. */
  readonly root: string;
  /** The GraphQL type of the resource, or of each row of a list. */
  readonly resource: string;
  readonly resultType: GraphQLOutputType;
  /** The route that exports the list, or the single row, as a table. */
  readonly table: RestRoute | null;
  /** The route that counts the rows of the list, when the list has no pages. */
  readonly count: RestRoute | null;
  /** The route that shows the resource which this one changes; `null` for a route that changes none, or none that is shown. */
  changes: RestRoute | null = null;
  /** The field of the input whose keys stand in its place in a body. */
  readonly keysBeside: string | null;
  /** The day on which the operation leaves the contract; `null` as long as it stays. */
  readonly deprecation: Deprecation | null;
  readonly isConnection: boolean;
  readonly isPaged: boolean;
  /** Says whether the route answers a list without pages: at most 10,000 rows from `offset` on. */
  readonly isWhole: boolean;
  /** Says whether the route reads only. Its method does not decide that: a GET may run a mutation. */
  readonly isRead: boolean;
  /** The fields that the document selects of the resource. */
  readonly selection: SelectionSetNode;
  /** The field of a list that is answered in place of the rows when it is not null. */
  readonly instead: FieldNode | null;
  /** The key in the page of what stands in place of the rows. */
  readonly insteadKey: string | null;
  /** The edges of a list whose keys stand beside those of the rows. */
  readonly beside: FieldNode | null;
  /** The field of a list whose texts are sent in a header, and the name of that header. */
  readonly textHeader: { readonly field: FieldNode; readonly name: string } | null;
  /** The field of a list that links to its pages by number carry on. */
  private readonly carried: FieldNode | null;
  /** The variables that take the value of the body's key of the same name; `@include` may depend on them. */
  readonly bodyVariables: readonly string[];
  /** The paths of keys within a row that lead to names of fields. */
  private readonly names: readonly (readonly string[])[];
  /** The arguments that variables fill; one within an object has a dot: `filter.types`. */
  readonly filled: readonly { readonly argument: string; readonly variable: string }[];
  /** The argument that the body fills. */
  readonly bodyArgument: string;
  /** The key of the field whose keys stand in its place. */
  private readonly flat: string | null;
  private readonly definition: OperationDefinitionNode;
  private readonly rootField: FieldNode;

  constructor(document: RestDocument, schema: GraphQLSchema, operations: ReadonlyMap<string, Operation>) {
    const { operation: definition } = document;
    this.name = document.name;
    this.description = document.description;
    this.rest = document.rest;
    this.definition = definition;
    this.rootField = definition.selectionSet.selections[0] as FieldNode;
    this.root = responseKey(this.rootField);
    this.operation = operations.get(this.rootField.name.value) as Operation;
    this.variables = new Map(
      (definition.variableDefinitions ?? []).map(({ variable, type }) => [
        variable.name.value,
        typeFromAST(schema, type as never) as unknown as GraphQLInputType,
      ]),
    );
    this.pathParameters = [...this.rest.path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name as string);
    const named = [...this.pathParameters, ...Object.keys(this.rest.example)];
    const unbound = named.filter((name) => !this.variables.has(name));
    if (unbound.length > 0) throw new Error(`${this.name}: no variable for ${unbound.join(", ")}`);
    const rootType = definition.operation === "query" ? schema.getQueryType() : schema.getMutationType();
    const field = rootType?.getFields()[this.rootField.name.value] as GraphQLField<unknown, unknown>;
    this.deprecation = field.deprecationReason == null ? null : deprecationOf(field.deprecationReason);
    this.resultType = typeUnlessRefused(field);
    this.isConnection = isConnection(getNamedType(this.resultType).name);
    this.isPaged = this.variables.has("first");
    this.isWhole = this.variables.has("offset") && !this.isPaged;
    this.isRead = this.rest.method === "GET" && this.operation.kind === "query" && !this.isStream;
    const selected = this.selectedOfResource();
    this.names = pathsOfNames(selected);
    this.selection = withoutNames(selected);
    this.instead = this.childWith(INSTEAD);
    this.beside = this.childWith(BESIDE);
    this.textHeader = this.headerOfTexts();
    this.carried = this.childWith(CARRIED);
    this.insteadKey = this.instead === null ? null : responseKey(this.instead);
    this.bodyVariables = this.variablesOfBody();
    this.filled = (this.rootField.arguments ?? []).flatMap(({ name, value }) => filledBy(name.value, value));
    this.bodyArgument = this.filled.find(({ variable }) => variable === WHOLE_BODY)?.argument ?? WHOLE_BODY;
    this.resource = this.isConnection ? rowType(this.resultType).name : getNamedType(this.resultType).name;
    const shown = this.isConnection ? [] : (this.selection.selections as readonly FieldNode[]);
    const flat = shown.find(isFlat);
    this.flat = flat === undefined ? null : responseKey(flat);
    const input = this.variables.get("input");
    const inputType = input === undefined ? undefined : getNamedType(input);
    this.keysBeside = isInputObjectType(inputType) ? (fieldBeside(inputType)?.name ?? null) : null;
    this.uploads = uploadsOf(this.variables.get("input"));
    this.table = document.table === null ? null : new RestRoute(document.table, schema, operations);
    if (this.table !== null && !this.table.isExportable)
      throw new Error(`${this.table.name}: no list that can be read to its end`);
    this.count = document.count === null ? null : new RestRoute(document.count, schema, operations);
    if (this.isWhole !== (this.count !== null))
      throw new Error(`${this.name}: a list without pages takes offset, and has a document that counts it`);
  }

  /** Returns the routes of all documents. */
  static all({ routes: documents }: RestDocuments, { schema, operations }: FinishedSchema): RestRoute[] {
    const routes = documents.map((document) => new RestRoute(document, schema, operations));
    for (const route of routes) route.changes = route.changedAmong(routes);
    return routes;
  }

  get isOpen(): boolean {
    return this.operation.access.kind === "open";
  }

  /** Returns whether the answer is a stream of events, which goes on. */
  get isStream(): boolean {
    return this.rest.output === "EVENTS";
  }

  /** Returns whether the route takes an `Idempotency-Key`; the other methods are idempotent as they are. */
  get takesIdempotencyKey(): boolean {
    const { access } = this.operation;
    if (access.kind === "open" && access.ignoresToken) return false;
    return this.rest.method === "POST" || this.rest.method === "PATCH";
  }

  /** Returns whether the route changes one resource, so that it takes `If-Match`. */
  get takesIfMatch(): boolean {
    return this.operation.changedRow !== null && this.rest.method !== "GET";
  }

  /**
   * Returns whether the route changes or creates a row and answers it with its version, so that the answer has an ETag of
   * it.
   */
  get answersRow(): boolean {
    const { kind } = this.operation;
    if (kind !== "mutation" || this.rest.status === 204 || isListType(getNullableType(this.resultType)))
      return false;
    const selected = this.selection.selections as readonly FieldNode[];
    const keys = new Set(selected.map(responseKey));
    return isModel(this.resource) && keys.has("id") && keys.has("version");
  }

  /**
   * Returns whether the answer has the ETag of the row that the route changes without showing its version, as the settings of a
   * company and parts of a good do: the run has to tell it.
   */
  get asksForVersion(): boolean {
    if (!this.takesIfMatch || this.rest.status === 204) return false;
    return !this.answersRow || this.resource !== this.operation.changedRow?.model;
  }

  /**
   * Finds the route that shows the resource which this one changes: the nearest on its path, else any that shows the
   * row. What is shown of the company itself is changed on the same path alone: all other paths lie below that of the
   * company.
   */
  private changedAmong(routes: readonly RestRoute[]): RestRoute | null {
    if (!this.takesIfMatch) return null;
    const { path } = this.rest;
    const above = routes.filter(
      ({ shownRow, rest }) =>
        shownRow !== null &&
        (shownRow.model === "Company" ? path === rest.path : `${path}/`.startsWith(`${rest.path}/`)),
    );
    const [nearest] = above.sort((a, b) => b.rest.path.length - a.rest.path.length);
    const model = this.operation.changedRow?.model;
    return nearest ?? routes.find((route) => route.resource === model && route.rowFields !== null) ?? null;
  }

  /** The row that the route shows: the one that its path names, else the company; `null` when it shows no single row. */
  get shownRow(): { readonly model: ModelName; readonly argument: string } | null {
    if (!this.showsOne) return null;
    const { idArguments, hasCompany } = this.operation;
    return idArguments[0] ?? (hasCompany ? { model: "Company", argument: "companyId" } : null);
  }

  /**
   * The fields of the row by which the path names it, by the path's parameters, such as the domain of a company; `null` when
   * the route does not show the row of its resource, or the path names something else.
   */
  get rowFields(): ReadonlyMap<string, string> | null {
    if (!this.showsOne || !isModel(this.resource)) return null;
    const fields = new Map<string, string>();
    for (const [argument, variable] of Object.entries(this.boundParameters)) {
      const { model } = this.operation.idArguments.find((known) => known.argument === argument) ?? {};
      const field = model === this.resource ? "id" : argument;
      if (!hasField(this.resource, field)) return null;
      fields.set(variable, field);
    }
    return [...fields.values()].some((field) => field !== "companyId") ? fields : null;
  }

  /** The parameters of the path by the arguments that they fill. */
  private get boundParameters(): Readonly<Record<string, string>> {
    return this.argumentsOf(Object.fromEntries(this.pathParameters.map((name) => [name, name]))) as Record<
      string,
      string
    >;
  }

  private get showsOne(): boolean {
    return this.isRead && !this.isConnection && !isListType(getNullableType(this.resultType));
  }

  /** Returns whether callers may choose the keys of the answer; what a change answers has all of them. */
  get takesFields(): boolean {
    return this.rest.dynamic && this.isRead;
  }

  /** Returns the resource as it is answered: the keys of a field with `@flat` stand in its place. */
  flattened(resource: unknown): unknown {
    if (this.flat === null) return resource;
    const { [this.flat]: inner, ...beside } = resource as Record<string, object | null>;
    return { ...inner, ...beside };
  }

  /**
   * Returns whether the list can be read to its end, page by page; a list that is answered at once and a single row are at
   * their end.
   */
  private get isExportable(): boolean {
    if (!this.isConnection) return this.isRead && !this.isWhole;
    return this.isRead && this.isPaged && this.variables.has("after");
  }

  private variablesOfBody(): readonly string[] {
    const input = this.variables.get("input");
    const type = input === undefined ? undefined : getNamedType(input);
    if (!isInputObjectType(type)) return [];
    const keys = type.getFields();
    return [...this.variables.keys()].filter((name) => name in keys && !this.pathParameters.includes(name));
  }

  /** Returns the values of variables under the names of the arguments that they are bound to. */
  argumentsOf(variables: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const args: Record<string, unknown> = {};
    for (const { argument, variable } of this.filled) {
      if (!(variable in variables)) continue;
      const [name = "", within] = argument.split(".");
      if (within === undefined) args[name] = variables[variable];
      else args[name] = { ...(args[name] as object | undefined), [within]: variables[variable] };
    }
    return args;
  }

  /** Returns the variable that fills an argument, where it has another name and is no part of the path. */
  parameterOf(argument: string): string | undefined {
    const filled = this.filled.find((known) => known.argument === argument);
    if (filled === undefined) return undefined;
    const { variable } = filled;
    return variable === argument || this.pathParameters.includes(variable) ? undefined : variable;
  }

  /** Returns the name of a value within an argument by the variable that fills it: `types[0]` for `filter.types[0]`, `input[0]` for `rows[0]`. */
  parameterWithin(field: string): string | undefined {
    const filled = this.filled.find(
      ({ argument, variable }) =>
        (argument.includes(".") || variable === WHOLE_BODY) &&
        (field === argument || field.startsWith(`${argument}[`)),
    );
    return filled === undefined ? undefined : filled.variable + field.slice(filled.argument.length);
  }

  private selectedOfResource(): SelectionSetNode {
    const selection = this.isConnection ? this.child("nodes") : this.rootField;
    return selection?.selectionSet ?? { kind: Kind.SELECTION_SET, selections: [] };
  }

  /**
   * Returns the document with another selection of the resource and, for pages, with the fields that their headers
   * need.
   *
   * @param keysBeside are the keys beside those of the rows that are wanted.
   */
  document(
    selection: SelectionSetNode,
    mode: PageMode | null,
    keysBeside: readonly string[] = this.keysBesideRows,
  ): DocumentNode {
    const root = this.isConnection
      ? withSelections(this.rootField, [
          ...(selection.selections.length === 0
            ? []
            : [withSelections(this.child("nodes") as FieldNode, selection.selections)]),
          ...this.besideRows(keysBeside),
          ...this.validity,
          ...(this.textHeader === null ? [] : [{ ...this.textHeader.field, directives: [] }]),
          ...(this.carried === null || mode === "cursor" ? [] : [{ ...this.carried, directives: [] }]),
          ...(this.instead === null ? [] : [this.withRows(this.instead, selection)]),
          ...(mode === "exact" ? [leaf("totalCount", "total_count")] : []),
          ...(mode === "estimated" ? [leaf("estimatedCount", "total_count")] : []),
          ...(mode === "cursor" || mode === "none" || mode === "estimated"
            ? [withSelections(leaf("pageInfo", "page_info"), [leaf("hasNextPage"), leaf("endCursor")])]
            : []),
        ])
      : this.rootField.selectionSet === undefined
        ? this.rootField
        : withSelections(this.rootField, selection.selections);
    return {
      kind: Kind.DOCUMENT,
      definitions: [{ ...this.definition, selectionSet: { kind: Kind.SELECTION_SET, selections: [root] } }],
    };
  }

  /** The document of a list with the place of each row. */
  get documentOfEdges(): DocumentNode {
    const edges = withSelections(leaf("edges"), [
      leaf("cursor"),
      withSelections(leaf("node"), this.selection.selections),
    ]);
    const pageInfo = withSelections(leaf("pageInfo", "page_info"), [leaf("hasNextPage"), leaf("endCursor")]);
    const root = withSelections(this.rootField, [leaf("types"), edges, pageInfo]);
    return {
      kind: Kind.DOCUMENT,
      definitions: [{ ...this.definition, selectionSet: { kind: Kind.SELECTION_SET, selections: [root] } }],
    };
  }

  /** The document as it is written. */
  get ownDocument(): DocumentNode {
    return { kind: Kind.DOCUMENT, definitions: [this.definition] };
  }

  private besideRows(keys: readonly string[]): FieldNode[] {
    if (this.beside === null || keys.length === 0) return [];
    const selections = (this.beside.selectionSet?.selections ?? []) as readonly FieldNode[];
    const wanted = selections.filter((field) => keys.includes(responseKey(field)));
    return [withSelections({ ...this.beside, directives: [] }, wanted)];
  }

  /** The field of a list that says until when its answer holds, where the document selects it. */
  private get validity(): FieldNode[] {
    return [this.child("validUntil") ?? []].flat();
  }

  /** The field of a list that has the directive. */
  private childWith(directive: string): FieldNode | null {
    const selections = (this.isConnection ? this.rootField.selectionSet?.selections : []) ?? [];
    return (selections as readonly FieldNode[]).find((field) => has(field, directive)) ?? null;
  }

  private headerOfTexts(): { readonly field: FieldNode; readonly name: string } | null {
    const field = this.childWith(HEADER);
    const value = field?.directives?.find(({ name }) => name.value === HEADER)?.arguments?.[0]?.value;
    return field !== null && value?.kind === Kind.STRING ? { field, name: value.value } : null;
  }

  /**
   * Returns the header that a page sends of its texts; none without texts. A header holds no letters beyond ASCII, and commas
   * stand between its values, so each text is percent-encoded.
   */
  headersOf(page: Readonly<Record<string, unknown>>): Record<string, string> {
    if (this.textHeader === null) return {};
    const texts = (page[responseKey(this.textHeader.field)] ?? []) as readonly string[];
    if (texts.length === 0) return {};
    return {
      [this.textHeader.name]: texts.map((text) => encodeURIComponent(text.toWellFormed())).join(", "),
    };
  }

  /** Returns the parameter that links of a page carry on, by its name. */
  carriedBy(page: Readonly<Record<string, unknown>>): Record<string, string> {
    const name = this.carried === null ? "" : responseKey(this.carried);
    const value = page[name];
    return typeof value === "string" ? { [name]: value } : {};
  }

  /** The keys that stand beside those of the rows of a list. */
  get keysBesideRows(): readonly string[] {
    return ((this.beside?.selectionSet?.selections ?? []) as readonly FieldNode[]).map(responseKey);
  }

  /**
   * Returns the rows of a page with the keys beside them. Keys beside a row of which no key is wanted stand alone.
   */
  rowsOf({ nodes, edges }: { readonly nodes?: readonly object[]; readonly edges?: readonly object[] }) {
    if (edges === undefined) return nodes?.map((row) => this.named(row));
    return edges.map((edge, place) => this.named({ ...nodes?.[place], ...edge }));
  }

  /** Returns a row with the names of fields that it holds as REST has them. */
  named<Row>(row: Row): Row {
    return this.names.reduce((shown, path) => inRestNames(shown, path) as Row, row);
  }

  /** Returns the field with the wanted keys of the rows that it holds. */
  private withRows(field: FieldNode, wanted: SelectionSetNode): FieldNode {
    const type = rowType(this.resultType, field.name.value);
    const selections = (field.selectionSet?.selections ?? []) as readonly FieldNode[];
    return withSelections(
      field,
      selections.map((inner) =>
        getNamedType(type.getFields()[inner.name.value]?.type)?.name === this.resource
          ? withSelections(inner, wanted.selections)
          : inner,
      ),
    );
  }

  private child(name: string): FieldNode | undefined {
    const selections = this.rootField.selectionSet?.selections ?? [];
    return selections.find(
      (selection): selection is FieldNode => selection.kind === Kind.FIELD && selection.name.value === name,
    );
  }
}

/** Returns whether the keys of a field stand in its place. */
export function isFlat(field: FieldNode): boolean {
  return has(field, FLAT);
}

/** Returns whether a table writes an amount with decimals. */
export function isDecimal(field: FieldNode): boolean {
  return has(field, DECIMAL);
}

/** Returns the variables that fill an argument, or the fields of the object that stands there. */
function filledBy(argument: string, value: ValueNode): { argument: string; variable: string }[] {
  if (value.kind === Kind.VARIABLE) return [{ argument, variable: value.name.value }];
  if (value.kind !== Kind.OBJECT) return [];
  return value.fields.flatMap((field) => filledBy(`${argument}.${field.name.value}`, field.value));
}

function pathsOfNames({ selections }: SelectionSetNode): string[][] {
  return (selections as readonly FieldNode[]).flatMap((field) => {
    if (has(field, NAMES)) return [[responseKey(field)]];
    const within = field.selectionSet === undefined ? [] : pathsOfNames(field.selectionSet);
    return within.map((path) => [responseKey(field), ...path]);
  });
}

/** Returns a value with the names in snake_case to which a path leads. Keys within an object, behind a dot, are as they are stored. */
function inRestNames(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => inRestNames(item, path));
  const [key, ...within] = path;
  if (key === undefined)
    return typeof value === "string" ? value.replace(/^[^.]+/u, (name) => toSnakeCase(name)) : value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return value;
  return { ...value, [key]: inRestNames((value as Readonly<Record<string, unknown>>)[key], within) };
}

function has({ directives = [] }: FieldNode, directive: string): boolean {
  return directives.some(({ name }) => name.value === directive);
}

/** Returns the type of the rows that a list has in a field. */
function rowType(connection: GraphQLOutputType, field = "nodes"): GraphQLObjectType {
  const { [field]: rows } = (getNamedType(connection) as GraphQLObjectType).getFields();
  return getNamedType((rows as GraphQLField<unknown, unknown>).type) as GraphQLObjectType;
}

function uploadsOf(input: GraphQLInputType | undefined): Map<string, FileRule> {
  const type = input === undefined ? undefined : getNamedType(input);
  const fields = isInputObjectType(type) ? Object.values(type.getFields()) : [];
  return new Map(
    fields.flatMap(({ name, extensions }) => {
      const rule = fileRuleOf(extensions["jsonSchema"] as JsonSchema | undefined);
      return rule === undefined ? [] : [[toSnakeCase(name), rule] as const];
    }),
  );
}

function responseKey({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

function withSelections(field: FieldNode, selections: readonly SelectionNode[]): FieldNode {
  return { ...field, selectionSet: { kind: Kind.SELECTION_SET, selections } };
}

function leaf(name: string, alias?: string): FieldNode {
  return {
    kind: Kind.FIELD,
    name: { kind: Kind.NAME, value: name },
    ...(alias !== undefined && { alias: { kind: Kind.NAME, value: alias } }),
  };
}
