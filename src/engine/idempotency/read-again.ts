import {
  BREAK,
  getNamedType,
  getNullableType,
  GraphQLError,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DirectiveNode,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { DomainError } from "../../core/errors/domain-error.js";
import { withoutStacks } from "../../core/errors/without-stacks.js";
import { isId } from "../../core/integers.js";
import { isModel } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS } from "../../generated/models.js";
import { presentError } from "../errors/present.js";
import type { RootOperation } from "../schema/root-operations.js";

/** A row of an answer, by which it is read again. */
interface AnsweredRow {
  /** The query that reads one row of the type. */
  readonly query: string;
  readonly companyId: number;
  readonly id: number;
}

type Data = Readonly<Record<string, unknown>>;

/** An answer whose rows are read again. */
export interface AnsweredRows {
  /** The answer with null in the place of each row. */
  readonly rest: Data;
  /** The rows by their paths, such as `updateGood` or `upsertGoods.3.good`. */
  readonly rows: Readonly<Record<string, AnsweredRow>>;
}

/**
 * Takes the rows out of an answer that is not kept as a whole: those that root fields answer, and those in the results of bulk
 * operations. What else results say, such as their order and their refusals, stays.
 *
 * @returns `null` when a root field answers neither, or a row that has no query of its own or whose `id` was not asked for.
 */
export function rowsOfAnswer(
  schema: GraphQLSchema,
  document: DocumentNode,
  roots: readonly RootOperation[],
  data: ExecutionResult["data"],
): AnsweredRows | null {
  const rest: Record<string, unknown> = {};
  const rows: Record<string, AnsweredRow> = {};
  const asked = new AskedFields(document);
  for (const [key, value] of Object.entries(data ?? {})) {
    const root = roots.find(({ field }) => keyOf(field) === key);
    const type = root && schema.getMutationType()?.getFields()[root.field.name.value]?.type;
    const companyId = root?.args["companyId"];
    if (type === undefined || !isId(companyId)) return null;
    const taking = new RowTaking(schema, asked, companyId, rows);
    const fields = asked.ofRoots(roots, key);
    const isTaken = isListType(getNullableType(type))
      ? taking.fromResults(value, type, fields, key)
      : taking.takes(value, getNamedType(type), key);
    if (!isTaken) return null;
    rest[key] = taking.rest;
  }
  return { rest, rows };
}

/** Takes the rows out of what one root field answered. */
class RowTaking {
  /** What is left of it. */
  rest: unknown = null;
  private readonly queries = new Map<GraphQLNamedType, string | null>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly asked: AskedFields,
    private readonly companyId: number,
    private readonly rows: Record<string, AnsweredRow>,
  ) {}

  /** Takes a row. @returns whether it can be read again. */
  takes(value: unknown, type: GraphQLNamedType, path: string): boolean {
    const query = this.queryOfOne(type);
    const id = (value as { id?: unknown } | null)?.id;
    if (query === null || !isId(id)) return false;
    this.rows[path] = { query, companyId: this.companyId, id };
    return true;
  }

  /** Takes the rows that results of a bulk operation carry. @returns whether all of them can be read again. */
  fromResults(value: unknown, type: GraphQLOutputType, fields: readonly Asked[], path: string): boolean {
    const result = getNamedType(type);
    if (!Array.isArray(value) || !isObjectType(result) || isModel(result.name)) return false;
    this.rest = value.map(copyOf);
    return (this.rest as Record<string, unknown>[]).every((one, index) =>
      this.fromResult(one, result, fields, `${path}.${index}`),
    );
  }

  private fromResult(
    result: Record<string, unknown>,
    type: GraphQLObjectType,
    fields: readonly Asked[],
    path: string,
  ): boolean {
    return Object.entries(result).every(([key, value]) => {
      const [field] = this.asked.within(fields, key);
      const answered = field && type.getFields()[field.name]?.type;
      // `__typename` is no field of the type.
      if (value === null || answered === undefined) return true;
      const named = getNamedType(answered);
      if (isLeafType(named) || (!isModel(named.name) && this.queryOfOne(named) === null)) return true;
      // A row that is gone by then is null.
      result[key] = null;
      return isObjectType(answered) && this.takes(value, named, `${path}.${key}`);
    });
  }

  /** Names the query that answers one row of the type, by its company and id alone. */
  private queryOfOne(type: GraphQLNamedType): string | null {
    let name = this.queries.get(type);
    if (name === undefined) {
      const queries = Object.values(this.schema.getQueryType()?.getFields() ?? {});
      const reads = queries.find(
        (query) => getNamedType(query.type) === type && isOne(query) && takesRow(query),
      );
      name = reads?.name ?? null;
      this.queries.set(type, name);
    }
    return name;
  }
}

const copyOf = (result: unknown): unknown =>
  typeof result === "object" && result !== null ? { ...result } : result;

/** The scalars whose values tell of nobody unless their column has the mark: ids, numbers and moments. */
const IMPERSONAL_SCALARS = new Set(["Boolean", "DateTime", "Float", "Int", "IsoDateTime", "SafeInt"]);

/**
 * Returns whether a document selects what an erasure may take: of rows that are private to a person all but their ids, of rows with the mark
 * `@personal` texts, free JSON and what else may tell of somebody.
 */
export function selectsPersons(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let found = false;
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: ({ name }) => {
        found = mayTellOfPerson(types.getParentType()?.name ?? "", name.value, getNamedType(types.getType()));
        return found ? BREAK : undefined;
      },
    }),
  );
  return found;
}

function mayTellOfPerson(model: string, field: string, type: GraphQLNamedType | undefined): boolean {
  if (!isModel(model) || field === "__typename" || type === undefined) return false;
  const { fields, columns, personal, owner } = MODEL_FACTS[model];
  // What a relation leads to is judged by its own fields.
  if (isModel(type.name)) return false;
  if (owner !== null) return field !== "id";
  if (personal.length === 0) return false;
  const column = columns[fields.indexOf(field)]?.[0];
  const isMarked = personal.some((one) => one.column === column);
  return isMarked || !(isEnumType(type) || IMPERSONAL_SCALARS.has(type.name));
}

/** A field that the document asks for. */
interface Asked {
  readonly name: string;
  readonly selectionSet: SelectionSetNode | undefined;
  /** Its directives, and those of the fragments around it. */
  readonly directives: readonly DirectiveNode[];
}

/** Finds the fields of a document by the keys under which they are answered. */
class AskedFields {
  constructor(private readonly document: DocumentNode) {}

  ofRoots(roots: readonly RootOperation[], key: string): Asked[] {
    return roots.flatMap(({ field }) => (keyOf(field) === key ? [askedBy(field, [])] : []));
  }

  /** Returns the fields with the key within others, as often as they stand there. */
  within(fields: readonly Asked[], key: string): Asked[] {
    return fields.flatMap(({ selectionSet, directives }) => this.inSet(selectionSet, key, directives));
  }

  private inSet(
    selectionSet: SelectionSetNode | undefined,
    key: string,
    around: readonly DirectiveNode[],
  ): Asked[] {
    return (selectionSet?.selections ?? []).flatMap((selection): Asked[] => {
      if (selection.kind === Kind.FIELD) return keyOf(selection) === key ? [askedBy(selection, around)] : [];
      const directives = [...around, ...(selection.directives ?? [])];
      return this.inSet(this.setOf(selection), key, directives);
    });
  }

  private setOf(selection: Exclude<SelectionNode, FieldNode>): SelectionSetNode | undefined {
    if (selection.kind === Kind.INLINE_FRAGMENT) return selection.selectionSet;
    for (const one of this.document.definitions)
      if (one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === selection.name.value)
        return one.selectionSet;
    return undefined;
  }
}

function askedBy(
  { name, selectionSet, directives = [] }: FieldNode,
  around: readonly DirectiveNode[],
): Asked {
  return { name: name.value, selectionSet, directives: [...around, ...directives] };
}

/** The query that reads rows again, with the same fields of each. */
export interface ReadingAgain {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
  /** Puts the rows back into the answer that they were taken from. */
  readonly putBack: (read: ExecutionResult) => ExecutionResult;
}

/** Makes the query that reads the rows of an answer again. */
export function readingOfRows(
  document: DocumentNode,
  definition: OperationDefinitionNode,
  roots: readonly RootOperation[],
  { rest, rows }: AnsweredRows,
): ReadingAgain {
  const asked = new AskedFields(document);
  const selections = new Map<string, SelectionSetNode>();
  const selectionOf = (path: readonly Step[]): SelectionSetNode => {
    const [root, ...keys] = path.filter((step) => typeof step === "string");
    const place = [root, ...keys].join(".");
    let selection = selections.get(place);
    if (selection === undefined) {
      const fields = keys.reduce(
        (around, key) => asked.within(around, key),
        asked.ofRoots(roots, root ?? ""),
      );
      selections.set(place, (selection = { kind: Kind.SELECTION_SET, selections: fields.map(asFragment) }));
    }
    return selection;
  };
  const wanted = Object.entries(rows).map(([text, row], index) => ({
    path: stepsOf(text),
    alias: `row${index}`,
    row,
  }));
  const { name, variableDefinitions = [], loc } = definition;
  const reading = {
    kind: Kind.OPERATION_DEFINITION,
    operation: "query",
    ...(name !== undefined && { name }),
    ...(loc !== undefined && { loc }),
    variableDefinitions,
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: wanted.map(({ path, alias, row }) => fieldOfRow(alias, row, selectionOf(path))),
    },
  } as OperationDefinitionNode;
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  return {
    document: { kind: Kind.DOCUMENT, definitions: [reading, ...fragments] },
    definition: reading,
    putBack: ({ data, errors = [] }) => {
      const whole: Record<string, unknown> = { ...rest };
      for (const { path, alias } of wanted) put(whole, path, data?.[alias] ?? null);
      const paths = new Map(wanted.map(({ alias, path }) => [alias, path]));
      const told = errors.flatMap((error) => moved(error, paths));
      return { data: whole, ...(told.length > 0 && { errors: told }) };
    },
  };
}

/** The refusal to tell an answer again. @param why ends a sentence. */
export function answerGone(why: string): DomainError {
  return new DomainError("CONFLICT", `The request under this key took effect; its answer is gone, ${why}.`);
}

type Step = string | number;

function stepsOf(path: string): Step[] {
  return path.split(".").map((step) => (/^\d+$/u.test(step) ? Number(step) : step));
}

function put(whole: Record<string, unknown>, path: readonly Step[], row: unknown): void {
  let place: Record<Step, unknown> = whole;
  for (const step of path.slice(0, -1)) place = place[step] as Record<Step, unknown>;
  place[path.at(-1) as Step] = row;
}

/**
 * Returns the error with its path in the answer. A row that is gone is a refusal where a root field has answered it, and just null within
 * results.
 */
function moved(error: GraphQLError, paths: ReadonlyMap<Step, readonly Step[]>): GraphQLError[] {
  const [alias = "", ...within] = error.path ?? [];
  const path = paths.get(alias);
  if (path === undefined) return [error];
  const isGone = within.length === 0 && presentError(error).code === "NOT_FOUND";
  if (isGone && path.length > 1) return [];
  const { locations } = error;
  const originalError = isGone ? answerGone("since its row is") : error.originalError;
  const message = originalError?.message ?? error.message;
  const told = withoutStacks(
    () =>
      new GraphQLError(message, {
        path: [...path, ...within],
        ...(originalError != null && { originalError }),
      }),
  );
  return [Object.assign(told, { locations })];
}

function fieldOfRow(
  alias: string,
  { query, companyId, id }: AnsweredRow,
  selectionSet: SelectionSetNode,
): FieldNode {
  return {
    kind: Kind.FIELD,
    alias: { kind: Kind.NAME, value: alias },
    name: { kind: Kind.NAME, value: query },
    arguments: Object.entries({ companyId, id }).map(([name, value]) => ({
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: name },
      value: { kind: Kind.INT, value: String(value) },
    })),
    selectionSet,
  };
}

/** Returns a fragment with the fields that are asked for, one around another for each directive, which may not be repeated. */
function asFragment({ selectionSet, directives }: Asked): SelectionNode {
  const within: SelectionSetNode = selectionSet ?? { kind: Kind.SELECTION_SET, selections: [] };
  const [last, ...others] = [...directives].reverse();
  const fragment = (set: SelectionSetNode, directive?: DirectiveNode): SelectionNode => ({
    kind: Kind.INLINE_FRAGMENT,
    ...(directive !== undefined && { directives: [directive] }),
    selectionSet: set,
  });
  return others.reduce(
    (inner, directive) => fragment({ kind: Kind.SELECTION_SET, selections: [inner] }, directive),
    fragment(within, last),
  );
}

const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value;

function isOne({ type }: GraphQLField<unknown, unknown>): boolean {
  return !isListType(isNonNullType(type) ? type.ofType : type);
}

function takesRow({ args }: GraphQLField<unknown, unknown>): boolean {
  const required = args.filter(({ type }) => isNonNullType(type)).map(({ name }) => name);
  return required.sort().join() === "companyId,id";
}
