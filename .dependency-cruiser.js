/** The rooms that each room may import from. Any other import between rooms is an error. */
const ROOMS = {
  core: [],
  slices: ["core"],
  engine: ["core"],
  api: ["engine", "core"],
  demo: ["api", "engine", "slices", "core"],
  process: ["demo", "api", "slices", "engine", "core"],
  cli: ["process", "demo", "api", "slices", "engine", "core"],
  tools: [],
};

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  options: {
    doNotFollow: { path: ["node_modules", "src/generated"] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".mjs", ".js"] },
  },
  allowed: [
    // The files above the rooms connect them, so they may import from all.
    { from: { path: "^src/[^/]+$" }, to: {} },
    { from: {}, to: { pathNot: "^src/" } },
    { from: {}, to: { path: "^src/generated/" } },
    { from: { path: "^src/cli/" }, to: { path: "^src/[^/]+$" } },
    ...Object.entries(ROOMS).map(([room, others]) => ({
      from: { path: `^src/${room}/` },
      to: { path: `^src/(${[room, ...others].join("|")})/` },
    })),
  ],
  allowedSeverity: "error",
  forbidden: [
    {
      name: "no-http-in-slices",
      comment: "Slices and the kit import neither HTTP nor the server of GraphQL.",
      severity: "error",
      from: { path: "^src/(slices|core)/" },
      to: { path: "node_modules/(fastify|@fastify|@apollo)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-resolver-below",
      comment: "Resolvers call services and rules, which never import a resolver.",
      severity: "error",
      from: { path: "\\.(service|rules|conditions|sql|jobs)\\.ts$" },
      to: { path: "\\.resolver\\.ts$" },
    },
    {
      name: "no-circle",
      comment: "Only models may import one another in circles, as their rows refer to one another.",
      severity: "error",
      from: { path: "^src/" },
      to: { circular: true, viaOnly: { pathNot: "\\.model\\.ts$" } },
    },
  ],
};
