/**
 * Holds what a gateway is made of until it is closed. Variables of test files live for as long as the worker, and with them
 * gateways and clients: each of them asks for a part when it needs one, so none keeps a service that is closed.
 */
export class KeptUntilClosed<Parts> {
  #parts: Parts | null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws Error once the parts were let go. */
  get parts(): Parts {
    if (this.#parts === null) throw new Error("this gateway is closed");
    return this.#parts;
  }

  letGo(): void {
    this.#parts = null;
  }
}
