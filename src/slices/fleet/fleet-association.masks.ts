import type { MaskLayout } from "../../core/masks/masks.js";

/** The flags of a fleet association, in its mask `options` (contract §24). */
export const FLEET_ASSOCIATION_OPTIONS = {
  isAdminManaged: { bits: 0x1 },
  isPaymentReceivedForBranches: { bits: 0x2 },
} as const satisfies MaskLayout;
