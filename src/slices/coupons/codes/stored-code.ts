const CODE = /^[0-9A-Za-z]+$/u;

/**
 * A code in the form in which codes are stored and compared: in capitals.
 *
 * @returns `null` for what can be no code: codes are digits and ASCII letters alone, and capitals of other letters may
 *   well be ASCII.
 */
export function storedCode(code: string): string | null {
  return CODE.test(code) ? code.toUpperCase() : null;
}

/** A stored code in the form in which it is shown: a promo code as it was entered. */
export function shownCode(
  { promoCode }: { readonly promoCode: string | null },
  stored: string | null,
): string | null {
  return promoCode ?? stored;
}
