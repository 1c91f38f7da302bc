import { CONFIG_KEYS } from "./conditions/conditions.js";
import { humanName, type CouponConfig, type CouponConfigView } from "./coupon-config.model.js";
import type { CouponConfigInput } from "./coupon-config.inputs.js";

/** Fills up a stored config: keys that were never set become null, false or empty (contract §13.3). */
export function describeConfig(config: CouponConfig): CouponConfigView {
  const shown: Record<string, unknown> = {};
  for (const { name, key } of CONFIG_KEYS) {
    const stored: unknown = config[name] ?? null;
    shown[name] = stored === null ? key.unset : key.toShown(stored);
    if (key.human !== null) shown[humanName(name)] = stored === null ? null : key.human.toShown(stored);
  }
  return shown;
}

/** The stored config after an input: a key that is absent stays, null removes it, lists are replaced. */
export function mergeConfig(
  stored: CouponConfig,
  input: CouponConfigInput,
  timeZoneOffset: string,
): CouponConfig {
  const merged: Record<string, unknown> = {};
  for (const { name, key } of CONFIG_KEYS) {
    const sent: unknown = input[name];
    const value = sent == null ? sent : key.toStored(sent, timeZoneOffset);
    const kept = value === undefined ? stored[name] : value;
    if (kept != null) merged[name] = kept;
  }
  return merged;
}
