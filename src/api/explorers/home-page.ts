import { pageHead } from "../http/html-page.js";

const LINKS = `<link rel="icon" href="api/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="graphiql/explorer.css" />`;

/** A demo company, and how many rows of each kind it has. */
export interface DemoFigures {
  readonly id: number;
  readonly name: string;
  readonly figures: Readonly<Record<string, number>>;
}

/** The credentials that every demo admin has. */
export interface DemoLogin {
  readonly email: string;
  readonly password: string;
}

interface Home {
  /** The absolute address of the service, without a slash at its end. */
  readonly address: string;
  readonly version: string;
  readonly companies: readonly DemoFigures[];
  /** Who is signed in by the explorers; `null` where nobody is. */
  readonly login: DemoLogin | null;
}

/** The page at `/`: what runs here, and where to go on. Its addresses are relative, so that it works behind a path prefix. */
export function homePage({ address, version, companies, login }: Home): string {
  return `${pageHead("Commerce gateway", LINKS)}
  <body class="home">
    <header>
      <h1>Commerce gateway <span>${text(version)}</span></h1>
      <p>The back office of a multi-tenant commerce platform: one schema as GraphQL and as REST.
        ${session(login)}</p>
    </header>
    <main>
      <section aria-labelledby="explore">
        <h2 id="explore">Look around</h2>
        <ul class="doors">
          <li><a href="graphiql">GraphiQL</a> GraphQL with examples and reference, offline</li>
          <li><a href="graphql">Apollo Sandbox</a> the same by Apollo, from the Internet</li>
          <li><a href="api/docs">REST reference</a> every route; its examples run as they stand</li>
          <li><a href="api/docs/contract">The contract</a> what clients may rely on</li>
          <li><a href="api/docs/recipes">Recipes</a> typed clients, following changes, webhooks, keys</li>
          <li><a href="api/openapi.json">openapi.json</a> the REST reference for programs</li>
        </ul>
      </section>
      <section aria-labelledby="requests">
        <h2 id="requests">Three requests</h2>
        ${requestsOf(address, companies[0]?.id ?? 1, login)
          .map(request)
          .join("\n        ")}
      </section>
      ${companies.length === 0 ? "" : figuresOf(companies)}
    </main>
    <script src="graphiql/home.js"></script>
  </body>
</html>
`;
}

function session(login: DemoLogin | null): string {
  if (login === null)
    return "Nobody is signed in: <code>login</code> or <code>npm run -s token -- --admin EMAIL</code> gives a token.";
  return `Demo: the explorers sign you in as ${text(login.email)}, the owner of the first company.`;
}

/** A request that can be copied into a shell. */
interface Request {
  readonly title: string;
  readonly command: string;
}

function requestsOf(address: string, companyId: number, login: DemoLogin | null): readonly Request[] {
  const sent = "-H 'content-type: application/json'";
  const query = `{ goods(companyId: ${companyId}, first: 3) { nodes { id name priceE2 } } }`;
  const { email, password } = login ?? { email: "EMAIL", password: "PASSWORD" };
  const signIn = JSON.stringify({ email, password });
  return [
    {
      title: "Goods by GraphQL, open to everybody",
      command: `curl -s ${address}/graphql ${sent} \\\n  -d '${JSON.stringify({ query })}'`,
    },
    {
      title: "The same over REST",
      command: `curl -s '${address}/api/companies/${companyId}/goods?per_page=3&fields=id,name,price_e2'`,
    },
    {
      title: "Sign in, and ask who you are",
      command:
        `TOKEN=$(curl -s ${address}/api/auth/login ${sent} \\\n  -d '${signIn}' |\n` +
        `  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')\n` +
        `curl -s ${address}/api/me -H "authorization: Bearer $TOKEN"`,
    },
  ];
}

function request({ title, command }: Request): string {
  return `<figure><figcaption>${text(title)} <button type="button" hidden>Copy</button></figcaption><pre tabindex="0">${text(command)}</pre></figure>`;
}

function figuresOf(companies: readonly DemoFigures[]): string {
  const kinds = Object.keys(companies[0]?.figures ?? {});
  const rows = companies.map(
    ({ id, name, figures }) =>
      `<tr><th scope="row">${text(name)} <small>company ${id}</small></th>` +
      `${kinds.map((kind) => `<td data-kind="${kind}">${(figures[kind] ?? 0).toLocaleString("en")}</td>`).join("")}</tr>`,
  );
  return `<section aria-labelledby="demo">
        <h2 id="demo">The demo companies</h2>
        <table>
          <thead><tr><th scope="col">Company</th>${kinds.map((kind) => `<th scope="col">${kind}</th>`).join("")}</tr></thead>
          <tbody>${rows.join("")}</tbody>
        </table>
      </section>`;
}

function text(value: string): string {
  return value.replace(/[&<>"]/gu, (character) => `&#${character.charCodeAt(0)};`);
}

/** A script for the browser: it lets requests be copied where the browser allows that. */
export const HOME_START = `"use strict";
for (const button of navigator.clipboard ? document.querySelectorAll("figure button") : []) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.closest("figure").querySelector("pre").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}
`;
