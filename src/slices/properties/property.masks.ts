import type { MaskLayout } from "../../core/masks/masks.js";

/** Flags for the kinds of a property, in its mask `type` (contract §12.1). */
export const PROPERTY_TYPE = {
  isTypeOptions: { bits: 0x100 },
  isTypeRange: { bits: 0x200 },
  isTypeText: { bits: 0x400 },
} as const satisfies MaskLayout;

/** Flags and counts of a good's property, in its mask `options` (contract §12.2). */
export const GOOD_PROPERTY_OPTIONS = {
  propType: { bits: 0xfff, shift: 0 },
  isTypeOptions: { bits: 0x100 },
  isTypeRange: { bits: 0x200 },
  isTypeText: { bits: 0x400 },
  isDynamic: { bits: 0x1000 },
  isFree: { bits: 0x2000 },
  isConsumable: { bits: 0x4000 },
  isMultiSelection: { bits: 0x80 },
  minCount: { bits: 0xf00000, shift: 20 },
  maxCount: { bits: 0xf0000, shift: 16 },
  stackCount: { bits: 0xf000000, shift: 24 },
  isAdminCustomizable: { bits: 0x10000000 },
} as const satisfies MaskLayout;
