import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";
import { SANDBOX_POLICY } from "../explorers/sandbox.js";

/** The headers of answers that scripts of other origins may read. */
const EXPOSED = [
  "X-Request-Id",
  "Traceparent",
  "X-Total-Count",
  "Link",
  "Location",
  "Content-Disposition",
  "ETag",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Idempotent-Replayed",
  "Preference-Applied",
  "Search-Relaxed",
  "Server-Timing",
  "Deprecation",
  "Sunset",
];
const PREFLIGHT_SECONDS = 7_200;

/**
 * The headers that Helmet would set, as far as data needs them. Data needs nothing, so the policy allows nothing; a page sets
 * its own policy in its route (`reply.header("content-security-policy", …)`). Web shops on other origins show pictures and
 * read answers; CORS decides who may.
 */
const HEADERS = {
  "content-security-policy": "default-src 'none';frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
};
const TRANSPORT = { "strict-transport-security": "max-age=31536000; includeSubDomains" };
const ANY_ORIGIN = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED.join(", "),
};

export interface BrowserOptions {
  /** Says whether the header that demands HTTPS is sent. */
  readonly isProduction: boolean;
  /** The origins that browsers may call from; with an empty list, only the service's own. */
  readonly corsOrigin: "*" | string[];
}

/** Returns the headers of every answer, which say to browsers what they may do with it. */
export function browserHeaders({ isProduction, corsOrigin }: BrowserOptions): Record<string, string> {
  return { ...HEADERS, ...(isProduction && TRANSPORT), ...(corsOrigin === "*" && ANY_ORIGIN) };
}

/**
 * Answers the preflights of browsers, and says in each answer to one of the chosen origins that it may read it. Where all
 * may, every answer says so already.
 */
export async function allowOrigins(app: FastifyInstance, { corsOrigin }: BrowserOptions): Promise<void> {
  if (corsOrigin.length === 0) return;
  const allow = async (below: FastifyInstance): Promise<void> => {
    await below.register(cors, {
      origin: corsOrigin,
      methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
      exposedHeaders: EXPOSED.join(", "),
      maxAge: PREFLIGHT_SECONDS,
      strictPreflight: false,
    });
  };
  // What is registered below the app stands before its own route alone, which is that of preflights.
  await (corsOrigin === "*" ? app.register(allow) : allow(app));
}

/** Lets the landing page of `/graphql` load; it is the only page there. */
export function allowLandingPage(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    const isPage =
      request.routeOptions.url === "/graphql" &&
      String(reply.getHeader("content-type")).startsWith("text/html");
    if (isPage)
      reply.headers({
        "content-security-policy": SANDBOX_POLICY,
        "content-type": "text/html; charset=utf-8",
      });
    done(null, payload);
  });
}
