import "reflect-metadata";
import asyncHooks from "node:async_hooks";
import { createRequire, register as registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import circus from "jest-circus/runner";
import { register } from "tsx/esm/api";
import { shareAmongClients } from "./prisma-clients.mjs";

const require = createRequire(import.meta.url);
const KEPT_BY_CIRCUS = ["JEST_STATE_SYMBOL", "EVENT_HANDLERS"];
const STACK_FRAMES = 10;
/** A function runs so many bytes of code before V8 optimises it. */
const INTERRUPT_BUDGET = 1_000_000;
let imports = 0;

shareAmongClients();
register();
registerHooks("./built-sources.mjs", import.meta.url);
process.setSourceMapsEnabled(true);
// Most of what tests run is new, and runs a few times: with the usual budget of 66 kB, node 20 spends a fifth of the processor
// time on optimising it. Node 24 has other rules and no such flag.
if (process.versions.node.startsWith("20.")) setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);

/**
 * Runs one test file with Jest's own jest-circus, but node imports the file: a module is loaded once for all files
 * of the worker. Jest's own loader would load every module again for each file, which takes seconds.
 */
export default function runFile(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  // Jest has 100 frames recorded for each error, which makes the service's refusals several times as dear.
  Error.stackTraceLimit = STACK_FRAMES;
  runtime.requireInternalModule = loadAnew;
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = (path) => {
    globalThis.jest = runtime.requireModuleOrMock(path, "@jest/globals").jest;
    // The address differs each time, since node would not run a file again that is being watched.
    return import(`${pathToFileURL(path).href}?import=${(imports += 1)}`);
  };
  return circus.default(globalConfig, config, environment, runtime, testPath, sendMessageToJest);
}

/**
 * Loads jest-circus anew. It keeps the tests of a file and their listeners on the global object; a new one has
 * none.
 */
function loadAnew(path) {
  for (const key of Object.getOwnPropertySymbols(globalThis)) {
    if (KEPT_BY_CIRCUS.includes(key.description)) delete globalThis[key];
  }
  delete require.cache[path];
  return withContexts(() => require(path));
}

/** Loads a module that remembers by contexts which test runs. */
function withContexts(load) {
  const { AsyncLocalStorage } = asyncHooks;
  asyncHooks.AsyncLocalStorage = ContextOfOneTest;
  try {
    return load();
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

/**
 * Knows what runs now. Tests of a file run one after the other, so it need not follow each promise, as node's own class does:
 * that costs every promise of the worker.
 */
class ContextOfOneTest {
  #store;

  getStore() {
    return this.#store;
  }

  run(store, work, ...args) {
    const before = this.#store;
    this.#store = store;
    const back = () => void (this.#store = before);
    let result;
    try {
      result = work(...args);
    } finally {
      if (typeof result?.then !== "function") back();
    }
    if (typeof result?.then === "function") result.then(back, back);
    return result;
  }
}
