import { isDeepStrictEqual } from "node:util";
import { CONFIG_KEYS } from "./conditions/conditions.js";
import { humanName, type CouponConfig, type CouponConfigView } from "./coupon-config.model.js";
import type { CouponConfigInput } from "./coupon-config.inputs.js";

/** A config in which nothing is set, as it is shown. */
const UNSET: Readonly<Record<string, unknown>> = Object.fromEntries(
  CONFIG_KEYS.flatMap(({ name, key }): [string, unknown][] =>
    key.human === null
      ? [[name, key.unset]]
      : [
          [name, key.unset],
          [humanName(name), null],
        ],
  ),
);

const KEYS = new Map(CONFIG_KEYS.map(({ name, key }) => [name as string, { key, human: humanName(name) }]));

/**
 * Fills up a stored config: keys that were never set become null, false or empty (contract §13.3). Few keys are set, so
 * it starts from a copy of a config in which none is.
 */
export function describeConfig(config: CouponConfig): CouponConfigView {
  const shown: Record<string, unknown> = { ...UNSET };
  for (const name in config) {
    const stored: unknown = config[name as keyof CouponConfig];
    const known = KEYS.get(name);
    if (stored == null || known === undefined) continue;
    const { key, human } = known;
    shown[name] = key.toShown(stored);
    if (key.human !== null) shown[human] = key.human.toShown(stored);
  }
  return shown;
}

/** An input that takes away all that may change while the coupon runs. */
export const NOTHING_WHILE_RUNNING: CouponConfigInput = Object.fromEntries(
  CONFIG_KEYS.filter(({ key }) => key.whileRunning).map(({ name }) => [name, null]),
);

/** The stored config after an input: a key that is absent stays, null removes it, lists are replaced; null removes all keys. */
export function mergeConfig(
  stored: CouponConfig,
  input: CouponConfigInput | null,
  timeZoneOffset: string,
): CouponConfig {
  if (input === null) return {};
  const merged: Record<string, unknown> = {};
  for (const { name, key } of CONFIG_KEYS) {
    const sent: unknown = input[name];
    const value = sent == null ? sent : key.toStored(sent, timeZoneOffset);
    const before: unknown = stored[name];
    // What is shown may be sent back: it sets nothing for a key that is not set, and one that is set keeps its form.
    const isUnset = before == null && value != null && isDeepStrictEqual(key.toShown(value), key.unset);
    const isSame = before != null && value != null && key.isShownAlike(before, value);
    const kept = value === undefined || isSame ? before : value;
    if (kept != null && !isUnset) merged[name] = kept;
  }
  return merged;
}
