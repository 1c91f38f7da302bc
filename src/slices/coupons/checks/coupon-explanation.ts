import { COUPON_ERRORS } from "../coupon.errors.js";
import { DomainError } from "../../../core/errors/domain-error.js";
import type { Discount } from "./coupon-discount.rules.js";
import { firstFailed, type Finding, type Findings } from "./coupon-reason.rules.js";

/** Every rule with its finding, and how the discount came about; amounts are in hundredths. */
export interface Explanation {
  readonly rules: readonly Finding[];
  readonly baseE2: number;
  /** The parts of the discount, which add up to it. */
  readonly steps: readonly { readonly step: string; readonly amountE2: number; readonly detail: string }[];
}

/** Judges every rule and explains the discount. */
export function explain(judged: Iterable<Finding>, { baseE2, steps }: Discount): Explanation {
  return {
    rules: [...judged],
    baseE2: Number(baseE2),
    steps: steps.map(({ step, amountE2, detail }) => ({ step, amountE2: Number(amountE2), detail })),
  };
}

/** Why a rule does not hold, in one sentence: what was needed and what was seen. */
export function detailOf({ code, required, actual }: Finding): string {
  const { title } = COUPON_ERRORS[code];
  return actual === null ? `${title}.` : `${title}: needed ${required}, was ${actual}.`;
}

/**
 * Asserts that every rule holds. Without an explanation, rules are judged only up to the first that does not hold.
 *
 * @returns the explanation when it is asked for.
 * @throws DomainError COUPON_… with the reason of the first rule that does not hold, and with the explanation when
 *   it is asked for.
 */
export function assertAllowed(
  findings: Findings,
  discount: Discount,
  isExplained: boolean,
): Explanation | null {
  const explanation = isExplained ? explain(findings, discount) : null;
  const failed = firstFailed(explanation?.rules ?? findings);
  if (failed === undefined) return explanation;
  throw refusalOf(failed, explanation);
}

/** The refusal for a rule that does not hold. @param field names the code, where several were sent. */
export function refusalOf(
  failed: Finding,
  explanation: Explanation | null,
  field: string | null = null,
): DomainError {
  const { code, rule, required, actual } = failed;
  const message = detailOf(failed);
  return new DomainError(code, message, {
    broken: { rule, required, actual },
    ...(field !== null && { errors: [{ field, rule, message }] }),
    ...(explanation !== null && { explanation }),
  });
}
