/** A script for the browser: it shows the reference, and fills in the tokens of the demo. */
export const DOCS_START = `"use strict";
(async () => {
  const FRESH_MS = 10 * 60 * 1000;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const shade = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", shade);
  shade();

  // A token that the demo gave out is replaced before it expires; a token of the reader's own goes as it is.
  const given = new Map();
  let demo = null;
  let askedAt = 0;
  const refresh = async () => {
    ({ demo } = await (await fetch("docs/session")).json());
    askedAt = Date.now();
    for (const name of ["token", "clientToken"]) if (demo) given.set("Bearer " + demo[name], name);
  };
  const renewToken = async (request) => {
    const name = given.get(request.headers && request.headers.Authorization);
    if (name && Date.now() - askedAt > FRESH_MS) await refresh();
    if (name && demo) request.headers.Authorization = "Bearer " + demo[name];
    return request;
  };

  await refresh();
  const callers = document.createElement("select");
  if (demo) {
    callers.setAttribute("aria-label", "Signed in as");
    callers.append(new Option(demo.email, "token"), new Option("a client", "clientToken"));
    document.getElementById("session").replaceChildren("Demo: you are signed in as ", callers);
  }
  // Requests go to the service that has sent the page, by whatever name the reader knows it.
  const spec = await (await fetch("openapi.json")).json();
  spec.servers = [{ url: new URL(".", location.href).pathname.replace(/\\/$/, "") }];
  const ui = SwaggerUIBundle({
    spec,
    dom_id: "#root",
    deepLinking: true,
    filter: true,
    docExpansion: "none",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis],
    requestInterceptor: renewToken,
    onComplete: () => demo && signIn(),
  });
  const signIn = () => ui.preauthorizeApiKey("bearerAuth", demo[callers.value]);
  callers.addEventListener("change", signIn);
})();
`;
