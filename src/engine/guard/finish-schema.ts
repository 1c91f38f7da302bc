import { MapperKind, mapSchema } from "@graphql-tools/utils";
import {
  getNullableType,
  isListType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
} from "graphql";
import { Connection } from "../../core/lists/connection.js";
import type { PictureSource } from "../../core/files/picture-url.js";
import type { MaskSource } from "../../core/masks/mask-fields.js";
import { readMask } from "../../core/masks/masks.js";
import type { Relation, Row } from "../../core/relations/relations.js";
import { readAhead } from "../loading/read-ahead.js";
import type { PlannedRows } from "../loading/read-plan.js";
import type { Run, RunSettings } from "../request/run.js";
import { assertDeprecationsDated } from "../schema/deprecation.js";
import type { FieldConfig } from "../schema/field-config.js";
import { rowConditionsOf } from "../schema/row-conditions.js";
import { describeOperation, type Arguments, type Operation } from "../schema/operation.js";
import { refusable } from "../schema/refusable-field.js";
import { InputSchemas } from "../validation/input-schemas.js";
import { InputValidator } from "../validation/validator.js";
import { change } from "./change.js";
import { guard } from "./guard.js";
import { guardArguments } from "./guard-arguments.js";
import { guardRelation } from "./guard-relation.js";
import { guardReaders } from "./readers-only.js";
import { takeBackBy } from "./take-back.js";

/** The schema with its checks in place, and the facts that are known of each operation. */
export interface FinishedSchema {
  readonly schema: GraphQLSchema;
  /** The operations by their name; a query and a mutation never have the same name. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** The JSON Schemas of all input types that operations use. */
  readonly inputSchemas: InputSchemas;
  /** Takes back a change of a row, see `OperationContext`. */
  readonly takeBack: RunSettings["takeBack"];
}

/**
 * Puts the guard in front of every query and mutation, and gives every relation and every flag of a mask the
 * resolver that its declaration implies.
 *
 * @throws Error when an operation declares no access, a mutation not how it is recorded, a relation no area, or a deprecation
 *   no days.
 */
export function finishSchema(schema: GraphQLSchema): FinishedSchema {
  assertDeprecationsDated(schema);
  const inputSchemas = new InputSchemas();
  const validator = new InputValidator(inputSchemas.definitions);
  const queries = fieldsOf(schema.getQueryType());
  const mutations = fieldsOf(schema.getMutationType());
  const conditions = new Map(mutations.map((field) => [field.name, rowConditionsOf(field)]));
  const described = [
    ...queries.map((field) => describeOperation("query", field, inputSchemas, validator)),
    ...mutations.map((field) =>
      describeOperation(
        "mutation",
        withArguments(field, conditions.get(field.name) ?? []),
        inputSchemas,
        validator,
      ),
    ),
  ];
  const operations = new Map(described.map((operation) => [operation.name, operation]));
  const guarded = (field: FieldConfig, name: string) =>
    guardedField(field, operations.get(name) as Operation, conditions.get(name) ?? []);
  const finished = mapSchema(schema, {
    [MapperKind.QUERY_ROOT_FIELD]: guarded,
    [MapperKind.MUTATION_ROOT_FIELD]: guarded,
    // What a subscription sends is asked for by a query of its own, which the guard checks.
    [MapperKind.SUBSCRIPTION_ROOT_FIELD]: (field: FieldConfig) => field,
    [MapperKind.COMPOSITE_FIELD]: (field: FieldConfig, name, type) =>
      guardReaders(
        guardArguments(withResolver(`${type}.${name}`, field, operations), inputSchemas, validator),
      ),
  });
  return { schema: finished, operations, inputSchemas, takeBack: takeBackBy(finished, operations) };
}

function fieldsOf(type: GraphQLObjectType | null | undefined): GraphQLField<unknown, unknown>[] {
  return Object.values(type?.getFields() ?? {});
}

function withArguments(
  field: GraphQLField<unknown, unknown>,
  added: readonly GraphQLArgument[],
): GraphQLField<unknown, unknown> {
  return { ...field, args: [...field.args, ...added] };
}

/** Gives a field the resolver that its declaration implies. */
function withResolver(
  name: string,
  field: FieldConfig,
  operations: ReadonlyMap<string, Operation>,
): FieldConfig {
  const { relation, maskSource, pictureSource } = (field.extensions ?? {}) as Declarations;
  if (relation !== undefined) return guardRelation(name, field, relation, operations);
  if (maskSource !== undefined)
    return { ...field, resolve: (row) => readMask((row as Row)[maskSource.mask] as number, maskSource) };
  if (pictureSource === undefined) return field;
  return { ...field, resolve: pictureResolver(pictureSource) as FieldConfig["resolve"] };
}

/** What decorators of the kit leave at a field. */
interface Declarations {
  readonly relation?: Relation;
  readonly maskSource?: MaskSource;
  readonly pictureSource?: PictureSource;
}

function pictureResolver({ column, size, isList }: PictureSource) {
  if (isList)
    return (row: Row, _args: unknown, { runtime }: Run) => {
      const keys = row[column] as readonly string[];
      return keys.length === 0 ? keys : keys.map((key) => runtime.files.urlOf(key, size));
    };
  return (row: Row, _args: unknown, { runtime }: Run) => {
    const key = row[column] as string | null | undefined;
    return key == null ? null : runtime.files.urlOf(key, size);
  };
}

/** The field of an operation with the guard in front, and with a further argument where it takes one. */
function guardedField(
  field: FieldConfig,
  operation: Operation,
  added: readonly GraphQLArgument[],
): FieldConfig {
  const resolve = field.resolve as GraphQLFieldResolver<unknown, Run, Arguments> | undefined;
  if (resolve === undefined) throw new Error(`${operation.name} has no resolver`);
  const isWholeList = operation.kind === "query" && isListType(getNullableType(field.type));
  const guarded: GraphQLFieldResolver<unknown, Run, Arguments> = async (root, given, run, info) => {
    // The guard fills in the company, and arguments without variables are shared by all runs of a document.
    const args = operation.companyIsOptional ? { ...given } : given;
    // A mutation may have changed rows and permissions that the mutations after it read.
    if (operation.kind === "mutation" && run.hasBegun) run.forget();
    await guard(operation, args, run);
    run.begin(operation);
    const result: unknown = await (isWholeList
      ? run.budget.wholeList(() => Promise.resolve<unknown>(resolve(root, args, run, info)))
      : operation.kind === "mutation"
        ? change(run, { operation, args }, (inside) => Promise.resolve(resolve(root, args, inside, info)))
        : resolve(root, args, run, info));
    const rows = rowsIn(result);
    if (!run.budget.makes(rows.length)) run.budget.assertWithin();
    const planned = operation.kind === "query" ? run.plan.rowsOf(String(info.path.key)) : undefined;
    if (planned !== undefined && planned.relations.size > 0) {
      if (planned.hasTotal && result instanceof Connection) result.countAhead();
      await readRelationsOf(rows, planned, run);
    }
    return result;
  };
  const args = { ...field.args, ...Object.fromEntries(added.map((argument) => [argument.name, argument])) };
  return refusable({ ...field, args, resolve: guarded as FieldConfig["resolve"] });
}

async function readRelationsOf(rows: readonly Row[], planned: PlannedRows, run: Run): Promise<void> {
  try {
    await readAhead(run, rows, planned);
  } catch {
    // The field that asks for the relation will try again and report the error.
  }
}

function rowsIn(result: unknown): readonly Row[] {
  if (result instanceof Connection) return result.nodes as readonly Row[];
  if (Array.isArray(result)) return result as Row[];
  return typeof result === "object" && result !== null ? [result as Row] : [];
}
