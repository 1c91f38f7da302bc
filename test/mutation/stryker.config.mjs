/**
 * Mutates rules and the kit, and says which changes no unit test notices: `npm run mutate`, on demand. What only tests
 * with a database run counts as not covered.
 */
export default {
  mutate: ["src/slices/**/*.{rules,conditions}.ts", "src/core/**/*.ts"],
  testRunner: "jest",
  testRunnerNodeArgs: ["--experimental-vm-modules"],
  jest: { configFile: "test/mutation/jest.config.mjs", enableFindRelatedTests: true },
  coverageAnalysis: "perTest",
  // Most texts are messages; what decides by a text is mutated by its comparison.
  mutator: { excludedMutations: ["StringLiteral"] },
  ignorePatterns: ["/.data", "/dist", "/prisma", "/schema", "/test/bench", "/test/prove", "/test/sheets"],
  reporters: ["clear-text", "html"],
  htmlReporter: { fileName: "dist/mutation.html" },
  jsonReporter: { fileName: "dist/mutation.json" },
  tempDirName: "dist/mutation",
  // What runs once, when a module is loaded, would take all tests for each of its mutants.
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 20_000,
  checkers: [],
  disableTypeChecks: true,
};
