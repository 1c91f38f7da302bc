/** The setting that holds a secret. What was sealed for one place cannot be opened for another. */
export interface SecretPlace {
  readonly companyId: number;
  readonly name: string;
}

/** Encrypts what the database must not show, and signs what comes back from outside. */
export interface Secrets {
  seal(text: string, place: SecretPlace): string;
  /**
   * Returns the text that was sealed for this place.
   *
   * @returns `null` when the service does not have the key, or when the text was sealed elsewhere or changed since.
   */
  open(sealed: string, place: SecretPlace): string | null;
  /**
   * Returns the signature of a text, in base64url.
   *
   * @param purpose what it is signed for: a signature is worth nothing for anything else.
   */
  sign(text: string, purpose: string): string;
  /** Returns whether the service has signed the text for this purpose. */
  isSigned(text: string, signature: string, purpose: string): boolean;
}
