import type { FastifyReply } from "fastify";

/** Says that the answer depends on these headers of the request, too: where a few origins may read it, it depends on the origin already. */
export function varyBy(reply: FastifyReply, names: string): FastifyReply {
  const known = reply.getHeader("vary");
  return reply.header("vary", known === undefined ? names : `${String(known)}, ${names}`);
}
