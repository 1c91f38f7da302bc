import {
  coerceInputValue,
  getNamedType,
  GraphQLError,
  isInputObjectType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from "graphql";
import { isDeepStrictEqual } from "node:util";
import { DomainError, notFound } from "../../core/errors/domain-error.js";
import type { MaskSource } from "../../core/masks/mask-fields.js";
import { readMask } from "../../core/masks/masks.js";
import type { TrailChanges, WrittenChange } from "../../core/operations/operation-context.js";
import { delegateName, hasField, ownerField, type ModelName } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS, type WholeFacts } from "../../generated/models.js";
import type { Run } from "../request/run.js";
import { IF_UPDATED_AT, IF_VERSION } from "../schema/row-conditions.js";
import type { Operation } from "../schema/operation.js";

type Values = Record<string, unknown>;

/** The arguments that a mutation may have by which changes are taken back. */
const ARGUMENTS: ReadonlySet<string> = new Set(["companyId", "id", "input", IF_UPDATED_AT, IF_VERSION]);

/**
 * Takes back a change of a row by the mutation `update<Model>`, as if the caller had sent it with the values before. See
 * `OperationContext.takeBack`.
 */
export function takeBackBy(
  schema: GraphQLSchema,
  operations: ReadonlyMap<string, Operation>,
): (run: Run, change: WrittenChange) => Promise<void> {
  return async (run, { companyId, model, id, changes }) => {
    const { name, changed } = updateOf(model);
    const field = schema.getMutationType()?.getFields()[name];
    const isPlain = operations.get(name)?.changedRow?.model === changed && ownerField(model) === null;
    const inputType = field === undefined ? undefined : inputTypeOf(field);
    if (field?.resolve == null || inputType === undefined || !isPlain) throw notPlain();
    const input = inputBefore(schema, inputType, { model, shown: getNamedType(field.type).name, changes });
    if (input === null) throw notPlain();
    const read = (inside: Run): Promise<Values | null> => rowOf(inside, companyId, model, id);
    const inner = run.onBehalf({
      fields: [],
      holds: async (inside) => {
        const row = await read(inside);
        if (row === null) throw notFound(model);
        if (!has(row, changes, "after", inputType)) throw movedOn();
        return true;
      },
    });
    const args = { companyId, input, ...(field.args.some((argument) => argument.name === "id") && { id }) };
    // None but the root field of a query asks where it stands.
    await field.resolve(undefined, args, inner, undefined as unknown as GraphQLResolveInfo);
    const row = await read(inner);
    if (row === null || !has(row, changes, "before", inputType)) throw notPlain();
  };
}

/** The mutation that updates rows of a model, and whose row it says that it changes: of a part that is the only one, its whole's. */
function updateOf(model: ModelName): { readonly name: string; readonly changed: ModelName } {
  const part = onlyPart(model);
  if (part === null) return { name: `update${model}`, changed: model };
  return { name: `update${part.field.replace(/^./u, (first) => first.toUpperCase())}`, changed: part.model };
}

/** The whole of which a row is the only part of its kind: it has the whole's id for a key. */
function onlyPart(model: ModelName): WholeFacts | null {
  const { key, wholes } = MODEL_FACTS[model];
  return wholes.find(({ column }) => key.every((name) => name === column)) ?? null;
}

/** The input of a mutation that has no arguments beyond those by which changes are taken back. */
function inputTypeOf({ args }: GraphQLField<unknown, unknown>): GraphQLInputObjectType | undefined {
  const declared = args.find(({ name }) => name === "input")?.type;
  const inputType = declared === undefined ? undefined : getNamedType(declared);
  const isPlain = args.every(({ name }) => ARGUMENTS.has(name));
  return isInputObjectType(inputType) && isPlain ? inputType : undefined;
}

/** The input that sets what an update has changed to what it was; `null` where the mutation's input cannot say all of it. */
function inputBefore(
  schema: GraphQLSchema,
  inputType: GraphQLInputObjectType,
  { model, shown, changes }: { model: ModelName; shown: string; changes: TrailChanges },
): unknown {
  const input: Values = {};
  for (const [path, [before, after]] of Object.entries(changes)) {
    if (isHidden(model, path) || [before, after].some(isCut)) return null;
    const [column = "", ...within] = path.split(".");
    const field = camelCase(column);
    const isKnown = inputType.getFields()[field] !== undefined;
    if (within.length > 0 || isKnown) setWithin(input, inputType, placeOf(inputType, path), before);
    else Object.assign(input, flagsBefore(schema, shown, inputType, { field, before, after }));
  }
  if (Object.keys(input).length === 0) return null;
  try {
    return coerceInputValue(input, inputType, () => {
      throw new GraphQLError("the input has another form");
    });
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
}

/** Where an input has what the trail calls by a path: without the column, its keys stand beside each other. */
function placeOf(type: GraphQLInputObjectType, path: string): string[] {
  const [column = "", ...within] = path.split(".");
  const field = camelCase(column);
  return type.getFields()[field] === undefined ? within : [field, ...within];
}

/** What the field in a place of an input means when it was never set; null unless the field says so. */
function unsetIn(type: GraphQLInputObjectType, [name = "", ...within]: readonly string[]): unknown {
  const field = fieldOf(type, name);
  const inner = getNamedType(field?.type);
  if (within.length > 0) return isInputObjectType(inner) ? unsetIn(inner, within) : null;
  return (field?.extensions["jsonSchema"] as { unset?: unknown } | undefined)?.unset ?? null;
}

function fieldOf(type: GraphQLInputObjectType, name: string): GraphQLInputField | undefined {
  const fields = type.getFields();
  return fields[name] ?? fields[camelCase(name)];
}

/** Sets a value within an object of the input, where the input has such a place. */
function setWithin(
  input: Values,
  type: GraphQLInputObjectType,
  [name = "", ...within]: readonly string[],
  value: unknown,
): void {
  const known = fieldOf(type, name);
  if (known === undefined) return;
  const inner = getNamedType(known.type);
  if (within.length === 0) input[known.name] = value ?? unsetIn(type, [name]);
  else if (isInputObjectType(inner)) setWithin((input[known.name] ??= {}) as Values, inner, within, value);
}

/** The fields of an input that set the parts of a mask that have changed to what they were. */
function flagsBefore(
  schema: GraphQLSchema,
  typeName: string,
  inputType: GraphQLInputObjectType,
  { field, before, after }: { field: string; before: unknown; after: unknown },
): Values {
  const shown = schema.getType(typeName);
  if (!isObjectType(shown) || typeof before !== "number" || typeof after !== "number") return {};
  const flags = Object.values(shown.getFields()).flatMap(({ name, extensions }) => {
    const source = extensions["maskSource"] as MaskSource | undefined;
    const isOfMask = source?.mask === field && inputType.getFields()[name] !== undefined;
    if (!isOfMask || readMask(before, source) === readMask(after, source)) return [];
    return [[name, readMask(before, source)] as const];
  });
  return Object.fromEntries(flags);
}

/** Whether a row has the values of a change, those before or those after it. What was never set has the value that it means. */
function has(
  row: Values,
  changes: TrailChanges,
  when: "before" | "after",
  inputType: GraphQLInputObjectType,
): boolean {
  return Object.entries(changes).every(([path, values]) => {
    const [column = "", ...within] = path.split(".");
    let value = row[camelCase(column)];
    for (const key of within) value = (value as Values | null | undefined)?.[key];
    const unset = unsetIn(inputType, placeOf(inputType, path));
    return isSame(value ?? unset, values[when === "before" ? 0 : 1] ?? unset);
  });
}

/** Whether a value of a row is one that the trail has written. */
function isSame(value: unknown, written: unknown): boolean {
  if (value instanceof Date) return typeof written === "string" && Date.parse(written) === value.getTime();
  return isDeepStrictEqual(plain(value ?? null), plain(written ?? null));
}

/** A value as JSON has it; 64-bit integers are within 53 bits. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? Number(part) : part)));

interface Delegate {
  findFirst(query: object): Promise<Values | null>;
}

/** The row, also one that is deleted. */
function rowOf(run: Run, companyId: number, model: ModelName, id: number): Promise<Values | null> {
  const { db } = run.companyScope(companyId);
  const delegate = db[delegateName(model) as keyof typeof db] as unknown as Delegate;
  const key = onlyPart(model)?.name ?? "id";
  return delegate.findFirst({ where: { ...(hasField(model, "companyId") && { companyId }), [key]: id } });
}

function isHidden(model: ModelName, path: string): boolean {
  const hides: readonly string[] = MODEL_FACTS[model].audit?.hides ?? [];
  return hides.includes(path.split(".")[0] ?? "");
}

/** Whether the trail has the beginning of a long value alone. */
function isCut(value: unknown): boolean {
  return typeof value === "object" && value !== null && "cut" in value && "start" in value;
}

const camelCase = (column: string): string =>
  column.replace(/_([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());

function notPlain(): DomainError {
  return new DomainError("INVALID_STATE", "It is no plain update, which its values before would take back.");
}

function movedOn(): DomainError {
  return new DomainError("CONFLICT", "The row has other values by now than this change has left.");
}
