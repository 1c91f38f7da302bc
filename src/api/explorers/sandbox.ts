import type { ApolloServerPlugin, BaseContext } from "@apollo/server";

const SANDBOX = "https://embeddable-sandbox.cdn.apollographql.com";

/** The script of Sandbox comes from Apollo's content network, and its frame too; all else is this service's. */
export const SANDBOX_POLICY = [
  `script-src 'self' ${SANDBOX}`,
  "style-src 'self'",
  "img-src 'self'",
  "frame-src https://sandbox.embed.apollographql.com",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * The page that browsers get at `/graphql`. Apollo's own page is not used: without a way to Apollo it stays blank, or
 * says that one is offline and leads nowhere. The line on it stands until Sandbox has come.
 */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Commerce gateway – Apollo Sandbox</title>
    <link rel="icon" href="api/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="graphiql/explorer.css" />
  </head>
  <body class="sandbox">
    <header id="without">
      <p>Apollo Sandbox comes from the Internet. Where it does not show, <a href="graphiql">GraphiQL</a> works offline.</p>
    </header>
    <main id="root"></main>
    <script src="${SANDBOX}/v2/embeddable-sandbox.umd.production.min.js"></script>
    <script src="graphiql/sandbox.js"></script>
  </body>
</html>
`;

/** A script for the browser: it shows Sandbox if that could be loaded. */
export const SANDBOX_START = `"use strict";
if (self.EmbeddedSandbox) {
  new EmbeddedSandbox({
    target: "#root",
    initialEndpoint: location.href,
    endpointIsEditable: false,
    hideCookieToggle: false,
    allowDynamicStyles: false,
    runTelemetry: false,
    initialState: {},
  });
  document.getElementById("without").remove();
}
`;

/** Shows Sandbox to browsers that ask for `/graphql`. */
export function sandboxPage(): ApolloServerPlugin<BaseContext> {
  const renderLandingPage = () => Promise.resolve({ html: PAGE });
  return { serverWillStart: () => Promise.resolve({ renderLandingPage }) };
}
