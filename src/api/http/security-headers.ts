import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";

/** Headers of answers that scripts of other origins may read. */
const EXPOSED = [
  "X-Request-Id",
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
  "Server-Timing",
];
const PREFLIGHT_SECONDS = 7_200;

/**
 * Apollo Sandbox comes from Apollo's content network, shows itself in a frame and has a policy of its own in
 * its page; this one only adds what that leaves open.
 */
const LANDING_PAGE_POLICY = "object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/**
 * What Helmet would set and data need, as a constant: it works the same values out anew for each answer, which
 * takes longer than a small query. Shops on other origins show pictures and read answers; who may is decided by CORS.
 */
const HEADERS = {
  "content-security-policy": "default-src 'none';frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
};
const TRANSPORT = { "strict-transport-security": "max-age=31536000; includeSubDomains" };

export interface BrowserOptions {
  /** Says that the service is only reached by HTTPS. */
  readonly isProduction: boolean;
  /** Origins that browsers may call from; none: only the service's own. */
  readonly corsOrigin: "*" | string[];
}

/**
 * Which browsers may do what with the answers. Data need nothing, so their policy allows nothing; a page says
 * in its own route what it needs (`reply.header("content-security-policy", …)`).
 */
export async function protectBrowsers(app: FastifyInstance, options: BrowserOptions): Promise<void> {
  const headers = options.isProduction ? { ...HEADERS, ...TRANSPORT } : HEADERS;
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  if (options.corsOrigin !== "*" && options.corsOrigin.length === 0) return;
  await app.register(cors, {
    origin: options.corsOrigin,
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    exposedHeaders: EXPOSED,
    maxAge: PREFLIGHT_SECONDS,
    strictPreflight: false,
  });
}

/** The landing page of `/graphql` is the one page there. */
export function allowLandingPage(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    const isPage =
      request.routeOptions.url === "/graphql" &&
      String(reply.getHeader("content-type")).startsWith("text/html");
    if (isPage) reply.header("content-security-policy", LANDING_PAGE_POLICY);
    done(null, payload);
  });
}
