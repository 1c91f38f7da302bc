/** The fields of a good that a back-office page shows. */
export interface ShownGood {
  readonly id: number;
  readonly name: string;
  readonly priceE2: number;
  readonly properties: readonly { readonly name: string; readonly options: readonly string[] }[];
}

/** The page of a signed-in admin, on top of one client library. */
export interface ShopPage {
  goods(companyId: number): Promise<ShownGood[]>;
  /**
   * Changes the price.
   *
   * @returns the price that the service has now.
   */
  changePrice(companyId: number, id: number, priceE2: number): Promise<number | undefined>;
}

/** A client library and the way in which it calls the service. */
export interface ClientAdapter {
  readonly name: string;
  /**
   * @param base is a URL such as `http://127.0.0.1:4000`.
   * @throws RefusedError
   */
  signIn(base: string, email: string, password: string): Promise<ShopPage>;
}

/** The service refused a request; each library reports that in its own way. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";

  /** @param code is an error code such as `VALIDATION_FAILED`. */
  constructor(readonly code: unknown) {
    super(String(code));
  }
}
