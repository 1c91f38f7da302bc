import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { GRAPHIQL_START } from "./graphiql-start.js";
import { contractVersion } from "../../engine/schema/contract-version.js";
import { HOME_START, homePage, type DemoFigures, type DemoLogin } from "./home-page.js";
import { DOCS_PAGE, EXPLORER_CSS, GRAPHIQL_PAGE } from "./pages.js";
import { DOCS_START } from "./docs-start.js";
import { SANDBOX_START } from "./sandbox.js";

/** The tokens that the explorers' examples need. */
export interface DemoSession {
  /** The access token of the demo company's owner; the owner's e-mail address stands beside it. */
  readonly token: string;
  readonly email: string;
  /** The access token of a client, for operations that only clients may run. */
  readonly clientToken: string;
}

export interface ExplorerOptions {
  readonly demo: () => Promise<DemoSession | null>;
  /** The demo companies in figures, and how to sign in; none where there is no demo. */
  readonly figures: () => Promise<{ companies: readonly DemoFigures[]; login: DemoLogin | null }>;
  /** The absolute URL under which callers know the service, `null` when it is not set. */
  readonly publicUrl: string | null;
}

/** The names of this machine itself. */
const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/iu;

/** The pages load everything from this service; both editors write their own styles. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const SWAGGER_FILES = new Set(["/swagger-ui-bundle.js", "/swagger-ui.css", "/favicon-32x32.png"]);
const require = createRequire(import.meta.url);

/**
 * Registers the page at `/`, GraphiQL at `/graphiql` and the REST reference at `/api/docs`; they load nothing from elsewhere.
 */
export async function registerExplorers(
  app: FastifyInstance,
  { demo, figures, publicUrl }: ExplorerOptions,
): Promise<void> {
  app.get("/", async (request, reply) => {
    const { companies, login } = await figures();
    const address = publicUrl?.replace(/\/$/u, "") ?? `${request.protocol}://${request.host}`;
    const shown = isOwnHost(request, publicUrl) ? login : null;
    const html = homePage({ address, version: contractVersion(), companies, login: shown });
    return page(reply, html);
  });
  app.get("/graphiql/home.js", (_request, reply) => asset(reply, "text/javascript", HOME_START));
  const session = async (request: FastifyRequest, reply: FastifyReply) => {
    const isOwn = isOwnHost(request, publicUrl) && isOwnPage(request);
    return reply.header("cache-control", "no-store").send({ demo: isOwn ? await demo() : null });
  };

  app.get("/graphiql", (_request, reply) => page(reply, GRAPHIQL_PAGE));
  app.get("/graphiql/explorer.css", (_request, reply) => asset(reply, "text/css", EXPLORER_CSS));
  app.get("/graphiql/start.js", (_request, reply) => asset(reply, "text/javascript", GRAPHIQL_START));
  app.get("/graphiql/sandbox.js", (_request, reply) => asset(reply, "text/javascript", SANDBOX_START));
  app.get("/graphiql/session", session);
  app.get<{ Params: { file: string } }>("/graphiql/:file", async ({ params }, reply) => {
    const file = GRAPHIQL_FILES.get(params.file);
    if (file === undefined) return reply.callNotFound();
    const source = (await graphiqlFiles())[file.key];
    return asset(reply, file.type, source);
  });

  app.get("/api/docs", (_request, reply) => page(reply, DOCS_PAGE));
  app.get("/api/docs/", (_request, reply) => reply.redirect("/api/docs", 308));
  app.get("/api/docs/explorer.css", (_request, reply) => asset(reply, "text/css", EXPLORER_CSS));
  app.get("/api/docs/start.js", (_request, reply) => asset(reply, "text/javascript", DOCS_START));
  app.get("/api/docs/session", session);
  await app.register(fastifyStatic, {
    root: dirname(require.resolve("swagger-ui-dist/package.json")),
    prefix: "/api/docs/",
    decorateReply: false,
    index: false,
    maxAge: "1h",
    allowedPath: (path) => SWAGGER_FILES.has(path),
  });
}

/**
 * Returns whether the request names this machine or the public address. A name of somebody else's may lead here as well, and
 * to a browser its pages would be of the same origin.
 */
function isOwnHost({ host }: FastifyRequest, publicUrl: string | null): boolean {
  const known = publicUrl === null ? null : new URL(publicUrl);
  const named = new URL(`${known?.protocol ?? "http:"}//${host}`);
  return LOOPBACK.test(named.hostname) || named.host === known?.host;
}

/**
 * Returns whether a page of this service asks: other sites must not get the tokens through a visitor's browser. Browsers
 * name the origin in `Sec-Fetch-Site`, but not over plain HTTP from another machine; there `Origin` shows a script
 * of another site.
 */
function isOwnPage({ headers }: FastifyRequest): boolean {
  const { "sec-fetch-site": site, origin, host } = headers;
  if (site !== undefined && site !== "same-origin") return false;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}

function page(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .header("content-security-policy", PAGE_POLICY)
    .header("cache-control", "no-cache")
    .type("text/html; charset=utf-8")
    .send(html);
}

function asset(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.header("cache-control", "public, max-age=3600").type(`${type}; charset=utf-8`).send(text);
}

type GraphiqlFiles = Readonly<
  Record<"js" | "css" | "editorWorkerService" | "jsonWorker" | "graphqlWorker", string>
>;

const GRAPHIQL_FILES: ReadonlyMap<string, { key: keyof GraphiqlFiles; type: string }> = new Map([
  ["graphiql.js", { key: "js", type: "text/javascript" }],
  ["graphiql.css", { key: "css", type: "text/css" }],
  ["editor-worker.js", { key: "editorWorkerService", type: "text/javascript" }],
  ["json-worker.js", { key: "jsonWorker", type: "text/javascript" }],
  ["graphql-worker.js", { key: "graphqlWorker", type: "text/javascript" }],
]);

let files: Promise<GraphiqlFiles> | undefined;

/**
 * Returns the files of GraphiQL. They take nine megabytes, so they are read when the page is opened for the first
 * time.
 */
function graphiqlFiles(): Promise<GraphiqlFiles> {
  return (files ??= import("@graphql-yoga/render-graphiql/graphiql"));
}
