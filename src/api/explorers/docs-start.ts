/**
 * A script for the browser: it shows the reference, lets it be searched by words, and fills in the tokens of the demo.
 *
 * Swagger UI would read the whole document again for each operation that is opened, which takes seconds; of this document,
 * which is known to be sound, the references are put in place here.
 */
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

  const MOST_SHOWN = 30;
  const operations = Object.entries(spec.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, tags: [tag], summary, description }]) => ({
      method: method.toUpperCase(),
      path,
      summary,
      hash: "#/" + tag + "/" + operationId,
      text: [operationId, tag, method, path, summary, description].join("\\n").toLowerCase(),
    })),
  );
  const matching = (phrase) => {
    const words = phrase.toLowerCase().split(/\\s+/).filter(Boolean);
    return words.length === 0 ? [] : operations.filter(({ text }) => words.every((word) => text.includes(word)));
  };
  // The filter of Swagger UI draws whatever fits with all its parts, which takes a minute for a common word.
  const searching = ({ React: { createElement: element, useMemo, useState } }) => ({
    components: {
      FilterContainer: ({ layoutActions }) => {
        const [phrase, setPhrase] = useState("");
        const found = useMemo(() => matching(phrase), [phrase]);
        const open = (event, hash) => {
          event.preventDefault();
          history.pushState(null, "", encodeURI(hash));
          layoutActions.parseDeepLinkHash(hash);
        };
        const links = found.slice(0, MOST_SHOWN).map(({ method, path, summary, hash }) =>
          element("li", { key: hash },
            element("a", { href: encodeURI(hash), onClick: (event) => open(event, hash) },
              element("b", null, method), " ", element("code", null, path)),
            " ", summary),
        );
        const count = phrase.trim() === "" ? "" : found.length + " of " + operations.length + " operations";
        return element("div", { className: "filter wrapper", role: "search" },
          element("input", {
            className: "operation-filter-input",
            type: "search",
            "aria-label": "Search operations",
            placeholder: "Search by words of names, paths and descriptions",
            value: phrase,
            onChange: ({ target }) => setPhrase(target.value),
          }),
          element("output", null, count + (found.length > MOST_SHOWN ? ", of which the first are shown" : "")),
          element("ul", null, links),
        );
      },
    },
  });

  const documentUrl = new URL("openapi.json", location.href).href;
  const at = (keys) => keys.reduce((node, key) => node && node[key], spec);
  const whole = (node, within = []) => {
    if (typeof node !== "object" || node === null) return node;
    if (Array.isArray(node)) return node.map((one) => whole(one, within));
    const { $ref, ...own } = node;
    if (typeof $ref !== "string")
      return Object.fromEntries(Object.entries(node).map(([key, one]) => [key, whole(one, within)]));
    if (within.includes($ref)) return node;
    const keys = $ref.slice(2).split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    return { ...whole(at(keys), [...within, $ref]), ...own, $$ref: documentUrl + $ref };
  };
  // What has a "$$ref" is taken as it is where Swagger UI puts its states together.
  const sound = () => ({
    statePlugins: {
      spec: {
        wrapActions: {
          requestResolvedSubtree: (_original, { specActions }) => (keys) => {
            const part = whole(at(keys));
            const isOperation = keys[0] === "paths" && part !== undefined;
            specActions.updateResolvedSubtree(
              keys,
              isOperation ? { security: spec.security, ...part, $$ref: documentUrl } : part,
            );
          },
        },
        wrapSelectors: {
          // The original joins all parameters of the operation with their states to return one.
          parameterWithMetaByIdentity: (original, { specSelectors }) => (state, pathMethod, parameter) => {
            const [place, name] = [parameter.get("in"), parameter.get("name")];
            const own = specSelectors
              .specJsonWithResolvedSubtrees()
              .getIn(["paths", ...pathMethod, "parameters"])
              ?.find((one) => one.get("in") === place && one.get("name") === name);
            if (own === undefined) return original(state, pathMethod, parameter);
            const states = state.getIn(["meta", "paths", ...pathMethod, "parameters"]);
            const byName = states?.get(place + "." + name);
            const byHash = states?.get(place + "." + name + ".hash-" + parameter.hashCode());
            return own.merge(byName ?? {}, byHash ?? {});
          },
        },
      },
    },
  });

  const ui = SwaggerUIBundle({
    spec,
    dom_id: "#root",
    deepLinking: true,
    docExpansion: "none",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [searching, sound],
    requestInterceptor: renewToken,
    onComplete: () => demo && signIn(),
  });
  const signIn = () => ui.preauthorizeApiKey("bearerAuth", demo[callers.value]);
  callers.addEventListener("change", signIn);
})();
`;
