/** What is sent to an address that a caller has named. */
export interface OutboundMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How long all of it may take, in milliseconds, the answer included. */
  readonly milliseconds: number;
  /** So many bytes of the answer are read. */
  readonly mostBytes: number;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/** The answer of such an address. */
export interface OutboundAnswer {
  readonly status: number;
  /** The beginning of what it says. */
  readonly text: string;
}

/** No answer came. The message may be shown to the owner of the address. */
export class OutboundFailed extends Error {
  override readonly name = "OutboundFailed";

  constructor(
    readonly kind: "address" | "timeout" | "connection",
    message: string,
  ) {
    super(message);
  }
}

/** Sends to addresses that callers name: to public ones by https, and to those that the operator allows. */
export interface Outbound {
  /**
   * Returns what is wrong with an address; `null` when it may be sent to. A name without an address may get one later, as
   * may one that is not looked up in time.
   *
   * @param milliseconds is how long the look-up of its name may take.
   */
  objection(url: string, milliseconds: number): Promise<string | null>;
  /**
   * Sends a message by POST. The address is judged anew, and no redirect is followed.
   *
   * @throws OutboundFailed.
   */
  post(url: string, message: OutboundMessage): Promise<OutboundAnswer>;
}
