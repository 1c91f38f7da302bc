import { defineErrors } from "../../core/errors/codes.js";

export const AUTH_ERRORS = defineErrors({
  SECOND_FACTOR_REQUIRED: { status: 401, title: "A code of the second factor is needed" },
});

declare module "../../core/errors/codes.js" {
  interface SliceErrors {
    auth: keyof typeof AUTH_ERRORS;
  }
}
