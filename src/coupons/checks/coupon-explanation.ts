import { ERROR_CODES } from "../../core/errors/codes.js";
import { DomainError } from "../../core/errors/domain-error.js";
import type { Discount } from "./coupon-discount.rules.js";
import { firstRefusal, type Finding } from "./coupon-refusal.rules.js";

/** Every rule with what it saw, and how the discount came about; amounts in hundredths. */
export interface Explanation {
  readonly rules: readonly Finding[];
  readonly baseE2: number;
  /** They add up to the discount. */
  readonly steps: readonly { readonly step: string; readonly amountE2: number; readonly detail: string }[];
}

export function explain(rules: readonly Finding[], { baseE2, steps }: Discount): Explanation {
  return {
    rules,
    baseE2: Number(baseE2),
    steps: steps.map(({ step, amountE2, detail }) => ({ step, amountE2: Number(amountE2), detail })),
  };
}

/** @throws DomainError the first refusal in the order of the rules, with all of them when they are asked for. */
export function assertAllowed(judged: readonly Finding[], discount: Discount, isExplained: boolean): void {
  const refusal = firstRefusal(judged);
  if (refusal === undefined) return;
  const { code } = refusal;
  const explanation = isExplained ? explain(judged, discount) : undefined;
  throw new DomainError(
    code,
    `${ERROR_CODES[code].title}.`,
    explanation === undefined ? {} : { explanation },
  );
}
