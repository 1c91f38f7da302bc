import { defineErrors } from "../../core/errors/codes.js";

export const AUDIT_ERRORS = defineErrors({
  CURSOR_EXPIRED: { status: 410, title: "What follows the cursor is not kept any more" },
});

declare module "../../core/errors/codes.js" {
  interface SliceErrors {
    audit: keyof typeof AUDIT_ERRORS;
  }
}
