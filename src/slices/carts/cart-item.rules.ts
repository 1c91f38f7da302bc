import type { FieldError } from "../../core/errors/domain-error.js";
import { formatAmount, MAX_AMOUNT, roundedShare, scaledInteger } from "../../core/money.js";
import { type Choice, readChoices } from "./cart-choice.rules.js";
import type { CartGood, Extra } from "./cart-good.js";
import type { CartItemProperty, CartItemSnapshot } from "./cart-item.model.js";

/** What a row asks for. */
export interface Wish {
  readonly quantity: number;
  readonly extras: readonly Extra[];
}

/** A row's amounts in hundredths, and its stock in thousandths. */
export interface Priced {
  /** The price of a unit without extras. */
  readonly basePriceE2: bigint;
  /** The price of a unit with its extras. */
  readonly unitPriceE2: bigint;
  /** The row's price before promos: quantity × unit, rounded half up. */
  readonly originalTotalE2: bigint;
  readonly providerFeeE2: bigint;
  /** The quantity in units. */
  readonly quantityReal: bigint;
  /** How many units count where something is given for each. */
  readonly units: number;
  readonly weight: number | null;
  /** What quantity and choices take of the stock. */
  readonly stock: bigint;
  readonly choices: readonly Choice[];
}

const DECIMALS = 3;
const UNIT = 1_000n;
/** The most stock that a row can take, in thousandths: as much as a branch can have. */
const MOST_STOCK = 99_999_999_999n * UNIT;
const PRC_DECIMALS = 4;

/**
 * Prices a row, exactly: quantity × (price + extras) ÷ parts of a unit, rounded half up once.
 *
 * @returns what the row costs, as if what is wrong were left out; and all wrong fields.
 */
export function price(good: CartGood, wish: Wish): { priced: Priced; errors: FieldError[] } {
  const { choices, errors } = readChoices(wish.extras, good.properties);
  const parts = partsOf(good);
  const quantity = BigInt(wish.quantity);
  const basePriceE2 = good.branchPriceE2 ?? good.priceE2;
  const unitPriceE2 = choices.reduce((sum, { priceE2 }) => sum + priceE2, basePriceE2);
  const originalTotalE2 = roundedShare(unitPriceE2, quantity, parts);
  const one = 10n ** BigInt(PRC_DECIMALS);
  const feeOfUnit = good.providerFeeE2 * one + scaledInteger(good.providerFeePrc, PRC_DECIMALS) * unitPriceE2;
  const providerFeeE2 = roundedShare(feeOfUnit, quantity, parts * one);
  const stock = dividedUp(quantity * usedByUnit(choices), parts);
  if (originalTotalE2 > MAX_AMOUNT || providerFeeE2 > MAX_AMOUNT)
    errors.push({
      field: "quantity",
      rule: "max",
      message: "makes the row cost more than the largest amount",
    });
  if (stock > MOST_STOCK)
    errors.push({
      field: "quantity",
      rule: "max",
      message: "makes the row take more stock than a branch can have",
    });
  const weightPerUnit = good.unitConfig?.enabled === true ? good.unitConfig.weightPerUnit : null;
  const whole = Number(quantity / parts);
  return {
    errors,
    priced: {
      basePriceE2,
      unitPriceE2,
      originalTotalE2,
      providerFeeE2,
      quantityReal: roundedShare(quantity, UNIT, parts),
      units: whole < 1 ? 1 : whole,
      weight: weightPerUnit == null ? null : Number(roundedWeight(weightPerUnit, quantity, parts)),
      stock: stock < 1n ? 1n : stock,
      choices,
    },
  };
}

/** The wrong fields of a quantity, by the good's `unit_config`: smallest, largest, and the steps between. */
export function quantityErrors({ unitConfig }: CartGood, quantity: number): FieldError[] {
  if (unitConfig?.enabled !== true) return [];
  const { minQuantity, maxQuantity, stepQuantity, unitName } = unitConfig;
  const refuse = (rule: string, message: string): FieldError[] => [{ field: "quantity", rule, message }];
  if (quantity < minQuantity) return refuse("min", `must be at least ${minQuantity} (parts of ${unitName})`);
  if (quantity > maxQuantity) return refuse("max", `must be at most ${maxQuantity} (parts of ${unitName})`);
  if ((quantity - minQuantity) % stepQuantity === 0) return [];
  return refuse("step", `must be ${minQuantity} or steps of ${stepQuantity} above`);
}

/**
 * The wrong field when the branch has not as much as the rows of the cart take.
 *
 * @param taken thousandths that this row takes.
 * @param others thousandths that the cart's other rows of the good take.
 */
export function stockErrors({ branchStock }: CartGood, taken: bigint, others: bigint): FieldError[] {
  if (branchStock === null || isInStock(branchStock, taken + others)) return [];
  const left = scaledInteger(branchStock, DECIMALS);
  const held = others === 0n ? "" : `, of which the cart has ${stockText(others)} already`;
  const message = `takes ${stockText(taken)}, but the branch has ${stockText(left)}${held}`;
  return [{ field: "quantity", rule: "stock", message }];
}

/** A stored row and the good that it names, as they are now. */
export interface Standing {
  readonly good: CartGood;
  readonly wish: Wish;
  /** The branch good that the row was priced by. */
  readonly branchGoodId: number | null;
  /** What the row was and cost when it was written. */
  readonly snapshot: Pick<CartItemSnapshot, "basePriceE2" | "originalTotalE2"> & {
    readonly properties: readonly Pick<CartItemProperty, "propertyId" | "priceE2">[];
  };
  /** Thousandths of stock that all rows of the cart with this good take. */
  readonly taken: bigint;
}

/**
 * Returns whether a row can still be bought as it was written: good and branch good are there, the quantity is one that the good is
 * sold in, the price of the good, of each choice and of the row is the same, and there is stock.
 */
export function isStillValid(standing: Standing): boolean {
  const { good, wish, branchGoodId, snapshot, taken } = standing;
  if (good.isDeleted || good.isDisabled || good.branchGoodId !== branchGoodId) return false;
  if (good.branchStock !== null && !isInStock(good.branchStock, taken)) return false;
  const { priced, errors } = price(good, wish);
  if (errors.length > 0 || quantityErrors(good, wish.quantity).length > 0) return false;
  if (Number(priced.basePriceE2) !== snapshot.basePriceE2) return false;
  // Other parts of a unit make another price of the same prices.
  if (Number(priced.originalTotalE2) !== snapshot.originalTotalE2) return false;
  const prices = (rows: readonly { propertyId: number; priceE2: number | bigint }[]) =>
    rows
      .map((row) => `${row.propertyId}:${row.priceE2}`)
      .sort()
      .join();
  return prices(priced.choices) === prices(snapshot.properties);
}

/** How many parts a unit has; quantities count parts. */
function partsOf({ unitConfig }: CartGood): bigint {
  return unitConfig?.enabled === true ? BigInt(unitConfig.fraction) : 1n;
}

/** Thousandths of stock that a unit takes: what its consumable choices use, else one. */
function usedByUnit(choices: readonly Choice[]): bigint {
  const consumed = choices.filter(({ isConsumable }) => isConsumable);
  return consumed.length === 0 ? UNIT : consumed.reduce((sum, { uses }) => sum + uses, 0n);
}

function isInStock(branchStock: string, taken: bigint): boolean {
  return taken <= scaledInteger(branchStock, DECIMALS);
}

function roundedWeight(weightPerUnit: number, quantity: bigint, parts: bigint): bigint {
  const sign = weightPerUnit < 0 ? -1n : 1n;
  return sign * roundedShare(sign * BigInt(weightPerUnit), quantity, parts);
}

function dividedUp(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by;
}

/** Thousandths as a decimal number. */
export function stockText(thousandths: bigint): string {
  return formatAmount(thousandths, DECIMALS);
}
