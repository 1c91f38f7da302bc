/** Runs in the browser: shows the reference, and fills the token in when this is the demo. */
export const DOCS_START = `"use strict";
(async () => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const shade = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", shade);
  shade();
  const { demo } = await (await fetch("docs/session")).json();
  if (demo) document.getElementById("session").textContent = "Demo: signed in as " + demo.email + ".";
  const ui = SwaggerUIBundle({
    url: "openapi.json",
    dom_id: "#root",
    deepLinking: true,
    filter: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis],
    onComplete: () => demo && ui.preauthorizeApiKey("bearerAuth", demo.token),
  });
})();
`;
