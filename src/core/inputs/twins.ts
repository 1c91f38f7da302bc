import type { AnySchemaObject } from "ajv";
import type { DataValidateFunction, DataValidationCxt } from "ajv/dist/types/index.js";
import type { JsonSchema } from "./json-schema.js";

/** What the `human_*` form of a value stands for. */
export interface Twin {
  /** The plain key, which alone is handed on. */
  readonly of: string;
  /** Decimals of the human number: 12.34 has two. */
  readonly decimals: number;
  /** Decimals of the plain number: none for hundredths, four for a fraction whose twin is a percentage. */
  readonly plainDecimals: number;
}

/** Beyond fifteen digits two decimal numbers may be the same in binary, so that the caller's cannot be known. */
export const MAX_HUMAN_AMOUNT = 9_999_999_999_999.99;

interface Property {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
}

/**
 * The keyword `twins` of an object: turns human values into their plain ones before anything else is checked, and
 * leaves them out. A value that breaks the bounds of its own key stays, to be told under that key; one that disagrees
 * with a plain value beside it is told as rule `twin`. A human null counts as not given, or as null where the plain
 * key may be null and is absent.
 */
export function compileTwins(
  twins: Readonly<Record<string, Twin>>,
  parent: AnySchemaObject,
): DataValidateFunction {
  const properties = (parent["properties"] ?? {}) as Readonly<Record<string, Property>>;
  const validate: DataValidateFunction = (data: unknown, context?: DataValidationCxt) => {
    if (typeof data !== "object" || data === null || Array.isArray(data)) return true;
    const values = data as Record<string, unknown>;
    validate.errors = Object.entries(twins)
      .filter(([human, twin]) => !merge(values, human, twin, properties))
      .map(([human, { of }]) => ({
        keyword: "twin",
        message: `disagrees with ${of}`,
        params: {},
        instancePath: `${context?.instancePath ?? ""}/${human}`,
      }));
    return validate.errors.length === 0;
  };
  return validate;
}

/** @returns whether the two agree, as far as that can be told. */
function merge(
  values: Record<string, unknown>,
  human: string,
  twin: Twin,
  properties: Readonly<Record<string, Property>>,
): boolean {
  const { [human]: value, [twin.of]: plain } = values;
  if (value === null && isNullable(properties[human])) {
    delete values[human];
    if (plain === undefined && isNullable(properties[twin.of])) values[twin.of] = null;
    return true;
  }
  const exact = exactPlain(value, twin, properties[human] ?? {});
  if (exact === null) return true;
  if (plain != null && plain !== exact) return false;
  values[twin.of] = exact;
  delete values[human];
  return true;
}

/** The plain number, digit by digit; `null` for what its own key refuses. */
function exactPlain(value: unknown, { decimals, plainDecimals }: Twin, own: Property): number | null {
  if (typeof value !== "number" || value < (own.minimum ?? -Infinity) || value > (own.maximum ?? Infinity))
    return null;
  const digits = /^(?<whole>-?\d+)(?:\.(?<fraction>\d+))?$/u.exec(String(value))?.groups;
  const fraction = digits?.["fraction"] ?? "";
  if (digits === undefined || fraction.length > decimals) return null;
  const scaled = Number(`${digits["whole"] ?? ""}${fraction.padEnd(decimals, "0")}`);
  return scaled / 10 ** plainDecimals;
}

function isNullable(property: Property | undefined): boolean {
  return [property?.type].flat().includes("null") || property?.enum?.includes(null) === true;
}

/** The keyword of an object some of whose properties are twins of others. */
export function twinsOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const twins = Object.entries(properties).flatMap(([name, { twin }]) =>
    twin === undefined ? [] : [[name, twin as Twin] as const],
  );
  return twins.length === 0 ? {} : { twins: Object.fromEntries(twins) };
}
