import type { FastifyInstance } from "fastify";
import { DomainError } from "../../core/errors/domain-error.js";
import { refuse } from "./refuse.js";

/** A host of RFC 3986 §3.2.2 with a port, or without one. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d*)?$/iu;

const NO_HOST = "host.invalid";

/**
 * Answers requests that Node's server would refuse by itself, without an id and a body: a request that names no
 * host (which needs `requireHostHeader` to be off), and one with an unknown `Expect`, which may be ignored. A host
 * that is none is refused here too, and more than one `Host` (RFC 9112 §3.2), which Node would let through: it takes the
 * first, and a proxy may have read the last.
 */
export function answerForNode(app: FastifyInstance): void {
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  const isHost = hostTest();
  app.addHook("onRequest", (request, reply, done) => {
    const { headers, httpVersion, rawHeaders } = request.raw;
    // HTTP/1.0 may leave the host out; whoever builds a URL of the request needs one.
    if (httpVersion !== "1.1") headers.host ??= NO_HOST;
    const namesTwo = namesTwoHosts(rawHeaders);
    if (!namesTwo && isHost(headers.host ?? "")) {
      done();
      return;
    }
    const isNamed = headers.host !== undefined;
    const problem = namesTwo ? "names two hosts" : isNamed ? "names a host that is none" : "names no host";
    reply.raw.shouldKeepAlive = false;
    refuse(new DomainError("BAD_REQUEST", `The request ${problem}.`), request, reply);
  });
}

/** @param rawHeaders names and values by turns, as they were sent. */
function namesTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

/** Returns a test whether a text is a host. It remembers the last one, which nearly all requests name. */
function hostTest(): (text: string) => boolean {
  let known: string | undefined;
  return (text) => {
    if (text === known) return true;
    const isHost = HOST.test(text) && URL.canParse(`http://${text}`);
    if (isHost) known = text;
    return isHost;
  };
}
