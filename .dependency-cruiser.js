/** Which room may import from which: the arrows of `src/README.md`. What is not allowed here is refused. */
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
    // The files above the rooms put them together.
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
      comment: "Slices know neither HTTP nor what carries GraphQL.",
      severity: "error",
      from: { path: "^src/(slices|core)/" },
      to: { path: "node_modules/(fastify|@fastify|@apollo)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-resolver-below",
      comment: "Services and rules are called by resolvers and know none.",
      severity: "error",
      from: { path: "\\.(service|rules|sql|jobs)\\.ts$" },
      to: { path: "\\.resolver\\.ts$" },
    },
    {
      name: "no-circle",
      comment: "Only models may lead to one another in circles, as the rows do.",
      severity: "error",
      from: { path: "^src/" },
      to: { circular: true, viaOnly: { pathNot: "\\.model\\.ts$" } },
    },
  ],
};
