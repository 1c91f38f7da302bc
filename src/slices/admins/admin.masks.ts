import type { MaskLayout } from "../../core/masks/masks.js";

/** Flags of an admin, in its mask `status` (contract §10.1). */
export const ADMIN_STATUS = {
  isStatusOnline: { bits: 0x1 },
} as const satisfies MaskLayout;
