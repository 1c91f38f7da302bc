import type { MaskLayout } from "../../core/masks/masks.js";

/** The days of a promoted banner, in its mask `days` (contract §16.3). */
export const BANNER_DAYS = {
  daySunday: { bits: 0x1 },
  dayMonday: { bits: 0x2 },
  dayTuesday: { bits: 0x4 },
  dayWednesday: { bits: 0x8 },
  dayThursday: { bits: 0x10 },
  dayFriday: { bits: 0x20 },
  daySaturday: { bits: 0x40 },
} as const satisfies MaskLayout;

export const EVERY_DAY = 0x7f;
