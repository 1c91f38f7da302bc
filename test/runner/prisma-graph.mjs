import { Module } from "node:module";

const RUNTIME = "/@prisma/client/runtime/client.js";
/** The function by which the runtime reads the graph of the schema: `function Ba(e){return new Li(e).deserialize()}`. */
const READER = /function (\w+)\((\w+)\)\{return new (\w+)\(\2\)\.deserialize\(\)\}/u;
/** The same function, which keeps what it has read last. */
const KEEPING =
  "let of$1,read$1;function $1($2){if(of$1!==$2)[of$1,read$1]=[$2,new $3($2).deserialize()];return read$1}";

/**
 * Has Prisma's runtime read its graph of the schema once for all clients of the worker. By itself it reads it for each client,
 * which takes 50 ms and 18 MB, and the services of the tests have some hundreds.
 */
export function readGraphOnce() {
  const { _compile: compile } = Module.prototype;
  Module.prototype._compile = function (content, path, ...rest) {
    return compile.call(this, path.endsWith(RUNTIME) ? keepingGraph(content) : content, path, ...rest);
  };
}

/** Returns the text of the runtime, changed where it reads the graph; a text without such a place stays as it is. */
export function keepingGraph(content) {
  return content.replace(READER, KEEPING);
}
