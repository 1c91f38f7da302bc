import type { FieldError } from "../../core/errors/domain-error.js";
import type { ClientAddressRow } from "./client-address.model.js";

/** Values of an address by their names, as they were sent or as they are stored. */
export type AddressValues = Readonly<Record<string, unknown>>;

const POINT = ["latitudeE6", "longitudeE6"];
const OF_TYPED = ["addressLine1", "country"];
const OF_SHIPPING = ["addressLine2", "addressLine3", "postalCode", "state", "city"];
/** Columns that hold an empty text where nothing was given. */
const NEVER_NULL = ["country", "state", "city", "postalCode"] as const;
const MOST_CHARACTERS = 255;

/**
 * Finds what an address lacks: what its type needs, and the other one of two coordinates.
 *
 * @param stored is `null` for a new address.
 * @param input is what was sent; its values may be of any type.
 */
export function addressErrors(stored: AddressValues | null, input: AddressValues): FieldError[] {
  const values = { ...stored, ...withoutUndefined(input) };
  const isPoint = POINT.some((field) => isGiven(values[field]));
  const needed = new Set([...neededBy(values["type"]), ...(isPoint ? POINT : [])]);
  const missing = [...needed].filter((field) => !isGiven(values[field]));
  // Whoever says anew what the address is for says its first line as well.
  if (isTyped(input["type"]) && !isGiven(input["addressLine1"]) && !missing.includes("addressLine1"))
    missing.push("addressLine1");
  return missing.map((field) => ({ field, rule: "required", message: "is required" }));
}

function neededBy(type: unknown): readonly string[] {
  if (!isTyped(type)) return ["address"];
  return [...OF_TYPED, ...(type === "delivery" ? POINT : OF_SHIPPING)];
}

const isTyped = (type: unknown): boolean => type === "delivery" || type === "shipping";

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(typeof value === "string" && value.trim() === "");
}

/** An input as columns hold it. */
type Columns<Input> = {
  [Field in keyof Input]: Field extends (typeof NEVER_NULL)[number]
    ? Exclude<Input[Field], null>
    : Input[Field];
};

/** The columns that an input writes: an empty text is none. */
export function columnsOf<Input extends object>(input: Input): Columns<Input> {
  const columns = Object.entries(withoutUndefined(input)).map(([field, value]) => [
    field,
    isGiven(value) ? value : (NEVER_NULL as readonly string[]).includes(field) ? "" : null,
  ]);
  return Object.fromEntries(columns) as Columns<Input>;
}

function withoutUndefined(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/**
 * The values that an update sends, without the `address` of a stored row that has none of its own when it is sent back as it is
 * shown: it sets none. Where the row then needs one, what is shown is taken.
 */
export function withoutShown<Input extends { address?: string | null; type?: string | null }>(
  stored: ClientAddressRow,
  input: Input,
): Input {
  const { type = stored.type } = input;
  const isSentBack = stored.address === null && input.address === addressOf(stored);
  return isSentBack && isTyped(type) ? { ...input, address: undefined } : input;
}

/** The whole address in one line, at most 255 characters. */
export function addressOf(row: ClientAddressRow): string {
  if (row.address !== null) return row.address;
  const { addressLine1, addressLine2, addressLine3, postalCode, city, state, country } = row;
  const town = [postalCode, city].filter(isGiven).join(" ");
  const line = [addressLine1, addressLine2, addressLine3, town, state, country].filter(isGiven).join(", ");
  return shortened(line);
}

/** Cuts between characters, never within one. */
function shortened(line: string): string {
  return [...line].slice(0, MOST_CHARACTERS).join("").trimEnd();
}
