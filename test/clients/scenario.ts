/** What a back-office page knows of a good. */
export interface ShownGood {
  readonly id: number;
  readonly name: string;
  readonly priceE2: number;
  readonly properties: readonly { readonly name: string; readonly options: readonly string[] }[];
}

/** A signed-in admin's page, on top of one client library. */
export interface ShopPage {
  goods(companyId: number): Promise<ShownGood[]>;
  /** @returns the price as the service has it now. */
  changePrice(companyId: number, id: number, priceE2: number): Promise<number>;
}

/** How one client library talks to the service. */
export interface ClientAdapter {
  readonly name: string;
  /** @param base such as `http://127.0.0.1:4000`. @throws RefusedError */
  signIn(base: string, email: string, password: string): Promise<ShopPage>;
}

/** The service said no; every library tells it in a way of its own. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";

  /** @param code such as `VALIDATION_FAILED`. */
  constructor(readonly code: unknown) {
    super(String(code));
  }
}
