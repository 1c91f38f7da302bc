import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import { assertOperator } from "../../engine/request/operator-token.js";
import { PALETTE, pageHead } from "../http/html-page.js";

/** The pages of the contract by their paths below `/docs/`; they link to one another by their files. */
const PAGES: ReadonlyMap<string, { file: string; title: string }> = new Map([
  ["contract", { file: "README.md", title: "The public contract" }],
  ["recipes", { file: "CLIENTS.md", title: "Typed clients" }],
  ["glossary", { file: "GLOSSARY.md", title: "Glossary" }],
  ["changes", { file: "CHANGELOG.md", title: "Changes of the contract" }],
]);

/** The pages are text: they run nothing and load nothing. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const CSS = `${PALETTE}
body { margin: 0 auto; max-width: 56rem; padding: 16px 20px 48px; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
nav { display: flex; flex-wrap: wrap; gap: 4px 20px; padding-bottom: 12px; border-bottom: 1px solid var(--line); font-size: 14px; }
nav [aria-current] { font-weight: 600; color: inherit; text-decoration: none; }
a { color: var(--link); }
h1, h2, h3 { line-height: 1.25; scroll-margin-top: 12px; }
h2 { margin-top: 2.2em; border-bottom: 1px solid var(--line); }
code { font: 0.88em ui-monospace, monospace; }
pre { padding: 12px; border: 1px solid var(--line); border-radius: 6px; }
pre, .table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; }
th, td { padding: 5px 10px 5px 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
details { margin: 16px 0; font-size: 14px; }
details li { margin: 2px 0; }
@media print { nav, details { display: none; } :root { --ink: #000; --paper: #fff; --link: #000; } pre { white-space: pre-wrap; } }
`;

/** Serves the pages of the contract as HTML. @param token is the operator's token that they ask for, as the reference does. */
export function contractPages(app: FastifyInstance, { token }: { token: string | null }): void {
  for (const [path, { file, title }] of PAGES) {
    let html: Promise<string> | undefined;
    app.get(`/docs/${path}`, async (request, reply) => {
      assertOperator(request.headers.authorization, token);
      html ??= pageOf(path, title, file);
      return reply
        .header("content-security-policy", POLICY)
        .header("cache-control", token === null ? "public, max-age=300" : "private, no-store")
        .type("text/html; charset=utf-8")
        .send(await html);
    });
  }
}

async function pageOf(path: string, title: string, file: string): Promise<string> {
  const [{ Marked }, markdown] = await Promise.all([
    import("marked"),
    readFile(new URL(`../../../schema/${file}`, import.meta.url), "utf8"),
  ]);
  const sections: string[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const inner = this.parser.parseInline(tokens);
        const id = anchorOf(text);
        if (depth === 2) sections.push(`<li><a href="#${id}">${inner}</a></li>`);
        return `<h${depth} id="${id}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(href);
        return target === null ? inner : `<a href="${target}">${inner}</a>`;
      },
    },
  });
  const text = (await marked.parse(markdown))
    .replaceAll("<table>", '<div class="table" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>");
  const others = [...PAGES].map(([name, page]) =>
    name === path ? `<a aria-current="page">${page.title}</a>` : `<a href="${name}">${page.title}</a>`,
  );
  return `${pageHead(`Commerce gateway – ${title}`, `<style>${CSS}</style>`)}
<body>
<nav aria-label="Pages">${others.join("\n")} <a href="../openapi.json">openapi.json</a></nav>
<details><summary>Sections</summary><ul>${sections.join("\n")}</ul></details>
<main>${text}</main>
</body>
</html>
`;
}

/** The anchor of a heading, as it is in links of the pages. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

/** Where a link of a page leads to; `null` for files that are not served. */
function targetOf(href: string): string | null {
  if (/^(?:https?:|#)/u.test(href)) return href;
  const [file = "", anchor] = href.split("#");
  const path = [...PAGES].find(([, page]) => page.file === file)?.[0];
  if (path === undefined) return null;
  return anchor === undefined ? path : `${path}#${anchor}`;
}
