import type { AnySchemaObject } from "ajv";
import type { DataValidateFunction, DataValidationCxt } from "ajv/dist/types/index.js";
import type { JsonSchema } from "./json-schema.js";

/** How the human form of a value (`human_…`) is turned into the plain value. */
export interface Twin {
  /** The plain key; the service gets the value under that key alone. */
  readonly of: string;
  /** How many decimals the human number may have: 12.34 has two. */
  readonly decimals: number;
  /**
   * How many decimals the plain number has: none for hundredths, four for a fraction whose twin is a percentage.
   */
  readonly plainDecimals: number;
}

/**
 * The largest human amount. Beyond fifteen digits two decimal numbers may be the same in binary, so that it is unknown
 * which of them the caller sent.
 */
export const MAX_HUMAN_AMOUNT = 9_999_999_999_999.99;

interface PropertySchema {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
}

/**
 * Compiles the keyword `twins` of an object. It replaces human values by their plain ones before anything else is
 * checked. A human value that breaks the bounds of its own key stays, so that the wrong field is that key. A human
 * value that disagrees with the plain value beside it breaks the rule `twin`; one beyond its bounds that is shown of that plain
 * value counts as absent, so that an answer may be sent back. A human null counts as absent; where
 * the plain key is absent and may be null, it makes that key null.
 */
export function compileTwins(
  twins: Readonly<Record<string, Twin>>,
  parent: AnySchemaObject,
): DataValidateFunction {
  const properties = (parent["properties"] ?? {}) as Readonly<Record<string, PropertySchema>>;
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

/** @returns false when the human value and the plain value disagree. */
function merge(
  values: Record<string, unknown>,
  human: string,
  twin: Twin,
  properties: Readonly<Record<string, PropertySchema>>,
): boolean {
  const { [human]: value, [twin.of]: plain } = values;
  if (value === null && isNullable(properties[human])) {
    delete values[human];
    if (plain === undefined && isNullable(properties[twin.of])) values[twin.of] = null;
    return true;
  }
  const exact = exactPlain(value, twin, properties[human] ?? {});
  if (exact === null) {
    if (typeof plain === "number" && value === shownOf(plain, twin)) delete values[human];
    return true;
  }
  if (plain != null && plain !== exact) return false;
  values[twin.of] = exact;
  delete values[human];
  return true;
}

/**
 * The plain number of a human one, worked out from its decimal digits, so that binary rounding plays no part.
 *
 * @returns `null` when the human number breaks the bounds of its own key.
 */
function exactPlain(value: unknown, { decimals, plainDecimals }: Twin, own: PropertySchema): number | null {
  if (typeof value !== "number" || value < (own.minimum ?? -Infinity) || value > (own.maximum ?? Infinity))
    return null;
  const digits = /^(?<whole>-?\d+)(?:\.(?<fraction>\d+))?$/u.exec(String(value))?.groups;
  const fraction = digits?.["fraction"] ?? "";
  if (digits === undefined || fraction.length > decimals) return null;
  const scaled = Number(`${digits["whole"] ?? ""}${fraction.padEnd(decimals, "0")}`);
  return scaled / 10 ** plainDecimals;
}

/** The human number that is shown of a plain one, in double precision. */
function shownOf(plain: number, { decimals, plainDecimals }: Twin): number {
  return plain / 10 ** (decimals - plainDecimals);
}

function isNullable(property: PropertySchema | undefined): boolean {
  return [property?.type].flat().includes("null") || property?.enum?.includes(null) === true;
}

/** The keyword `twins` for an object, collected from its properties; empty when none of them is a twin. */
export function twinsOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const twins = Object.entries(properties).flatMap(([name, { twin }]) =>
    twin === undefined ? [] : [[name, twin as Twin] as const],
  );
  return twins.length === 0 ? {} : { twins: Object.fromEntries(twins) };
}
