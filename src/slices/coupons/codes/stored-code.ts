const CODE = /^[0-9A-Za-z]+$/u;

/**
 * A code in the form in which codes are stored and compared: in capitals.
 *
 * @returns `null` for text that is no code. Codes are digits and ASCII letters alone; other letters are refused before
 *   capitals are made, since the capitals of some are ASCII letters.
 */
export function storedCode(code: string): string | null {
  return CODE.test(code) ? code.toUpperCase() : null;
}

/** A code in the form in which it is shown: a promo code as it was entered, any other as it is stored. */
export function shownCode(
  { promoCode }: { readonly promoCode: string | null },
  stored: string | null,
): string | null {
  return promoCode ?? stored;
}
