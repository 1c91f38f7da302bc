import { compileFilter, type Where } from "../../core/lists/compile-filter.js";
import { storedCode } from "./codes/stored-code.js";

type Conditions = Readonly<Record<string, unknown>>;

const NO_ROW: Where = { id: { in: [] } };

/**
 * Returns the condition for coupons by their promo code. Codes are equal in any case, while the column has the code as
 * it was entered.
 *
 * @throws DomainError BAD_REQUEST for a condition that no filter may hold.
 */
export function promoCodeCondition(conditions: Conditions): Where {
  const { eq, ne, in: oneOf, nin, ...others } = conditions;
  // Called with all conditions for its checks: it throws for null as an operand.
  compileFilter({ promoCode: conditions }, { promoCode: { kind: "text", nullable: true } });
  const compiled = compileFilter({ promoCode: others }, { promoCode: { kind: "text", nullable: true } });
  if (eq !== undefined) compiled.push(equal([eq]));
  if (oneOf !== undefined) compiled.push(equal(oneOf as unknown[]));
  if (ne !== undefined) compiled.push(different([ne]));
  if (nin !== undefined) compiled.push(different(nin as unknown[]));
  return { AND: compiled };
}

function equal(codes: readonly unknown[]): Where {
  const known = codes.filter((code) => storedCode(code as string) !== null);
  if (known.length === 0) return NO_ROW;
  return { OR: known.map((code) => ({ promoCode: { equals: code, mode: "insensitive" } })) };
}

function different(codes: readonly unknown[]): Where {
  return { OR: [{ promoCode: null }, { NOT: equal(codes) }] };
}
