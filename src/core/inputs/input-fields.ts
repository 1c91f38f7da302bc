import { Extensions, Field, InputType, Int, Float } from "type-graphql";
import { PASSWORD_LENGTH } from "../access/passwords.js";
import type { Enum } from "../enums.js";
import { DateTime } from "../scalars/date-time.js";
import { Decimal } from "../scalars/decimal.js";
import { Json } from "../scalars/json.js";
import { SafeInt } from "../scalars/safe-int.js";
import type { ModelName } from "../scope/tenant-models.js";
import type { JsonSchema } from "./json-schema.js";
import { forbidden, type ForbiddenRule } from "./forbidden-key.js";
import { MAX_HUMAN_AMOUNT, type Twin } from "./twins.js";

/** Options of every input field. A field is required unless it is `optional` or `nullable`. */
export interface FieldOptions {
  readonly description: string;
  /** Says whether the field may be absent; null is refused. */
  readonly optional?: boolean;
  /** Says whether the field may be absent or null; null clears it, or means that it is not given. */
  readonly nullable?: boolean;
}

/** Key under which an input type keeps its earlier name, and the days between which documents may use it. */
export const FORMER_NAME = "formerName";

/** The JSON Schema of a currency. */
export const CURRENCY_SCHEMA: JsonSchema = {
  text: "currency",
  minLength: 3,
  maxLength: 8,
  pattern: "^[A-Za-z]*$",
  patternWords: "letters alone",
};

type TypeFunction = () => unknown;
interface Declaration extends FieldOptions {
  readonly type: TypeFunction;
  readonly schema: JsonSchema;
}

const declarations = new Map<object, Map<string, Declaration>>();

/** Declares an input field: its GraphQL type and its bounds as a JSON Schema, which both faces check. */
export function InputField(
  type: TypeFunction,
  options: FieldOptions,
  schema: JsonSchema = {},
): PropertyDecorator {
  return (prototype, key) => {
    const name = String(key);
    const own = declarations.get(prototype.constructor) ?? new Map<string, Declaration>();
    declarations.set(prototype.constructor, own.set(name, { ...options, type, schema }));
    apply(prototype, name, { ...options, type, schema });
  };
}

/**
 * Declares an input class. Fields of its superclasses count as its own; TypeGraphQL by itself would forget
 * their bounds.
 *
 * @param options.rules JSON Schema of rules between fields, such as one that another requires.
 * @param options.was an earlier name that documents may use until a day, such as "GoodInput, since 2026-12-01 until 2027-06-01."
 * @param options.closed whether keys that are not declared are refused, on both faces, with rule `forbidden`.
 */
export function InputObject(options: {
  description: string;
  rules?: JsonSchema;
  was?: string;
  closed?: boolean;
}): ClassDecorator {
  return (target) => {
    const { description, rules, was, closed } = options;
    for (const [name, declaration] of inheritedDeclarations(target)) {
      if (declarations.get(target)?.has(name) !== true) apply(target.prototype as object, name, declaration);
    }
    InputType({ description })(target);
    if (rules !== undefined) Extensions({ jsonSchema: rules })(target);
    if (was !== undefined) Extensions({ [FORMER_NAME]: was })(target);
    if (closed === true) Extensions({ closed })(target);
  };
}

function apply(
  prototype: object,
  name: string,
  { type, schema, description, optional, nullable }: Declaration,
): void {
  const mayBeAbsent = optional === true || nullable === true;
  Field(type as () => typeof String, { description: describe(description, schema), nullable: mayBeAbsent })(
    prototype,
    name,
  );
  Extensions({ jsonSchema: nullable === true ? { ...schema, nullable } : schema })(prototype, name);
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** What a text has to match, as a regular expression and in the words of its refusal, which follow "must be". */
export interface TextPattern {
  readonly source: string;
  readonly words: string;
}

/** A single line of text with at most `max` characters, counted after trimming. */
export const TextField = (options: FieldOptions & Bounds & { pattern?: TextPattern; format?: string }) =>
  InputField(() => String, options, textSchema("line", options));

/** Text that may hold line breaks and tabs. */
export const LongTextField = (options: FieldOptions & Bounds) =>
  InputField(() => String, options, textSchema("block", options));

/** Text that is kept as it is sent, spaces included: tokens, patterns, delimiters. */
export const VerbatimField = (options: FieldOptions & Bounds & { format?: string }) =>
  InputField(() => String, options, textSchema("verbatim", options));

/** A new password; one of the most common ones is refused with rule `common`. */
export const PasswordField = (options: FieldOptions) =>
  InputField(() => String, options, textSchema("verbatim", { ...PASSWORD_LENGTH, format: "password" }));

/** A currency: 3 to 8 letters, which become capitals. `CURRENCY_SCHEMA` is the same for an argument. */
export const CurrencyField = ({ unset, ...options }: FieldOptions & { unset?: string }) =>
  InputField(() => String, options, { ...CURRENCY_SCHEMA, ...(unset !== undefined && { unset }) });

export const IntField = (options: FieldOptions & Bounds) => InputField(() => Int, options, range(options));

/** An amount in hundredths of the currency unit, never negative unless `min` says so. */
export const AmountField = (options: FieldOptions & Bounds) =>
  InputField(() => SafeInt, options, range({ min: 0, ...options }));

/** A fraction from 0 to 1 with at most four decimals: 0.03 is 3 percent. */
export const FractionField = (options: FieldOptions) =>
  InputField(() => Float, options, { minimum: 0, maximum: 1, decimals: 4 });

export const NumberField = (options: FieldOptions & Bounds & { decimals?: number }) =>
  InputField(() => Float, options, {
    ...range(options),
    ...(options.decimals !== undefined && { decimals: options.decimals }),
  });

/** A decimal number that is answered as a text, and accepted as a number or as such a text. */
export const DecimalField = ({ decimals, ...options }: FieldOptions & Bounds & { decimals: number }) =>
  InputField(() => Decimal, options, { ...range(options), decimals });

export const BooleanField = (options: FieldOptions) => InputField(() => Boolean, options);

/** A switch of a stored object, which is off until it is set and never null. */
export const SwitchField = (options: FieldOptions) =>
  InputField(() => Boolean, { ...options, optional: true }, { unset: false });

/**
 * A moment. It has to be later than everything that `laterThan` names: `now`, or a field beside it when that is sent,
 * too.
 */
export const DateTimeField = ({
  laterThan,
  ...options
}: FieldOptions & { readonly laterThan?: readonly string[] }) =>
  InputField(() => DateTime, options, laterThan === undefined ? {} : { laterThan });

/** A clock time `HH:MM`. */
export const ClockField = (options: FieldOptions) =>
  InputField(() => String, options, { text: "line", format: "clock" });

/** A time zone offset such as `-04:00`. */
export const OffsetField = (options: FieldOptions) =>
  InputField(() => String, options, { text: "line", format: "offset" });

/** The IANA name of a time zone such as `Europe/Berlin`. */
export const ZoneField = (options: FieldOptions) =>
  InputField(() => String, options, { ...textSchema("line", { max: 64 }), format: "zone" });

export const EmailField = (options: FieldOptions & Bounds) =>
  InputField(() => String, options, { ...textSchema("line", options), format: "email" });

export const UrlField = (options: FieldOptions & Bounds) =>
  InputField(() => String, options, { ...textSchema("line", options), format: "url" });

/** A domain, kept in lower case and with punycode for other scripts; `max` counts that form. */
export const DomainField = (options: FieldOptions & Bounds) =>
  InputField(() => String, options, { ...textSchema("domain", options), format: "domain" });

/** The id of a row of `model` in the same company; another id is refused with 422 and rule `exists`. */
export const IdField = (model: ModelName, options: FieldOptions) =>
  InputField(() => Int, options, { minimum: 1, existingId: model });

/** Ids of rows of `model` in the same company; another id is refused with 422 and rule `exists`. */
export const IdsField = (model: ModelName, options: FieldOptions & { minItems?: number }) =>
  InputField(() => [Int], options, {
    ...(options.minItems !== undefined && { minItems: options.minItems }),
    items: { minimum: 1, existingId: model },
  });

export const TextsField = (options: FieldOptions & { itemMax: number; itemMin?: number }) =>
  InputField(() => [String], options, {
    items: textSchema("line", {
      max: options.itemMax,
      ...(options.itemMin !== undefined && { min: options.itemMin }),
    }),
  });

/** One of the words of an enum that `defineEnum` declares. */
export const ChoiceField = (choices: Enum<string>, options: FieldOptions) =>
  InputField(() => choices, options);

/** Any JSON, kept as it is. */
export const JsonField = (options: FieldOptions, schema: JsonSchema = {}) =>
  InputField(() => Json, options, schema);

/** A list of any JSON, each kept as it is. */
export const JsonListField = (options: FieldOptions) => InputField(() => [Json], options);

/** The extension of a field whose keys stand beside it over REST: the pattern of these keys. */
export const KEYS_BESIDE = "keysBeside";

/**
 * An object of values by keys that match a pattern. In a body of REST the keys stand in the place of the object itself.
 */
export const KeyedField =
  (
    { pattern, value, maxKeys }: { pattern: string; value: JsonSchema; maxKeys: number },
    options: FieldOptions,
  ): PropertyDecorator =>
  (prototype, name) => {
    const patternProperties = { [pattern]: value };
    InputField(() => Json, options, {
      type: "object",
      patternProperties,
      additionalProperties: false,
      propertyNames: { maxLength: 64 },
      maxProperties: maxKeys,
    })(prototype, name);
    Extensions({ [KEYS_BESIDE]: pattern })(prototype, name);
  };

/**
 * The human form of an amount: a decimal number with two decimals. `of` names the plain key; the service gets the value
 * under that key alone, in hundredths.
 */
export const HumanAmountField = ({ of, ...options }: FieldOptions & Bounds & { of: string }) =>
  InputField(() => Float, options, {
    ...range({ max: MAX_HUMAN_AMOUNT, ...options }),
    decimals: 2,
    twin: { of, decimals: 2, plainDecimals: 0 } satisfies Twin,
  });

/**
 * The human form of a fraction: a percentage from 0 to 100 with two decimals. `of` names the plain key; the service
 * gets the value under that key alone, as a fraction.
 */
export const HumanPercentField = ({ of, ...options }: FieldOptions & { of: string }) =>
  InputField(() => Float, options, {
    ...range({ min: 0, max: 100 }),
    decimals: 2,
    twin: { of, decimals: 2, plainDecimals: 4 } satisfies Twin,
  });

/** A forbidden key: it is refused whatever its value. */
export const ForbiddenField = (rule: ForbiddenRule, options: { description: string }) =>
  InputField(() => Json, { ...options, optional: true }, forbidden(rule));

/** A nested input object, which replaces what was before unless it `merges`: then keys that are absent stay. */
export const ObjectField = (type: TypeFunction, { merges, ...options }: FieldOptions & { merges?: true }) =>
  InputField(type, options, merges === undefined ? {} : { merges });

/** A list of nested input objects. */
export const ObjectsField = (type: () => object, options: FieldOptions & { minItems?: number }) =>
  InputField(() => [type()], options, options.minItems === undefined ? {} : { minItems: options.minItems });

type InputClass<T extends object> = new () => T;

/**
 * An input class with the keys of `base`, each of them optional. Keys in `required` stay required, keys in `omit` are
 * left out.
 */
export function partialInput<T extends object, Omitted extends keyof T & string = never>(
  base: InputClass<T>,
  name: string,
  options: { description: string; omit?: readonly Omitted[]; required?: readonly string[] },
): InputClass<Partial<Omit<T, Omitted>>> {
  class PartialClass {}
  Object.defineProperty(PartialClass, "name", { value: name });
  InputType(name, { description: options.description })(PartialClass);
  for (const [key, declaration] of inheritedDeclarations(base)) {
    if ((options.omit as readonly string[] | undefined)?.includes(key) === true) continue;
    const optional = options.required?.includes(key) !== true && declaration.nullable !== true;
    InputField(
      declaration.type,
      { ...declaration, optional },
      declaration.schema,
    )(PartialClass.prototype, key);
  }
  return PartialClass;
}

function inheritedDeclarations(base: object): Map<string, Declaration> {
  const parent = Object.getPrototypeOf(base) as object | null;
  const inherited = parent === null || parent === Function.prototype ? [] : inheritedDeclarations(parent);
  return new Map([...inherited, ...(declarations.get(base) ?? [])]);
}

/** The JSON Schema of a text that has to match a pattern. */
export function patternSchema({ source, words }: TextPattern): JsonSchema {
  return { pattern: source, patternWords: words };
}

function textSchema(
  text: "line" | "block" | "verbatim" | "domain" | "currency",
  options: Bounds & { pattern?: TextPattern; format?: string },
): JsonSchema {
  return {
    text,
    ...(options.min !== undefined && { minLength: options.min }),
    ...(options.max !== undefined && { maxLength: options.max }),
    ...(options.pattern !== undefined && patternSchema(options.pattern)),
    ...(options.format !== undefined && { format: options.format }),
  };
}

function range({ min, max }: Bounds): JsonSchema {
  return { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
}

/** The description with the bounds in words, those of a list's items too, so that the schema is a reference by itself. */
export function describe(description: string, schema: JsonSchema): string {
  const ofItems = boundsIn((schema["items"] ?? {}) as JsonSchema).join(", ");
  const bounds = [...boundsIn(schema), ...(ofItems === "" ? [] : [`each ${ofItems}`])];
  return bounds.length === 0 ? description : `${description} (${bounds.join(", ")})`;
}

function boundsIn(schema: JsonSchema): string[] {
  const { minLength, maxLength } = schema as Record<string, number | undefined>;
  const [minimum, maximum] = [schema["minimum"], schema["maximum"]].map(numberIn);
  const bounds: string[] = [];
  if (minLength !== undefined && maxLength !== undefined)
    bounds.push(`${minLength} to ${maxLength} characters`);
  else if (maxLength !== undefined) bounds.push(`at most ${maxLength} characters`);
  else if (minLength !== undefined) bounds.push(`at least ${minLength} characters`);
  if (minimum !== undefined && maximum !== undefined) bounds.push(`${minimum} to ${maximum}`);
  else if (minimum !== undefined) bounds.push(`at least ${minimum}`);
  else if (maximum !== undefined) bounds.push(`at most ${maximum}`);
  const { laterThan, patternWords } = schema as { laterThan?: readonly string[]; patternWords?: string };
  if (laterThan !== undefined) bounds.push(`later than ${laterThan.join(" and ")}`);
  if (patternWords !== undefined) bounds.push(patternWords);
  return bounds;
}

/** A bound may be another field of the input instead, which the description names. */
function numberIn(bound: unknown): number | undefined {
  return typeof bound === "number" ? bound : undefined;
}
