import type { MaskLayout } from "../../core/masks/masks.js";

/** Flags of a good, in its mask `type` (contract §11.1). */
export const GOOD_TYPE = {
  isTypeService: { bits: 0x1 },
  isTypeCustomPickup: { bits: 0x2 },
  isTypeDigital: { bits: 0x4 },
  isTypeList: { bits: 0x10 },
  isCombo: { bits: 0x20 },
  isDigitalCustom: { bits: 0x100 },
  isDigitalBalance: { bits: 0x200 },
} as const satisfies MaskLayout;

/** Numbers in a good's mask `type`, which overlap its flags and are only read. */
export const GOOD_CLASSES = {
  typeClass: { bits: 0x7, shift: 0 },
  digitalClass: { bits: 0xff00, shift: 8 },
} as const satisfies MaskLayout;
