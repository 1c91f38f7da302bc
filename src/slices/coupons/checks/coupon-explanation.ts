import { ERROR_CODES } from "../../../core/errors/codes.js";
import { DomainError } from "../../../core/errors/domain-error.js";
import type { Discount } from "./coupon-discount.rules.js";
import { firstFailed, type Finding, type Findings } from "./coupon-reason.rules.js";

/** Every rule with what it saw, and how the discount came about; amounts in hundredths. */
export interface Explanation {
  readonly rules: readonly Finding[];
  readonly baseE2: number;
  /** They add up to the discount. */
  readonly steps: readonly { readonly step: string; readonly amountE2: number; readonly detail: string }[];
}

export function explain(judged: Iterable<Finding>, { baseE2, steps }: Discount): Explanation {
  return {
    rules: [...judged],
    baseE2: Number(baseE2),
    steps: steps.map(({ step, amountE2, detail }) => ({ step, amountE2: Number(amountE2), detail })),
  };
}

/**
 * @returns the explanation when it is asked for; without it, rules are judged up to the first refusal.
 * @throws DomainError the first refusal in the order of the rules, with the explanation when it is asked for.
 */
export function assertAllowed(
  findings: Findings,
  discount: Discount,
  isExplained: boolean,
): Explanation | null {
  const explanation = isExplained ? explain(findings, discount) : null;
  const failed = firstFailed(explanation?.rules ?? findings);
  if (failed === undefined) return explanation;
  const { code } = failed;
  throw new DomainError(code, `${ERROR_CODES[code].title}.`, explanation === null ? {} : { explanation });
}
