import {
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  type GraphQLField,
  type GraphQLSchema,
} from "graphql";
import type { Run } from "../request/run.js";
import { readAhead } from "../loading/read-ahead.js";
import type { Relation, Row } from "../../core/relations/relations.js";
import { relationResolver } from "../loading/relation-resolver.js";
import type { PictureSource } from "../../core/files/picture-url.js";
import type { MaskSource } from "../../core/masks/mask-fields.js";
import { readMask } from "../../core/masks/masks.js";
import { Connection } from "../../core/lists/connection.js";
import { InputSchemas } from "../validation/input-schemas.js";
import { InputValidator } from "../validation/validator.js";
import { guard } from "./guard.js";
import { change } from "./change.js";
import { addIfUpdatedAt } from "../schema/if-updated-at.js";
import { assertDeprecationsDated } from "../schema/deprecation.js";
import { guardRelation } from "./guard-relation.js";
import { describeOperation, type Arguments, type Operation } from "../schema/operation.js";
import { guardReaders } from "./readers-only.js";
import { makeRefusable } from "../schema/refusable-field.js";

/** The schema with its checks in place, and the facts that are known of each operation. */
export interface FinishedSchema {
  readonly schema: GraphQLSchema;
  /** The operations by their name; a query and a mutation never have the same name. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** The JSON Schemas of all input types that operations use. */
  readonly inputSchemas: InputSchemas;
}

type Field = GraphQLField<unknown, Run, Arguments>;

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
  const operations = new Map<string, Operation>();
  for (const [kind, type] of [
    ["query", schema.getQueryType()],
    ["mutation", schema.getMutationType()],
  ] as const) {
    for (const field of Object.values(type?.getFields() ?? {}) as Field[]) {
      if (kind === "mutation") addIfUpdatedAt(field as GraphQLField<unknown, unknown>);
      const operation = describeOperation(
        kind,
        field as GraphQLField<unknown, unknown>,
        inputSchemas,
        validator,
      );
      operations.set(operation.name, operation);
      guardField(field, operation);
      makeRefusable(field as GraphQLField<unknown, unknown>);
    }
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      guardReaders(field as GraphQLField<unknown, Run>);
      const relation = field.extensions["relation"] as Relation | undefined;
      if (relation !== undefined)
        field.resolve = relationResolver(
          guardRelation(type, field, relation, operations),
        ) as typeof field.resolve;
      const source = field.extensions["maskSource"] as MaskSource | undefined;
      if (source !== undefined) field.resolve = (row: Row) => readMask(row[source.mask] as number, source);
      const picture = field.extensions["pictureSource"] as PictureSource | undefined;
      if (picture !== undefined) field.resolve = pictureResolver(picture) as typeof field.resolve;
    }
  }
  return { schema, operations, inputSchemas };
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

function guardField(field: Field, operation: Operation): void {
  const resolve = field.resolve;
  if (resolve === undefined) throw new Error(`${operation.name} has no resolver`);
  const isWholeList = operation.kind === "query" && isListType(getNullableType(field.type));
  field.resolve = async (root, given, run, info) => {
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
    if (operation.kind === "query") await readRelationsOf(rows, String(info.path.key), run);
    return result;
  };
}

async function readRelationsOf(rows: readonly Row[], key: string, run: Run): Promise<void> {
  const planned = run.plan.rowsOf(key);
  if (planned === undefined || planned.relations.size === 0) return;
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
