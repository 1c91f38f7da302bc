import { fileURLToPath } from "node:url";

/**
 * The unit tests, which need no database, as plain Jest runs them: in a realm of their own for each file, so that code
 * runs anew that runs when a module is loaded.
 *
 * @type {import("jest").Config}
 */
export default {
  rootDir: fileURLToPath(new URL("../..", import.meta.url)),
  // Sources too: what a test needs only through another source is found by the imports of these.
  roots: ["<rootDir>/src", "<rootDir>/test"],
  testMatch: [
    "<rootDir>/test/**/*.rules.test.ts",
    "<rootDir>/test/core/{masks,moments,money,schedule}.test.ts",
    "<rootDir>/test/company-events/draw-rules.test.ts",
    "<rootDir>/test/balance/money.test.ts",
    "<rootDir>/test/shops/geofence-area.test.ts",
    "<rootDir>/test/properties/linear-pattern.test.ts",
  ],
  testEnvironment: "node",
  // The keys of conditions declare fields of inputs.
  setupFiles: ["reflect-metadata"],
  extensionsToTreatAsEsm: [".ts"],
  transform: { "\\.ts$": "<rootDir>/test/mutation/transform.mjs" },
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
  maxWorkers: 1,
};
