import {
  coerceInputValue,
  getNamedType,
  getNullableType,
  GraphQLError,
  isInputObjectType,
  isListType,
  isNonNullType,
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
import { shownPath, splitPath } from "../../core/operations/audited-models.js";
import type { TrailChanges, WrittenChange } from "../../core/operations/operation-context.js";
import { delegateName, hasField, ownerField, type ModelName } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS, type WholeFacts } from "../../generated/models.js";
import type { Run } from "../request/run.js";
import { IF_UPDATED_AT, IF_VERSION } from "../schema/row-conditions.js";
import type { Operation } from "../schema/operation.js";

type Values = Readonly<Record<string, unknown>>;

/** A value of a row that an update has changed: of a field, or of a key of the object that the field holds. */
interface Changed {
  readonly field: string;
  readonly key: string | null;
  /** Where an input has it: in a field, or in a field of the object there. */
  readonly place: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
  /** Whether the service works it out of others by itself, so that no input sets it. */
  readonly follows: boolean;
  /** Whether the service works out all of the field, with its other keys. */
  readonly followsWhole: boolean;
}

/** A mutation by which rows of a model are updated. */
interface Update {
  readonly model: ModelName;
  readonly input: GraphQLInputObjectType;
  /** The fields of the input that are read from masks. */
  readonly flags: readonly (readonly [name: string, source: MaskSource])[];
}

/** The arguments that a mutation may have by which changes are taken back; others have to be fields of the row. */
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
    const { name, changed } = mutationOf(model);
    const field = schema.getMutationType()?.getFields()[name];
    const input = field === undefined ? undefined : inputTypeOf(field, model);
    const lockedModel = operations.get(name)?.changedRow?.model;
    const isPlain = lockedModel !== undefined && changed.includes(lockedModel) && ownerField(model) === null;
    const values = changedValues(model, changes);
    if (field?.resolve == null || input === undefined || !isPlain || values === null) throw notPlain();
    const update: Update = { model, input, flags: flagsOf(schema, getNamedType(field.type).name, input) };
    const read = async (inside: Run): Promise<Values> => {
      const row = await rowOf(inside, companyId, model, id);
      if (row === null) throw notFound(model);
      return row;
    };
    const now = await read(run);
    const sent = inputBefore(update, rowAt("after", now, values), values);
    if (sent === null) throw notPlain();
    const inner = run.onBehalf({
      fields: [],
      holds: async (inside) => {
        const row = await read(inside);
        // The input has what the row was a moment ago besides.
        if (!has(update, row, values, "after") || !isSame(inputBefore(update, row, values), sent))
          throw movedOn();
        return true;
      },
    });
    const others = field.args.filter((argument) => !ARGUMENTS.has(argument.name));
    const args = {
      companyId,
      input: sent,
      ...(field.args.some((argument) => argument.name === "id") && { id }),
      ...Object.fromEntries(others.map((argument) => [argument.name, now[argument.name]])),
    };
    // None but the root field of a query asks where it stands.
    await field.resolve(undefined, args, inner, undefined as unknown as GraphQLResolveInfo);
    const row = await read(inner);
    if (!has(update, row, values, "before") || !isUntouched(now, row, values)) throw notPlain();
  };
}

/**
 * The mutation that updates rows of a model, and the models of which it may say that it changes a row: of a part that is the only one
 * its whole's, of one among others that or its own.
 */
function mutationOf(model: ModelName): { readonly name: string; readonly changed: readonly ModelName[] } {
  const part = onlyPart(model);
  if (part === null)
    return {
      name: `update${model}`,
      changed: [model, ...MODEL_FACTS[model].wholes.map((whole) => whole.model)],
    };
  return {
    name: `update${part.field.replace(/^./u, (first) => first.toUpperCase())}`,
    changed: [part.model],
  };
}

/** The whole of which a row is the only part of its kind: it has the whole's id for a key. */
function onlyPart(model: ModelName): WholeFacts | null {
  const { key, wholes } = MODEL_FACTS[model];
  return wholes.find(({ column }) => key.every((name) => name === column)) ?? null;
}

/** The input of a mutation that has no arguments beyond those that a row of the model can fill. */
function inputTypeOf(
  { args }: GraphQLField<unknown, unknown>,
  model: ModelName,
): GraphQLInputObjectType | undefined {
  const declared = args.find(({ name }) => name === "input")?.type;
  const inputType = declared === undefined ? undefined : getNamedType(declared);
  const isPlain = args.every(({ name }) => ARGUMENTS.has(name) || hasField(model, name));
  return isInputObjectType(inputType) && isPlain ? inputType : undefined;
}

/** The fields of an input that are flags of masks which it does not have as a whole. */
function flagsOf(schema: GraphQLSchema, typeName: string, input: GraphQLInputObjectType): Update["flags"] {
  const type = schema.getType(typeName);
  const fields = input.getFields();
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap(({ name, extensions }) => {
    const source = extensions["maskSource"] as MaskSource | undefined;
    const isFlag = source !== undefined && fields[name] !== undefined && fields[source.mask] === undefined;
    return isFlag ? [[name, source] as const] : [];
  });
}

/** What an update has changed; `null` where the trail does not have all of the values. */
function changedValues(model: ModelName, changes: TrailChanges): Changed[] | null {
  const { hides = [], follows = [] } = MODEL_FACTS[model].audit ?? {};
  const values: Changed[] = [];
  for (const [path, [before, after]] of Object.entries(changes)) {
    const [column, key] = splitPath(path);
    const place = MODEL_FACTS[model].columns.findIndex(([name]) => name === column);
    const field = MODEL_FACTS[model].fields[place];
    if (field === undefined || hides.includes(column) || isCut(before) || isCut(after)) return null;
    const [, type = ""] = MODEL_FACTS[model].columns[place] ?? [];
    values.push({
      field,
      key,
      place: (shownPath(model, path) ?? "").split("."),
      before: written(before, type),
      after: written(after, type),
      follows: follows.includes(column) || follows.includes(path),
      followsWhole: follows.includes(column),
    });
  }
  return values;
}

/** The input that sets what an update has changed to what it was; `null` where the mutation's input cannot say so. */
function inputBefore(update: Update, row: Values, changes: readonly Changed[]): Values | null {
  const [before, now] = [shown(update, rowAt("before", row, changes)), shown(update, row)];
  const fields = Object.values(update.input.getFields());
  if (fields.every((field) => isSame(valueIn(before, field), valueIn(now, field)))) return null;
  try {
    return coerceInputValue(inputOf(update.input, before, now, true), update.input, () => {
      throw new GraphQLError("the input has another form");
    }) as Values;
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
}

/** The row with the values that it had before a change, or right after it. */
function rowAt(when: "before" | "after", row: Values, changes: readonly Changed[]): Values {
  const then: Record<string, unknown> = { ...row };
  for (const { field, key, follows, [when]: value } of changes) {
    if (follows) continue;
    if (key === null) then[field] = value;
    else {
      const { [key]: _, ...others } = (then[field] ?? {}) as Values;
      then[field] = value === null ? others : { ...others, [key]: value };
    }
  }
  return then;
}

/** The values of a row by the names that inputs have for them. */
function shown({ model, flags }: Update, row: Values): Values {
  const { fields, columns } = MODEL_FACTS[model];
  const values: Record<string, unknown> = {};
  for (const [place, field] of fields.entries()) {
    const path = shownPath(model, columns[place]?.[0] ?? "");
    if (path === null) continue;
    const [name, key] = splitPath(path);
    if (name === "") Object.assign(values, row[field]);
    else values[name] = key === null ? row[field] : { ...(values[name] as Values), [key]: row[field] };
  }
  for (const [name, source] of flags) {
    const mask = row[source.mask];
    if (typeof mask === "number") values[name] = readMask(mask, source);
  }
  return values;
}

/**
 * An input that makes of present values those that were before.
 *
 * @param merges whether what is absent from the input stays as it is: then it has what differs, else all there was.
 */
function inputOf(type: GraphQLInputObjectType, before: Values, now: Values, merges: boolean): Values {
  const entries = Object.values(type.getFields()).flatMap((field) => {
    const [value, present] = [valueIn(before, field), valueIn(now, field)];
    const isLeftOut = merges ? isSame(value, present) : value === null;
    if (isLeftOut && !isNonNullType(field.type)) return [];
    return [[field.name, inputValue(field, value, present)] as const];
  });
  return Object.fromEntries(entries);
}

function inputValue(field: GraphQLInputField, value: unknown, present: unknown): unknown {
  const { unset = null, merges = false, nullable = false } = termsOf(field);
  const type = getNamedType(field.type);
  if (value === null || (nullable && !merges && isSame(value, {}))) return unset;
  if (!isInputObjectType(type)) return value;
  if (isListType(getNullableType(field.type)))
    return (value as readonly Values[]).map((item) => inputOf(type, item, {}, false));
  return inputOf(type, value as Values, (present ?? {}) as Values, merges);
}

/** What the bounds of an input's field say of how it is stored. */
interface Terms {
  /** What it means when it was never set. */
  readonly unset?: unknown;
  /** Whether keys that are absent from its object stay. */
  readonly merges?: boolean;
  readonly nullable?: boolean;
  /** The name by which clients know what it sets, where that is not its own. */
  readonly sets?: string;
}

function termsOf({ extensions }: GraphQLInputField): Terms {
  return extensions["jsonSchema"] ?? {};
}

function valueIn(values: Values, field: GraphQLInputField): unknown {
  return values[termsOf(field).sets ?? field.name] ?? null;
}

/** What the field in a place of an input means when it was never set; null unless the field says so. */
function unsetIn(type: GraphQLInputObjectType, [name = "", ...within]: readonly string[]): unknown {
  const field = type.getFields()[name];
  const inner = getNamedType(field?.type);
  if (within.length > 0) return isInputObjectType(inner) ? unsetIn(inner, within) : null;
  return field === undefined ? null : (termsOf(field).unset ?? null);
}

/** Whether a row has the values of a change, those before or those after it. What was never set has the value that it means. */
function has({ input }: Update, row: Values, changes: readonly Changed[], when: "before" | "after"): boolean {
  return changes.every((change) => {
    const { field, key, place, follows } = change;
    if (follows) return true;
    const value = key === null ? row[field] : (row[field] as Values | null)?.[key];
    const unset = unsetIn(input, place);
    return isSame(value ?? unset, change[when] ?? unset);
  });
}

/** Whether the objects in which a change has changed some keys have the same others as before. */
function isUntouched(before: Values, after: Values, changes: readonly Changed[]): boolean {
  return changes.every(({ field, key, followsWhole }) => {
    if (key === null || followsWhole) return true;
    const changed = new Set(changes.filter((one) => one.field === field).map((one) => one.key));
    const others = (row: Values): unknown =>
      Object.fromEntries(Object.entries((row[field] ?? {}) as Values).filter(([name]) => !changed.has(name)));
    return isSame(others(before), others(after));
  });
}

/** Whether two values are the same; a key that is null is as one that is absent. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(bare(one), bare(other));
}

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== "object" || value === null) return value ?? null;
  const entries = Object.entries(value).filter(([, part]) => part != null);
  return Object.fromEntries(entries.map(([key, part]) => [key, bare(part)]));
}

interface Delegate {
  findFirst(query: object): Promise<Values | null>;
}

/** The row with its values as JSON has them, also one that is deleted. */
async function rowOf(run: Run, companyId: number, model: ModelName, id: number): Promise<Values | null> {
  const { db } = run.companyScope(companyId);
  const delegate = db[delegateName(model) as keyof typeof db] as unknown as Delegate;
  const key = onlyPart(model)?.name ?? "id";
  const row = await delegate.findFirst({
    where: { ...(hasField(model, "companyId") && { companyId }), [key]: id },
  });
  if (row === null) return null;
  const { fields, columns } = MODEL_FACTS[model];
  return Object.fromEntries(
    fields.map((field, place) => [field, written(row[field], columns[place]?.[1] ?? "")]),
  );
}

/** A value of a column of some type as JSON has it: moments in UTC, numbers of any kind by their value. */
function written(value: unknown, type: string): unknown {
  if (Array.isArray(value)) return value.map((item) => written(item, type));
  if (value == null) return null;
  if (type === "DateTime") return new Date(value as string | Date).toISOString();
  return type === "Decimal" || type === "BigInt" ? Number(value) : value;
}

/** Whether the trail has the beginning of a long value alone. */
function isCut(value: unknown): boolean {
  return typeof value === "object" && value !== null && "cut" in value && "start" in value;
}

function notPlain(): DomainError {
  return new DomainError("INVALID_STATE", "It is no plain update, which its values before would take back.");
}

function movedOn(): DomainError {
  return new DomainError("CONFLICT", "The row has other values by now than this change has left.");
}
