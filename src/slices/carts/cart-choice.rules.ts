import type { FieldError } from "../../core/errors/domain-error.js";
import { readMask } from "../../core/masks/masks.js";
import { formatAmount, scaledInteger } from "../../core/money.js";
import { findsPattern } from "../properties/linear-pattern.rules.js";
import { GOOD_PROPERTY_OPTIONS as OPTIONS, PROPERTY_TYPE } from "../properties/property.masks.js";
import type { CartProperty, CartRange, Extra } from "./cart-good.js";

/** What was chosen of one property, and what that adds to the price of a unit. */
export interface Choice {
  readonly propertyId: number;
  readonly goodPropertyId: number;
  readonly name: string;
  readonly kind: "options" | "range" | "text";
  /** The name of the option, the number, or the text. */
  readonly value: string;
  readonly optionId: number | null;
  /** In hundredths; 0 when the property is free. */
  readonly priceE2: bigint;
  readonly isFree: boolean;
  readonly isConsumable: boolean;
  /** Thousandths of the good's stock that it uses for each unit; 0 unless consumable. */
  readonly uses: bigint;
}

/** A value that was read, or why it could not be. */
type Reading =
  | {
      readonly value: string;
      readonly optionId: number | null;
      readonly priceE2: bigint;
      readonly uses: bigint;
    }
  | Refusal;
interface Refusal {
  readonly rule: string;
  readonly message: string;
}

const UNIT = 1_000n;
const MOST_DECIMALS = 3;

/**
 * Reads extras by the properties that the good offers. Where something has to be chosen and nothing was, the property's
 * defaults are taken.
 *
 * @returns the choices, in the order of the properties; and all wrong fields.
 */
export function readChoices(
  extras: readonly Extra[],
  properties: readonly CartProperty[],
): { choices: Choice[]; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const known = new Set(properties.map(({ propertyId }) => propertyId));
  extras.forEach(({ propertyId }, index) => {
    if (known.has(propertyId)) return;
    const field = `extras[${index}].propertyId`;
    errors.push({ field, rule: "exists", message: `${propertyId} is no property that the good offers` });
  });
  const choices = properties.flatMap((property) => {
    const own = extras.flatMap(({ propertyId, value }, index) =>
      propertyId === property.propertyId ? [{ value, index }] : [],
    );
    return own.length > 0 ? readOwn(property, own, errors) : byDefault(property, errors);
  });
  return { choices, errors };
}

interface OwnExtra {
  readonly value: string;
  /** The place among all extras. */
  readonly index: number;
}

function readOwn(property: CartProperty, own: readonly OwnExtra[], errors: FieldError[]): Choice[] {
  const { kind, least, most, stack } = termsOf(property);
  const times = new Map<number, number>();
  const choices = own.flatMap(({ value, index }, place) => {
    const refuse = (rule: string, message: string): void => {
      errors.push({ field: `extras[${index}].value`, rule, message });
    };
    if (place >= most) refuse("max_items", `is one too many: ${property.name} takes at most ${most}`);
    const reading = read(property, kind, value);
    if ("rule" in reading) {
      refuse(reading.rule, reading.message);
      return [];
    }
    if (reading.optionId !== null) {
      const count = (times.get(reading.optionId) ?? 0) + 1;
      times.set(reading.optionId, count);
      if (count === stack + 1)
        refuse("max_items", `is chosen too often: ${reading.value} may be chosen ${stack} times`);
    }
    return [choiceOf(property, kind, reading)];
  });
  if (own.length < least) errors.push(tooFew(property, least));
  return choices;
}

function byDefault(property: CartProperty, errors: FieldError[]): Choice[] {
  const { kind, least, most } = termsOf(property);
  if (least === 0) return [];
  const choices = defaultsOf(property, kind)
    .slice(0, most)
    .map((value) => choiceOf(property, kind, value));
  if (choices.length < least) errors.push(tooFew(property, least));
  return choices;
}

function tooFew({ name, propertyId }: CartProperty, least: number): FieldError {
  const message = `must have at least ${least} of ${name} (property ${propertyId})`;
  return { field: "extras", rule: "min_items", message };
}

/**
 * What kind of value the property takes, and how many: `max_count` 0 is no bound, `stack_count` 0 is once. A number and a
 * text are given once.
 */
function termsOf({ options, type }: CartProperty): {
  kind: Choice["kind"];
  least: number;
  most: number;
  stack: number;
} {
  const kinds = options & ALL_TYPES ? options : type;
  const kind = kindOf(kinds);
  const count = (field: keyof typeof OPTIONS): number => readMask(options, OPTIONS[field]) as number;
  const isMulti = kind === "options" && readMask(options, OPTIONS.isMultiSelection) === true;
  return {
    kind,
    least: isMulti ? count("minCount") : Math.min(count("minCount"), 1),
    most: isMulti ? count("maxCount") || Infinity : 1,
    stack: count("stackCount") || 1,
  };
}

const ALL_TYPES =
  PROPERTY_TYPE.isTypeOptions.bits | PROPERTY_TYPE.isTypeRange.bits | PROPERTY_TYPE.isTypeText.bits;

function kindOf(mask: number): Choice["kind"] {
  if (readMask(mask, PROPERTY_TYPE.isTypeOptions) === true) return "options";
  return readMask(mask, PROPERTY_TYPE.isTypeRange) === true ? "range" : "text";
}

function read(property: CartProperty, kind: Choice["kind"], value: string): Reading {
  switch (kind) {
    case "options":
      return readOption(property, value);
    case "range":
      return readNumber(property, value);
    case "text":
      return readText(property, value);
  }
}

/** Finds an option by its id, else by its name; an option without a name is found by its id alone. */
function readOption({ choices, branchPriceE2, name }: CartProperty, value: string): Reading {
  const option =
    choices.find(({ id }) => String(id) === value) ??
    choices.find((one) => value !== "" && one.name === value);
  if (option === undefined) return { rule: "exists", message: `is no option of ${name}` };
  const priceE2 = BigInt(branchPriceE2 ?? option.priceE2);
  return { value: option.name, optionId: option.id, priceE2, uses: UNIT };
}

const NUMBER = /^-?\d{1,12}(?:\.(?<decimals>\d+))?$/u;

/** Reads a number of the range; its price grows by each step above the smallest. */
function readNumber({ range, branchPriceE2, name }: CartProperty, value: string): Reading {
  if (range === null) return { rule: "exists", message: `${name} has no range` };
  const decimals = NUMBER.exec(value);
  if (decimals === null) return { rule: "type", message: "must be a decimal number" };
  if ((decimals.groups?.["decimals"] ?? "").length > range.decimates)
    return { rule: "decimals", message: `must have at most ${range.decimates} decimals` };
  const steps = scaledInteger(value, range.decimates);
  if (steps < BigInt(range.min))
    return { rule: "min", message: `must be at least ${shown(range.min, range)}` };
  if (steps > BigInt(range.max))
    return { rule: "max", message: `must be at most ${shown(range.max, range)}` };
  if ((steps - BigInt(range.min)) % BigInt(range.step) !== 0n) {
    const message = `must be ${shown(range.min, range)} or steps of ${shown(range.step, range)} above`;
    return { rule: "step", message };
  }
  return numberAt(range, branchPriceE2, steps);
}

function numberAt(range: CartRange, branchPriceE2: string | null, steps: bigint): Exclude<Reading, Refusal> {
  const above = (steps - BigInt(range.min)) / BigInt(range.step);
  const uses = steps * 10n ** BigInt(MOST_DECIMALS - range.decimates);
  return {
    value: shown(steps, range),
    optionId: null,
    priceE2: BigInt(branchPriceE2 ?? range.basePriceE2) + above * BigInt(range.stepPriceE2),
    uses: uses < 0n ? 0n : uses,
  };
}

function shown(value: number | bigint, { decimates }: CartRange): string {
  return decimates === 0 ? String(value) : formatAmount(BigInt(value), decimates);
}

/** Reads a text; a pattern that the service cannot match in linear time is left to the apps. */
function readText({ regex, branchPriceE2 }: CartProperty, value: string): Reading {
  if (regex !== null && findsPattern(regex, value) === false)
    return { rule: "pattern", message: `must match ${regex}` };
  return { value, optionId: null, priceE2: BigInt(branchPriceE2 ?? 0), uses: UNIT };
}

function defaultsOf(property: CartProperty, kind: Choice["kind"]): Exclude<Reading, Refusal>[] {
  const { choices, range, branchPriceE2 } = property;
  if (kind === "range") return range === null ? [] : [numberAt(range, branchPriceE2, BigInt(range.default))];
  if (kind === "text") return [];
  return choices.flatMap(({ id, isDefault }) => {
    const reading = isDefault ? readOption(property, String(id)) : null;
    return reading === null || "rule" in reading ? [] : [reading];
  });
}

function choiceOf(
  { propertyId, goodPropertyId, name, options }: CartProperty,
  kind: Choice["kind"],
  { value, optionId, priceE2, uses }: Exclude<Reading, Refusal>,
): Choice {
  const isFree = readMask(options, OPTIONS.isFree) === true;
  const isConsumable = readMask(options, OPTIONS.isConsumable) === true;
  return {
    propertyId,
    goodPropertyId,
    name,
    kind,
    value,
    optionId,
    priceE2: isFree ? 0n : priceE2,
    isFree,
    isConsumable,
    uses: isConsumable ? uses : 0n,
  };
}
