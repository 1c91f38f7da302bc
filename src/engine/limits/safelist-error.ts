/** The file of `SAFELIST` cannot be used. The message is for the operator, and needs no stack. */
export class SafelistError extends Error {
  override readonly name = "SafelistError";
}
