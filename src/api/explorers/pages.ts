import { PALETTE, pageHead } from "../http/html-page.js";

const AUTHENTICATION = `Public operations need no token; for the others <code>login</code> answers one, and
      <code>npm run -s token -- --admin EMAIL</code> prints one`;

/** The page around GraphiQL. Its addresses are relative, so that it works behind a path prefix. */
export const GRAPHIQL_PAGE = pageOf({
  title: "Commerce gateway – GraphiQL",
  folder: "graphiql",
  style: "graphiql.css",
  script: "graphiql.js",
  heading: "GraphQL",
  intro: `Each tab holds an operation that runs as it stands: <kbd>Ctrl</kbd>+<kbd>Enter</kbd> runs it,
      <kbd>Ctrl</kbd>+<kbd>Space</kbd> completes names, <kbd>Esc</kbd> leaves the editor; the book on the left is the
      reference.`,
  token: `${AUTHENTICATION}: <code>{ "Authorization": "Bearer …" }</code> under Headers.`,
  other: `<a href="./">Start</a> <a href="api/docs">REST reference</a>`,
  icon: "api/docs/favicon-32x32.png",
});

/** The page around the REST reference. */
export const DOCS_PAGE = pageOf({
  title: "Commerce gateway – REST reference",
  folder: "docs",
  style: "swagger-ui.css",
  script: "swagger-ui-bundle.js",
  heading: "REST",
  intro: `Open an operation and press <b>Execute</b>: the examples run as they stand.`,
  token: `${AUTHENTICATION}, for <b>Authorize</b>.`,
  other: `<a href="../">Start</a> <a href="../graphiql">GraphiQL</a> <a href="docs/contract">Contract</a> <a href="openapi.json">openapi.json</a>`,
  icon: "docs/favicon-32x32.png",
});

interface Page {
  title: string;
  folder: string;
  style: string;
  script: string;
  heading: string;
  intro: string;
  /** Explains how to get a token; in the demo, the page names who is signed in instead. */
  token: string;
  other: string;
  icon: string;
}

function pageOf({ title, folder, style, script, heading, intro, token, other, icon }: Page): string {
  const links = `<link rel="icon" href="${icon}" />
    <link rel="stylesheet" href="${folder}/${style}" />
    <link rel="stylesheet" href="${folder}/explorer.css" />`;
  return `${pageHead(title, links)}
  <body class="${folder}">
    <header>
      <h1>Commerce gateway <span>${heading}</span></h1>
      <nav aria-label="Other pages">${other}</nav>
      <p>${intro} <output id="session">${token}</output></p>
    </header>
    <main id="root"></main>
    <noscript>This page needs JavaScript.</noscript>
    <script src="${folder}/${script}"></script>
    <script src="${folder}/start.js"></script>
  </body>
</html>
`;
}

/** Styles of all pages for people. */
export const EXPLORER_CSS = `/* Tabs that glide to their place on the first press are gone when it is released. */
.graphiql-container .graphiql-tab { transform: none !important; }
${PALETTE}
body { margin: 0; display: flex; flex-direction: column; min-height: 100vh; background: var(--paper); color: var(--ink); font-family: system-ui, sans-serif; }
body.graphiql { height: 100vh; }
body > header { display: grid; grid-template-columns: 1fr auto; gap: 2px 24px; padding: 12px 20px; border-bottom: 1px solid var(--line); }
body > header h1 { margin: 0; font-size: 18px; color: var(--ink); }
body > header h1 span { font-weight: 400; color: var(--soft); }
body > header nav { display: flex; gap: 16px; align-items: center; }
body > header a { color: var(--link); font-size: 14px; }
body > header a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
body > header p { grid-column: 1 / -1; margin: 0; max-width: 120ch; font-size: 13px; line-height: 1.5; color: var(--soft); }
body > header code, body > header kbd { font: 12px ui-monospace, monospace; padding: 0 3px; border: 1px solid var(--line); border-radius: 3px; color: var(--ink); }
#root { flex: 1; min-height: 0; position: relative; }
body.sandbox { height: 100vh; }
body.sandbox iframe { display: block; width: 100%; height: 100%; border: 0; background: #fff; }
.graphiql-container { height: 100%; }
body.docs #root { width: 100%; }
body.docs .swagger-ui .info { margin: 20px 0; }
body.docs .swagger-ui .info hgroup.main, body.docs .swagger-ui .info__license { display: none; }
body.docs .swagger-ui .filter { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; padding-block: 12px; }
body.docs .swagger-ui .filter .operation-filter-input { flex: 1 1 240px; width: auto; max-width: none; margin: 0; box-sizing: border-box; }
body.docs .swagger-ui .filter output { font-size: 13px; color: var(--soft); }
body.docs .swagger-ui .filter ul { flex-basis: 100%; margin: 0; padding: 0; list-style: none; font-size: 14px; color: var(--soft); }
body.docs .swagger-ui .filter li { padding: 4px 0; overflow-wrap: anywhere; }
body.docs .swagger-ui .filter li a { color: var(--link); }
html.dark-mode .swagger-ui table.headers td { color: var(--soft); }
body.docs .swagger-ui .scheme-container { margin: 0 0 12px; padding: 12px 0; }
body.home main { display: grid; gap: 8px; padding: 8px 20px 40px; max-width: 900px; }
body.home main > section { min-width: 0; }
body.home h2 { margin: 20px 0 8px; font-size: 16px; }
body.home a { color: var(--link); font-weight: 600; }
body.home .doors { display: grid; grid-template-columns: repeat(auto-fill, minmax(260px, 1fr)); gap: 8px; margin: 0; padding: 0; list-style: none; }
body.home .doors li { padding: 10px 12px; border: 1px solid var(--line); border-radius: 6px; font-size: 14px; color: var(--soft); }
body.home .doors a { display: block; font-size: 15px; }
body.home figure { margin: 0 0 12px; }
body.home figcaption { display: flex; justify-content: space-between; align-items: center; min-height: 28px; font-size: 14px; }
body.home button { font: inherit; font-size: 13px; padding: 2px 10px; color: var(--ink); background: transparent; border: 1px solid var(--line); border-radius: 4px; cursor: pointer; }
body.home button:focus-visible, body.home pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
body.home pre { margin: 4px 0 0; padding: 10px 12px; overflow-x: auto; font: 13px/1.5 ui-monospace, monospace; border: 1px solid var(--line); border-radius: 6px; }
body.home table { border-collapse: collapse; font-size: 14px; }
body.home th, body.home td { padding: 6px 16px 6px 0; border-bottom: 1px solid var(--line); text-align: end; font-variant-numeric: tabular-nums; }
body.home th:first-child { text-align: start; }
body.home th small { font-weight: 400; color: var(--soft); }
@media (max-width: 700px) {
  body > header { grid-template-columns: 1fr; padding: 10px 12px; }
  body > header nav { flex-wrap: wrap; gap: 4px 16px; }
  body.home main { padding: 4px 12px 32px; }
  body.home thead { display: none; }
  body.home tr { display: grid; grid-template-columns: 1fr 1fr; padding: 8px 0; border-bottom: 1px solid var(--line); }
  body.home th:first-child { grid-column: 1 / -1; }
  body.home th, body.home td { padding: 2px 0; border: 0; text-align: start; }
  body.home td::after { content: " " attr(data-kind); color: var(--soft); }
  body.docs .swagger-ui .wrapper { padding: 0 12px; }
  body.docs .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  body.docs .swagger-ui .opblock-summary-path { max-width: 100%; word-break: break-word; }
  body.docs .swagger-ui .opblock-tag { flex-wrap: wrap; font-size: 18px; }
  body.docs .swagger-ui .opblock-tag small { flex-basis: 100%; padding: 0; }
  body.docs .swagger-ui .opblock-body table, body.docs .swagger-ui .opblock-body tbody, body.docs .swagger-ui .opblock-body tr, body.docs .swagger-ui .opblock-body td { display: block; width: auto; max-width: 100%; min-width: 0; }
  body.docs .swagger-ui .opblock-body thead { display: none; }
  body.docs .swagger-ui .parameters-col_description input, body.docs .swagger-ui .parameters-col_description textarea, body.docs .swagger-ui .parameters-col_description select { width: 100%; max-width: 100%; box-sizing: border-box; }
  .graphiql-container .graphiql-sidebar { width: 48px; }
  .graphiql-container .graphiql-session-header + div { flex-direction: column; overflow-y: auto; }
  .graphiql-container .graphiql-session-header + div > * { flex: none !important; height: 55vh; }
  .graphiql-container .graphiql-session-header + div > .graphiql-horizontal-drag-bar, .graphiql-container .graphiql-logo { display: none; }
}
@media print {
  :root { color-scheme: light; --ink: #000; --soft: #333; --paper: #fff; --line: #999; --link: #000; }
  body, body.graphiql { display: block; min-height: 0; }
  body > header nav, body > header p, body.home button { display: none; }
  body.home pre { white-space: pre-wrap; }
  body.docs .swagger-ui .filter, body.docs .swagger-ui .scheme-container, body.docs .swagger-ui .try-out, body.docs .swagger-ui .execute-wrapper,
  body.docs .swagger-ui .btn-group, body.docs .swagger-ui .authorization__btn, body.docs .swagger-ui .arrow, body.docs .swagger-ui .copy-to-clipboard { display: none; }
  body.docs .swagger-ui .microlight, body.docs .swagger-ui .microlight * { background: #fff !important; color: #000 !important; }
  body.docs .swagger-ui .opblock-summary, body.docs .swagger-ui tr { break-inside: avoid; }
  body.docs .swagger-ui .opblock-tag { break-after: avoid; }
}
`;
