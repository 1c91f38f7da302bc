import { isLongerThan } from "../../core/inputs/text.js";
import { formatAmount } from "../../core/money.js";
import type { GoodVariants } from "../properties/good-variants.service.js";

/** A variant of a good: the value that it has of each option. */
export interface Variant {
  readonly row: number;
  /** In the order of the options; `null` stands for all values. */
  readonly values: readonly (string | null)[];
  readonly priceE2: number;
}

/** An option in which variants differ, such as a size. */
export interface VariantOption {
  readonly name: string;
  /** The values that a sheet lists of it; empty where the variants alone have them. */
  readonly listed: readonly string[];
}

/** Variants as one good with properties, or why they cannot be told so. */
export type ToldVariants =
  | {
      /** The lowest price of a variant. */
      readonly priceE2: number;
      /** The row of the first variant of that price. */
      readonly row: number;
      readonly variants: GoodVariants;
    }
  | {
      readonly wrong: string;
      /** `null` for what is wrong with all of them together. */
      readonly row: number | null;
    };

/** More values than this of all options together no good has. */
const MOST_COMBINATIONS = 2_000;
const MOST_NAME = 64;

/**
 * Tells variants as a good with options that cost a difference each: the price of a variant is the lowest one and the
 * differences of its values. Each combination of values is a variant, once.
 *
 * @param variants at least one.
 */
export function tellVariants(
  options: readonly VariantOption[],
  variants: readonly [Variant, ...Variant[]],
): ToldVariants {
  const [first] = variants;
  const values = options.map(({ listed }, i) => [
    ...new Set([...listed, ...variants.flatMap((variant) => variant.values[i] ?? [])]),
  ]);
  const long = [...options.map(({ name }) => name), ...values.flat()].find((text) =>
    isLongerThan(text, MOST_NAME),
  );
  if (long !== undefined)
    return { row: null, wrong: `has a name of more than ${MOST_NAME} characters among its options` };
  const count = values.reduce((product, { length }) => product * length, 1);
  if (count > MOST_COMBINATIONS)
    return { row: null, wrong: `would have more than ${MOST_COMBINATIONS} combinations` };

  const byCombination = new Map<string, Variant>();
  for (const variant of variants)
    for (const combination of combinations(
      variant.values.map((value, i) => (value === null ? (values[i] ?? []) : [value])),
    )) {
      const key = JSON.stringify(combination);
      const other = byCombination.get(key);
      if (other !== undefined)
        return {
          row: variant.row,
          wrong: `is ${combination.join(" / ")}, as is the variant of row ${other.row}`,
        };
      byCombination.set(key, variant);
    }
  const missing = [...combinations(values)].find((one) => !byCombination.has(JSON.stringify(one)));
  if (missing !== undefined)
    return {
      row: null,
      wrong: `has no variant ${missing.join(" / ")}: a good is sold in all combinations`,
    };

  const cheapest = variants.reduce(
    (least, variant) => (variant.priceE2 < least.priceE2 ? variant : least),
    first,
  );
  const base = cheapest.values.map((value, i) => value ?? values[i]?.[0] ?? "");
  const priceOf = (combination: readonly string[]): number =>
    byCombination.get(JSON.stringify(combination))?.priceE2 ?? 0;
  const differences = values.map((own, i) =>
    own.map((value) => priceOf(base.with(i, value)) - cheapest.priceE2),
  );
  for (const combination of combinations(values)) {
    const told = combination.reduce(
      (sum, value, i) => sum + (differences[i]?.[values[i]?.indexOf(value) ?? 0] ?? 0),
      cheapest.priceE2,
    );
    const price = priceOf(combination);
    if (price !== told) {
      const { row } = byCombination.get(JSON.stringify(combination)) as Variant;
      const [costs, would] = [price, told].map((amount) => formatAmount(BigInt(amount)));
      return {
        row,
        wrong: `costs ${costs} as ${combination.join(" / ")}; by what its values cost alone it would be ${would}`,
      };
    }
  }
  return {
    priceE2: cheapest.priceE2,
    row: cheapest.row,
    variants: options.map(({ name }, i) => ({
      name,
      options: (values[i] ?? []).map((value, k) => ({ name: value, priceE2: differences[i]?.[k] ?? 0 })),
    })),
  };
}

function* combinations(lists: readonly (readonly string[])[]): Generator<string[]> {
  const [first, ...rest] = lists;
  if (first === undefined) yield [];
  else for (const value of first) for (const others of combinations(rest)) yield [value, ...others];
}
