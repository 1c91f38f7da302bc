import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import circus from "jest-circus/runner";
import { register } from "tsx/esm/api";

const require = createRequire(import.meta.url);
const KEPT_BY_CIRCUS = ["JEST_STATE_SYMBOL", "EVENT_HANDLERS"];
let imports = 0;

register();
process.setSourceMapsEnabled(true);

/**
 * Runs one test file as Jest does, with its own jest-circus, but imports it by node: what it imports is loaded once
 * for all files of the worker. Jest's own loader would load all of that for each file again, which takes seconds.
 */
export default function runFile(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  runtime.requireInternalModule = loadAnew;
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = (path) => {
    globalThis.jest = runtime.requireModuleOrMock(path, "@jest/globals").jest;
    // Another address each time, or node would not run again a file that is watched.
    return import(`${pathToFileURL(path).href}?import=${(imports += 1)}`);
  };
  return circus.default(globalConfig, config, environment, runtime, testPath, sendMessageToJest);
}

/** Circus keeps the tests of a file and who listens to them on the global object; a fresh one knows of none. */
function loadAnew(path) {
  for (const key of Object.getOwnPropertySymbols(globalThis)) {
    if (KEPT_BY_CIRCUS.includes(key.description)) delete globalThis[key];
  }
  delete require.cache[path];
  return require(path);
}
