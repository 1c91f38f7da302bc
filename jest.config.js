import { readFileSync } from "node:fs";

const swc = JSON.parse(readFileSync(new URL(".swcrc", import.meta.url), "utf8"));
delete swc.$schema;
delete swc.sourceMaps;

/** @type {import("jest").Config} */
export default {
  rootDir: import.meta.dirname,
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  testEnvironment: "node",
  transform: { "\\.ts$": ["@swc/jest", { ...swc, swcrc: false, sourceMaps: "inline" }] },
  extensionsToTreatAsEsm: [".ts"],
  // Sources name their neighbours by the names they will have once they are built.
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
  globalSetup: "<rootDir>/test/support/global-setup.mjs",
  globalTeardown: "<rootDir>/test/support/global-teardown.mjs",
  // One more than the cores of a small machine: some tests wait for processes and clocks.
  setupFiles: ["<rootDir>/test/support/quick-graphql.mjs"],
  maxWorkers: 3,
  testTimeout: 30_000,
  collectCoverageFrom: ["src/**/*.ts", "!src/generated/**", "!src/cli/**"],
};
