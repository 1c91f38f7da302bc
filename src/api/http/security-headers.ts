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
 * The headers that Helmet would set, as far as data needs them. They are a constant, since Helmet computes them
 * anew for each answer, which takes longer than a small query. Web shops on other origins show pictures and read
 * answers; CORS decides who may.
 */
export const BROWSER_HEADERS = {
  "content-security-policy": "default-src 'none';frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
};
const TRANSPORT = { "strict-transport-security": "max-age=31536000; includeSubDomains" };

export interface BrowserOptions {
  /** Says whether the header that demands HTTPS is sent. */
  readonly isProduction: boolean;
  /** The origins that browsers may call from; with an empty list, only the service's own. */
  readonly corsOrigin: "*" | string[];
}

/**
 * Sets the headers that say to browsers what they may do with an answer. Data needs nothing, so the policy allows
 * nothing; a page sets its own policy in its route (`reply.header("content-security-policy", …)`).
 */
export async function protectBrowsers(app: FastifyInstance, options: BrowserOptions): Promise<void> {
  const headers = options.isProduction ? { ...BROWSER_HEADERS, ...TRANSPORT } : BROWSER_HEADERS;
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  if (options.corsOrigin !== "*" && options.corsOrigin.length === 0) return;
  await app.register(cors, {
    origin: options.corsOrigin,
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    exposedHeaders: EXPOSED.join(", "),
    maxAge: PREFLIGHT_SECONDS,
    strictPreflight: false,
  });
}

/** Lets the landing page of `/graphql` load; it is the only page there. */
export function allowLandingPage(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    const isPage =
      request.routeOptions.url === "/graphql" &&
      String(reply.getHeader("content-type")).startsWith("text/html");
    if (isPage) reply.header("content-security-policy", SANDBOX_POLICY);
    done(null, payload);
  });
}
