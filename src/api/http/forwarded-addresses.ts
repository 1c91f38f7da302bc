import { isIP } from "node:net";
import type { FastifyInstance } from "fastify";

/** An address in brackets or an IPv4 address, with a port or without one. */
const WITH_PORT = /^(?:\[(?<bracketed>[^\]]+)\]|(?<dotted>[\d.]+))(?::\d+)?$/u;

/** What Fastify would take for host and scheme of the request, though usual proxies pass on what the caller sent. */
const OF_CALLERS = ["x-forwarded-host", "x-forwarded-proto"];

/**
 * Leaves in `X-Forwarded-For` what Fastify may take for an address: it would take whatever stands there, so that each port of
 * a connection and each invented word were a caller of its own. Nothing else that a proxy forwards counts.
 */
export function readForwardedAddresses(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw: { headers } }, _reply, done) => {
    for (const name of OF_CALLERS) Reflect.deleteProperty(headers, name);
    const forwarded = headers["x-forwarded-for"];
    if (forwarded !== undefined) headers["x-forwarded-for"] = addressesIn(String(forwarded)).join(", ");
    done();
  });
}

/**
 * Returns the addresses of `X-Forwarded-For` without their ports: the last ones, up to the first that is none. Whoever named that
 * one is the farthest that is known.
 */
export function addressesIn(forwarded: string): string[] {
  const entries = forwarded.split(",").map((entry) => addressOf(entry.trim()));
  return entries.slice(entries.lastIndexOf(null) + 1) as string[];
}

/** Returns the address of an entry, `null` when it names none. */
function addressOf(entry: string): string | null {
  const { bracketed, dotted } = WITH_PORT.exec(entry)?.groups ?? {};
  const address = bracketed ?? dotted ?? entry;
  return isIP(address) === 0 ? null : address;
}
