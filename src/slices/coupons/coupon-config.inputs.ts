import { InputObject } from "../../core/inputs/input-fields.js";
import { CONFIG_KEYS, type KeysOfConfig, type NameOfKey } from "./conditions/conditions.js";
import { humanName } from "./coupon-config.model.js";

/** The config as it is sent. */
export type CouponConfigInput = {
  readonly [Name in NameOfKey]?: Parameters<KeysOfConfig[Name]["toStored"]>[0] | null;
};

const whileRunning = CONFIG_KEYS.filter(({ key }) => key.whileRunning);
const whilePending = CONFIG_KEYS.filter(({ key }) => !key.whileRunning);

export const CouponConfigInput = inputOf([...whilePending, ...whileRunning], {
  name: "CouponConfigInput",
  description:
    "Conditions and bounds of a coupon. What is absent stays as it is; null takes a condition away.",
});

export const RunningCouponConfigInput = inputOf(whileRunning, {
  name: "RunningCouponConfigInput",
  description: "What may change of a coupon's config while it runs. What is absent stays as it is.",
  closed: true,
});

/** Makes an input class with a field for each key, and one for its human value where it has such. */
function inputOf(
  keys: typeof CONFIG_KEYS,
  { name, ...options }: { readonly name: string; readonly description: string; readonly closed?: boolean },
): new () => CouponConfigInput {
  class ConfigInput {}
  Object.defineProperty(ConfigInput, "name", { value: name });
  for (const { name: of, key } of keys) {
    key.input(ConfigInput.prototype, of);
    key.human?.input(of)(ConfigInput.prototype, humanName(of));
  }
  InputObject(options)(ConfigInput);
  return ConfigInput;
}
