import { readMask, type MaskLayout } from "../../core/masks/masks.js";
import type { GoodPropertyOptionsData } from "./good-property.model.js";
import { GOOD_PROPERTY_OPTIONS as OPTIONS, PROPERTY_TYPE } from "./property.masks.js";

const TYPE_NAMES: MaskLayout = {
  options: PROPERTY_TYPE.isTypeOptions,
  range: PROPERTY_TYPE.isTypeRange,
  text: PROPERTY_TYPE.isTypeText,
};
const USE_NAMES: MaskLayout = {
  dynamic: OPTIONS.isDynamic,
  free: OPTIONS.isFree,
  consumable: OPTIONS.isConsumable,
};

/** Reads all flags and counts of a good property's mask `options` (contract §12.2). */
export function describeOptions(options: number): GoodPropertyOptionsData {
  const use = part(options, USE_NAMES);
  const type = part(options, TYPE_NAMES);
  return {
    useValue: use.value,
    useName: use.name,
    typeValue: type.value,
    typeName: type.name,
    isMultiOptions: readMask(options, OPTIONS.isMultiSelection) as boolean,
    minCount: readMask(options, OPTIONS.minCount) as number,
    maxCount: readMask(options, OPTIONS.maxCount) as number,
    stackCount: readMask(options, OPTIONS.stackCount) as number,
    isDynamic: readMask(options, OPTIONS.isDynamic) as boolean,
    isFree: readMask(options, OPTIONS.isFree) as boolean,
    isConsumable: readMask(options, OPTIONS.isConsumable) as boolean,
    isAdminCustomizable: readMask(options, OPTIONS.isAdminCustomizable) as boolean,
  };
}

function part(options: number, names: MaskLayout): { value: number; name: string } {
  const set = Object.entries(names).filter(([, { bits }]) => (options & bits) !== 0);
  return {
    value: set.reduce((mask, [, { bits }]) => mask | bits, 0),
    name: set.map(([name]) => name).join("+") || "none",
  };
}
