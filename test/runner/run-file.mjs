import "reflect-metadata";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import circus from "jest-circus/runner";
import { register } from "tsx/esm/api";

const require = createRequire(import.meta.url);
const KEPT_BY_CIRCUS = ["JEST_STATE_SYMBOL", "EVENT_HANDLERS"];
const STACK_FRAMES = 10;
let imports = 0;

register();
process.setSourceMapsEnabled(true);

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
  return require(path);
}
