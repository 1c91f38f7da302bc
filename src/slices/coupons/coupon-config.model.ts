import { Field, Float, ObjectType } from "type-graphql";
import { CONFIG_KEYS, type KeysOfConfig } from "./conditions/conditions.js";
import type { StoredConfig } from "./conditions/config-key.js";

/** `Coupon.config` as it is stored (contract §13.3): keys that were not given are absent. */
export type CouponConfig = StoredConfig<KeysOfConfig>;

@ObjectType("CouponConfig", {
  description: "Conditions and bounds of a coupon; null or empty: no such condition.",
})
export class CouponConfigView {}

/** The name of the field that has a key's value as a person writes it. */
export function humanName(name: string): string {
  return `human${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

for (const { name, key } of CONFIG_KEYS) {
  const { type, unset, description } = key;
  Field(type as () => typeof String, { nullable: unset === null, description })(
    CouponConfigView.prototype,
    name,
  );
}
for (const { name, key } of CONFIG_KEYS) {
  if (key.human === null) continue;
  const description = key.human.description(name);
  Field(() => Float, { nullable: true, description })(CouponConfigView.prototype, humanName(name));
}
