import type { FieldError } from "../../../core/errors/domain-error.js";
import type { ConfigKeys, StoredConfig } from "./config-key.js";
import type { JudgedCoupon, Situation } from "./judged.js";

/** A condition of coupons: the keys of the config that it goes by, and the rule that judges it. */
export interface Condition<Keys extends ConfigKeys, Rule extends ConditionRule | null> {
  readonly keys: Keys;
  /** `null` of what only changes the discount, or is only kept. */
  readonly rule: Rule;
  /** Why the condition keeps a coupon from being set ready: nobody could ever meet it. */
  readonly hopeless: ((terms: PendingTerms<StoredConfig<Keys>>) => FieldError | null) | null;
}

/** The rule of a condition, with the reason that is answered when it does not hold. `Config` has the keys that it knows. */
export interface ConditionRule<Name extends string = string, Code extends string = string, Config = never> {
  readonly name: Name;
  /** What holds when it does. */
  readonly description: string;
  readonly code: Code;
  /** The title of the refusal. */
  readonly title: string;
  /** Says whether it is judged when a gift card is redeemed, by anybody or by clients alone; absent: it is not. */
  readonly ofGiftCards?: "always" | "of_clients";
  /** Says whether it reads the coupons that are taken: these go on changing, so that its words are put together at once. */
  readonly readsTaken?: boolean;
  /** Returns whether the rule holds. A purchase has it judged for a hundred promos, so it puts no words together. */
  readonly holds: OfUse<Config, boolean>;
  /** Puts into words what the rule saw and needed, for an explanation or a refusal. */
  readonly words: OfUse<Config, Words>;
}

/** What a rule says of a coupon in a situation; the discount is what the coupon would give. */
type OfUse<Config, Said> = (coupon: JudgedCoupon<Config>, situation: Situation, discountE2: bigint) => Said;

/** What a rule saw and needed. It shows nothing of what other clients did, nor who is on a list. */
export interface Words {
  /** False when the rule was not judged, since a fact that it needs was not named; absent otherwise. */
  readonly judged?: boolean;
  readonly actual: string | null;
  /** `null` when the coupon asks for nothing. */
  readonly required: string | null;
}

/** The terms of a pending coupon. */
export interface PendingTerms<Config> {
  readonly type: string;
  readonly targetType: string;
  readonly totalCount: number;
  readonly priceE2: bigint;
  readonly pricePrc: { toString(): string };
  readonly config: Config;
}

/** Defines a condition that is judged: by its own keys, unless its rule says that it knows others too. */
export function condition<
  const Name extends string,
  const Code extends string,
  Keys extends ConfigKeys,
  Config = StoredConfig<Keys>,
>({
  keys,
  hopeless = null,
  ...rule
}: ConditionRule<Name, Code, Config> & {
  readonly keys: Keys;
  readonly hopeless?: Condition<Keys, null>["hopeless"];
}): Condition<Keys, ConditionRule<Name, Code, Config>> {
  return { keys, rule, hopeless };
}

/** Defines keys that no rule judges. */
export function unjudged<Keys extends ConfigKeys>(keys: Keys): Condition<Keys, null> {
  return { keys, rule: null, hopeless: null };
}

/** The words for one of many, of which at most ten are named. */
export function oneOf(words: readonly (string | number)[]): string {
  const named = words.slice(0, MOST_NAMED).join(" or ");
  return words.length > MOST_NAMED ? `${named} or ${words.length - MOST_NAMED} more` : named;
}

const MOST_NAMED = 10;

/** The words for a number of uses. */
export function usesOf(count: number): string {
  return count === 1 ? "1 use" : `${count} uses`;
}

/** The words of a rule by which the coupon asks for nothing. */
export function nothingAsked(actual: string | null): Words {
  return { actual, required: null };
}

/** Returns whether a list of the config names anything. */
export function isNamed<Item>(list: readonly Item[] | null | undefined): list is readonly Item[] {
  return list != null && list.length > 0;
}
