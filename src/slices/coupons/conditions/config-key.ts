import { isDeepStrictEqual } from "node:util";
import { Float, Int } from "type-graphql";
import type { Enum } from "../../../core/enums.js";
import {
  AmountField,
  BooleanField,
  ChoiceField,
  ClockField,
  DateTimeField,
  HumanAmountField,
  InputField,
  IntField,
  NumberField,
  ObjectField,
  ObjectsField,
  TextField,
  TextsField,
  type FieldOptions,
} from "../../../core/inputs/input-fields.js";
import { givenKeys } from "../../../core/inputs/given-keys.js";
import { DateTime } from "../../../core/scalars/date-time.js";
import type { ModelName } from "../../../core/scope/tenant-models.js";
import { SafeInt } from "../../../core/scalars/safe-int.js";
import { momentAfter, readMoment } from "../../../core/time/moments.js";
import { daysAfter } from "../../../core/time/zones.js";

/** A key of a coupon's config: how it is sent, stored and shown. */
export interface ConfigKey<Stored, Shown> {
  /** What it means. */
  readonly description: string;
  /** Whether it may change while the coupon runs. */
  readonly whileRunning: boolean;
  /** Declares the field of an input by which it is sent. */
  readonly input: PropertyDecorator;
  /** The type by which it is shown. */
  readonly type: () => unknown;
  /** How it is shown when it is not set. */
  readonly unset: Shown;
  /** A further field with the same value as a person writes it. */
  readonly human: HumanField | null;
  /** The value as it is stored; a moment without an offset is read by the one that is given. */
  toStored(sent: Stored, timeZoneOffset: string): Stored;
  /** The stored value as it is shown. */
  toShown(stored: Stored): Shown;
  /** Whether a value that was sent is what is shown of the stored one. */
  isShownAlike(stored: Stored, sent: Stored): boolean;
}

/** A field beside a key that has the key's value as a person writes it. */
interface HumanField {
  /** What it is, for the key of this name. */
  description(key: string): string;
  /** Declares the field of an input. */
  input(key: string): PropertyDecorator;
  toShown(stored: unknown): number;
}

/** Keys of a config by their names. */
export type ConfigKeys = Readonly<Record<string, ConfigKey<unknown, unknown>>>;

/** The part of `Coupon.config` (contract §13.3) that keys describe, as it is stored: keys that were not given are absent. */
export type StoredConfig<Keys extends ConfigKeys> = {
  readonly [Name in keyof Keys]?: ReturnType<Keys[Name]["toStored"]> | null;
};

/** What is said of every key. */
interface Terms {
  readonly description: string;
  /** The description in inputs, where it says more. */
  readonly sent?: string;
  readonly whileRunning?: boolean;
}

/** The bounds of a number, those of a text's length, or those of each number of a list. */
interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** Whether something is so. */
export function flag(terms: Terms & { readonly unset?: boolean }): ConfigKey<boolean, boolean> {
  return keyOf(terms, { field: BooleanField, type: () => Boolean, unset: terms.unset ?? false });
}

/** A whole number. */
export function whole({ min, max, ...terms }: Terms & Bounds): ConfigKey<number, number | null> {
  const bounds = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  return keyOf<number, number | null>(terms, {
    field: (options) => IntField({ ...options, ...bounds }),
    type: () => Int,
    unset: null,
  });
}

/** An amount in hundredths; beside it stands the amount as a decimal number. */
export function amount({ min = 0, ...terms }: Terms & Bounds): ConfigKey<number, number | null> {
  const description = (key: string): string => `\`${key}\` as a decimal number.`;
  return keyOf<number, number | null>(terms, {
    field: (options) => AmountField({ ...options, min }),
    type: () => SafeInt,
    unset: null,
    human: {
      description,
      input: (of) => HumanAmountField({ of, description: description(of), nullable: true, min: min / 100 }),
      toShown: (stored) => (stored as number) / 100,
    },
  });
}

const PERCENT = { min: 0, max: 100, decimals: 4 };

/** A percentage from 0 to 100; the human field beside it is the same. */
export function percentage(terms: Terms): ConfigKey<number, number | null> {
  const { min: minimum, max: maximum, decimals } = PERCENT;
  return keyOf<number, number | null>(terms, {
    field: (options) => NumberField({ ...options, ...PERCENT }),
    type: () => Float,
    unset: null,
    human: {
      description: (key) => `Equals \`${key}\`, which is a percentage already.`,
      input: (of) =>
        InputField(
          () => Float,
          { description: `Means \`${of}\`, which is a percentage already.`, nullable: true },
          { minimum, maximum, decimals, twin: { of, decimals, plainDecimals: decimals } },
        ),
      toShown: (stored) => stored as number,
    },
  });
}

const DATE_ALONE = /^\d{4}-\d{2}-\d{2}$/u;

/** A moment, stored in ISO 8601 (UTC). @param terms.throughDay whether a date alone is all of its day. */
export function moment(terms: Terms & { readonly throughDay?: boolean }): ConfigKey<string, Date | null> {
  return keyOf<string, Date | null>(terms, {
    field: DateTimeField,
    type: () => DateTime,
    unset: null,
    toStored(sent, timeZoneOffset) {
      const read = readMoment(sent, timeZoneOffset);
      const isDay = terms.throughDay === true && DATE_ALONE.test(sent);
      return (isDay ? new Date(daysAfter(timeZoneOffset, read, 1).getTime() - 1) : read).toISOString();
    },
    toShown: (stored) => new Date(stored),
    isShownAlike: (stored, sent) => momentAfter(new Date(stored), new Date(sent)).toISOString() === stored,
  });
}

/** A clock time `HH:MM`. */
export function clock(terms: Terms): ConfigKey<string, string | null> {
  return keyOf<string, string | null>(terms, { field: ClockField, type: () => String, unset: null });
}

/** A text of at most `max` characters. */
export function text({ max, ...terms }: Terms & { readonly max: number }): ConfigKey<string, string | null> {
  return keyOf<string, string | null>(terms, {
    field: (options) => TextField({ ...options, max }),
    type: () => String,
    unset: null,
  });
}

/** One word of an enum. */
export function choice<Word extends string>(choices: Enum<Word>, terms: Terms): ConfigKey<Word, Word | null> {
  return keyOf<Word, Word | null>(terms, {
    field: (options) => ChoiceField(choices, options),
    type: () => choices,
    unset: null,
  });
}

/** Whole numbers, each within the bounds. */
export function wholes({ min, max, ...terms }: Terms & Bounds): ListKey<number> {
  const items = { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
  return keyOf<readonly number[]>(terms, {
    field: (options) => InputField(() => [Int], options, { items }),
    type: () => [Int],
    unset: [],
  });
}

/** Ids of rows of a model, which exist when they are sent. */
export function rowIds(
  model: ModelName,
  { most, ...terms }: Terms & { readonly most: number },
): ListKey<number> {
  return keyOf<readonly number[]>(terms, {
    field: (options) =>
      InputField(() => [Int], options, { maxItems: most, items: { minimum: 1, existingId: model } }),
    type: () => [Int],
    unset: [],
  });
}

/** Texts, each with 1 to `max` characters. */
export function texts({ max, ...terms }: Terms & { readonly max: number }): ListKey<string> {
  return keyOf<readonly string[]>(terms, {
    field: (options) => TextsField({ ...options, itemMin: 1, itemMax: max }),
    type: () => [String],
    unset: [],
  });
}

/** Objects that are sent by an input class and shown by an object type; human values in them are worked out when selected. */
export function objects<Stored extends object>(
  classes: { readonly input: () => object; readonly shown: () => object },
  terms: Terms,
): ListKey<Stored> {
  return keyOf<readonly Stored[]>(terms, {
    field: (options) => ObjectsField(classes.input, options),
    type: () => [classes.shown()],
    unset: [],
    toStored: (sent) => sent.map(givenKeys),
  });
}

/** An object that is sent by an input class and shown by an object type. @param terms.toShown fills in what was not sent. */
export function object<Stored extends object>(
  classes: { readonly input: () => object; readonly shown: () => object },
  { toShown, ...terms }: Terms & { readonly toShown: (stored: Stored) => object },
): ConfigKey<Stored, object | null> {
  return keyOf<Stored, object | null>(terms, {
    field: (options) => ObjectField(classes.input, options),
    type: () => classes.shown(),
    unset: null,
    toStored: givenKeys,
    toShown,
  });
}

type ListKey<Item> = ConfigKey<readonly Item[], readonly Item[]>;

/** A key, whose value is stored and shown as it is sent unless `toStored` and `toShown` say otherwise. */
function keyOf<Stored, Shown = Stored>(
  { description, sent = description, whileRunning = false }: Terms,
  {
    field,
    human = null,
    toStored = (value) => value,
    toShown = (value) => value as unknown as Shown,
    isShownAlike = (stored, sent) => isDeepStrictEqual(toShown(stored), toShown(sent)),
    ...shown
  }: Pick<ConfigKey<Stored, Shown>, "type" | "unset"> &
    Partial<Pick<ConfigKey<Stored, Shown>, "human" | "toStored" | "toShown" | "isShownAlike">> & {
      readonly field: (options: FieldOptions) => PropertyDecorator;
    },
): ConfigKey<Stored, Shown> {
  const input = field({ description: sent, nullable: true });
  return { description, whileRunning, input, human, toStored, toShown, isShownAlike, ...shown };
}
