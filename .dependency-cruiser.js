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

/** The rooms of the engine from the ground up: each may import from those that stand before it. */
export const ENGINE = [
  "triggers",
  "processes",
  "secrets",
  "embedded-postgres",
  "validation",
  "errors",
  "schema",
  "limits",
  "audit",
  "counts",
  "reads",
  "writes",
  "texts",
  "tenancy",
  "connections",
  "fetching",
  "sheets",
  "storage",
  "loading",
  "idempotency",
  "request",
  "guard",
  "execution",
  "worker",
  "migrations",
  "observability",
];

/**
 * The slices whose services, rules and statements each slice may use; one that is missing uses none. Every slice may refer to
 * the models of all others, since rows refer to rows. Nothing here leads in a circle but the prices of carts and orders, which
 * coupons need and which need the promos among coupons.
 */
export const SLICES = {
  admins: ["auth", "balance", "clients", "shops"],
  "api-keys": ["admins", "auth"],
  carts: ["coupons", "goods", "properties"],
  "client-addresses": ["clients", "shops"],
  clients: ["balance"],
  companies: ["admins", "auth"],
  "company-events": ["coupons"],
  coupons: ["balance", "carts", "clients", "companies", "orders", "shops"],
  forms: ["companies", "properties", "shops"],
  goods: ["clients", "shops"],
  imports: ["companies", "goods", "properties", "shops"],
  orders: ["carts"],
  properties: ["goods", "shops"],
  providers: ["balance"],
  shops: ["balance"],
  webhooks: ["audit"],
};

/**
 * The way of a code through the folders of coupons, from what is given to what is written: each may import from those before it.
 * What stands in no folder is what they share: the coupon itself, its states and its config.
 */
export const COUPONS = ["amounts", "conditions", "checks", "uses"];

/** The rooms in which not everything may import everything. */
const IN_FLOORS = new Set(["engine", "slices"]);

/** All before a name in a list, and the name itself. */
const upTo = (names, name) => names.slice(0, names.indexOf(name) + 1).join("|");

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
      to: { path: `^src/(${(IN_FLOORS.has(room) ? others : [room, ...others]).join("|")})/` },
    })),
    ...ENGINE.map((room) => ({
      from: { path: `^src/engine/${room}/` },
      to: { path: `^src/engine/(${upTo(ENGINE, room)})/` },
    })),
    { from: { path: "^src/slices/([^/]+)/" }, to: { path: "^src/slices/$1/" } },
    { from: { path: "^src/slices/" }, to: { path: "^src/slices/.+\\.model\\.ts$" } },
    ...Object.entries(SLICES).map(([slice, others]) => ({
      from: { path: `^src/slices/${slice}/` },
      to: { path: `^src/slices/(${others.join("|")})/` },
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
      name: "no-prisma-above-the-engine",
      comment:
        "Prisma's reach ends at the engine: others have `core/db`. The demo data are rows, so they may insert them.",
      severity: "error",
      from: { path: "^src/(core|slices|api|process|cli)/" },
      to: { path: "^src/generated/prisma/|node_modules/(@prisma|\\.prisma|prisma)/" },
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
      to: { circular: true, via: { pathNot: "\\.model\\.ts$" } },
    },
    ...COUPONS.slice(0, -1).map((folder) => ({
      name: `coupons-forward-from-${folder}`,
      comment: "A code goes through the folders of coupons in one direction.",
      severity: "error",
      from: { path: `^src/slices/coupons/${folder}/` },
      to: { path: `^src/slices/coupons/(${COUPONS.slice(COUPONS.indexOf(folder) + 1).join("|")})/` },
    })),
  ],
};
