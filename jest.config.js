/** @type {import("jest").Config} */
export default {
  rootDir: import.meta.dirname,
  roots: ["<rootDir>/src", "<rootDir>/test"],
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  // All test files of a worker share its modules, its service and its database, see `test/README.md`.
  testEnvironment: "<rootDir>/test/runner/environment.mjs",
  testRunner: "<rootDir>/test/runner/run-file.mjs",
  testSequencer: "<rootDir>/test/runner/longest-first.mjs",
  transform: {},
  // Only for --watch and --onlyChanged: sources name their neighbours by the names they will have once they are built.
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
  globalSetup: "<rootDir>/test/support/global-setup.mjs",
  globalTeardown: "<rootDir>/test/support/global-teardown.mjs",
  // There is one worker more than a small machine has cores, since some tests wait for processes and clocks.
  maxWorkers: 3,
  // A worker that has nothing left to do frees its heap of some 500 MB, which takes longer than the half second that Jest
  // allows when the machine is busy. What a test leaves behind keeps its worker for good, and is reported after this time.
  workerGracefulExitTimeout: 10_000,
  testTimeout: 60_000,
};
