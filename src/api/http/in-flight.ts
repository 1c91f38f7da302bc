import type { FastifyReply, FastifyRequest } from "fastify";

/** The requests that have no answer yet. */
export class InFlight {
  private readonly replies = new Set<FastifyReply>();
  /** Requests whose body is still to come; the process does not work on them yet. */
  private readonly arriving = new Set<FastifyReply>();

  /** How many requests the process works on. */
  get working(): number {
    return this.replies.size - this.arriving.size;
  }

  add(request: FastifyRequest, reply: FastifyReply): void {
    this.replies.add(reply);
    if (isBodyToCome(request)) this.arriving.add(reply);
    reply.raw.once("close", () => {
      this.replies.delete(reply);
      this.arriving.delete(reply);
    });
  }

  /** Tells that the body has arrived. @returns whether it was still to come when the request was added. */
  arrived(reply: FastifyReply): boolean {
    return this.arriving.delete(reply);
  }

  /** The requests that can still be answered. */
  unanswered(): FastifyReply[] {
    return [...this.replies].filter(({ sent, raw }) => !sent && !raw.headersSent && !raw.destroyed);
  }
}

/** Whether the request has a body that has not arrived as a whole. */
export function isBodyToCome({ raw }: FastifyRequest): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = raw.headers;
  // A request that was injected says nothing about that.
  return (
    (raw.complete as boolean | undefined) === false &&
    (encoding !== undefined || (length !== undefined && length !== "0"))
  );
}
