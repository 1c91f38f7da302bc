import { EXAMPLES } from "./examples.js";

/** A script for the browser: it starts GraphiQL with the examples, and signs requests in when this is the demo. */
export const GRAPHIQL_START = `"use strict";
(async () => {
  const FRESH_MS = 10 * 60 * 1000;
  const given = new Map();
  let session = { demo: null };
  let askedAt = 0;
  const refresh = async () => {
    session = await (await fetch("graphiql/session")).json();
    askedAt = Date.now();
    for (const name of ["token", "clientToken"]) if (session.demo) given.set("Bearer " + session.demo[name], name);
  };
  await refresh();

  // A token that the demo gave out is replaced before it expires; a token of the reader's own goes as it is.
  const fetcher = async ({ query, operationName, variables }, options) => {
    const headers = { ...(options && options.headers) };
    const header = Object.keys(headers).find((key) => key.toLowerCase() === "authorization") || "Authorization";
    if (session.demo && (headers[header] === undefined || given.has(headers[header]))) {
      const name = given.get(headers[header]) || "token";
      if (Date.now() - askedAt > FRESH_MS) await refresh();
      if (session.demo) headers[header] = "Bearer " + session.demo[name];
    }
    // Right after a change of tabs the name may still be the other tab's.
    const isThere = operationName && new RegExp("\\\\b" + operationName + "\\\\b").test(query);
    const named = isThere ? { operationName } : {};
    const answer = await fetch("graphql", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...headers },
      body: JSON.stringify({ query, ...named, variables }),
    });
    return answer.json();
  };

  const headersOf = (name) =>
    session.demo ? JSON.stringify({ Authorization: "Bearer " + session.demo[name] }, null, 2) : undefined;
  if (session.demo)
    document.getElementById("session").textContent =
      "Demo: you are signed in as " + session.demo.email + "; the token is under Headers.";

  // Tab writes inside an editor; Escape gives the keyboard back to the page.
  document.addEventListener("keydown", ({ key, target }) => {
    const editor = key === "Escape" && target.closest(".graphiql-editor, .result-window");
    if (editor && !editor.querySelector(".suggest-widget.visible, .find-widget.visible")) editor.focus();
  }, true);

  self.MonacoEnvironment = {
    globalAPI: false,
    getWorkerUrl: (_module, label) => {
      const file = { editorWorkerService: "editor", json: "json", graphql: "graphql" }[label];
      return new URL("graphiql/" + file + "-worker.js", location.href).href;
    },
  };
  const examples = ${JSON.stringify(EXAMPLES)};
  YogaGraphiQL.renderYogaGraphiQL(document.getElementById("root"), {
    title: "GraphiQL",
    fetcher,
    shouldPersistHeaders: false,
    headers: headersOf("token"),
    defaultTabs: examples.map(({ query, variables, as }) => ({
      query,
      variables,
      headers: headersOf(as === "client" ? "clientToken" : "token"),
    })),
  });
})();
`;
