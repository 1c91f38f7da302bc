import {
  BREAK,
  getNamedType,
  isListType,
  isNonNullType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { isId } from "../../core/integers.js";
import { isModel } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS } from "../../generated/models.js";
import type { RootOperation } from "../schema/root-operations.js";

/** The row that a root field answered, by which it is read again. */
interface AnsweredRow {
  /** The query that reads one row of the type. */
  readonly query: string;
  readonly companyId: number;
  readonly id: number;
}

/** The rows of an answer by their response keys. */
export type AnsweredRows = Readonly<Record<string, AnsweredRow>>;

/**
 * Names the rows of an answer that is too large to be kept.
 *
 * @returns `null` when a root field answers no row that has a query of its own, or when its `id` was not asked for.
 */
export function rowsOfAnswer(
  schema: GraphQLSchema,
  roots: readonly RootOperation[],
  data: ExecutionResult["data"],
): AnsweredRows | null {
  const rows: Record<string, AnsweredRow> = {};
  for (const [key, value] of Object.entries(data ?? {})) {
    const root = roots.find(({ field }) => keyOf(field) === key);
    const query = root === undefined ? null : queryOfOne(schema, root.field.name.value);
    const companyId = root?.args["companyId"];
    const id = (value as { id?: unknown } | null)?.id;
    if (query === null || !isId(companyId) || !isId(id)) return null;
    rows[key] = { query, companyId, id };
  }
  return rows;
}

/** Returns whether a document selects fields of rows with the mark `@personal`, which an erasure empties. */
export function selectsPersons(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let found = false;
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: () => {
        const name = types.getParentType()?.name ?? "";
        if (isModel(name) && MODEL_FACTS[name].personal.length > 0) found = true;
        return found ? BREAK : undefined;
      },
    }),
  );
  return found;
}

/** Returns the query that reads the rows again, with the same fields of each. */
export function documentOfRows(
  document: DocumentNode,
  definition: OperationDefinitionNode,
  roots: readonly RootOperation[],
  rows: AnsweredRows,
): { document: DocumentNode; definition: OperationDefinitionNode } {
  const selections = roots.flatMap(({ field }): FieldNode[] => {
    const row = rows[keyOf(field)];
    return row === undefined ? [] : [fieldOfRow(field, row)];
  });
  const { name, variableDefinitions = [], loc } = definition;
  const reading = {
    kind: Kind.OPERATION_DEFINITION,
    operation: "query",
    ...(name !== undefined && { name }),
    ...(loc !== undefined && { loc }),
    variableDefinitions,
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  } as OperationDefinitionNode;
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  return { document: { kind: Kind.DOCUMENT, definitions: [reading, ...fragments] }, definition: reading };
}

function fieldOfRow(field: FieldNode, { query, companyId, id }: AnsweredRow): FieldNode {
  const { selectionSet, directives = [] } = field;
  return {
    kind: Kind.FIELD,
    alias: { kind: Kind.NAME, value: keyOf(field) },
    name: { kind: Kind.NAME, value: query },
    arguments: Object.entries({ companyId, id }).map(([name, value]) => ({
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: name },
      value: { kind: Kind.INT, value: String(value) },
    })),
    directives,
    ...(selectionSet !== undefined && { selectionSet }),
  };
}

const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value;

/** Names the query that answers one row of the same type as the mutation, by its company and id alone. */
function queryOfOne(schema: GraphQLSchema, mutation: string): string | null {
  const answered = schema.getMutationType()?.getFields()[mutation];
  if (answered === undefined) return null;
  const type = getNamedType(answered.type);
  const reads = Object.values(schema.getQueryType()?.getFields() ?? {}).find(
    (query) => getNamedType(query.type) === type && isOne(query) && isOne(answered) && takesRow(query),
  );
  return reads?.name ?? null;
}

function isOne({ type }: GraphQLField<unknown, unknown>): boolean {
  return !isListType(isNonNullType(type) ? type.ofType : type);
}

function takesRow({ args }: GraphQLField<unknown, unknown>): boolean {
  const required = args.filter(({ type }) => isNonNullType(type)).map(({ name }) => name);
  return required.sort().join() === "companyId,id";
}
