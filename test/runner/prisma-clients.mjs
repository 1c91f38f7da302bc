import { Module } from "node:module";

const RUNTIME = "/@prisma/client/runtime/client.js";
/** The function by which the runtime reads the graph of the schema: `function Ba(e){return new Li(e).deserialize()}`. */
const READER = /function (\w+)\((\w+)\)\{return new (\w+)\(\2\)\.deserialize\(\)\}/u;
/** The same function, which keeps what it has read last. */
const KEEPING =
  "let of$1,read$1;function $1($2){if(of$1!==$2)[of$1,read$1]=[$2,new $3($2).deserialize()];return read$1}";

/** Where the runtime makes the room for the plans of a client: `new gn(t.queryPlanCacheMaxSize)`. */
const PLANS = /new (\w+)\(\w+\.queryPlanCacheMaxSize\)/u;
/** All clients of the worker have so many plans in one room; the schema is the same for all of them, and so are its plans. */
const SHARED_PLANS = "(globalThis[Symbol.for('prisma plans of tests')]??=new $1(4000))";

/**
 * Has the clients of the worker share what Prisma's runtime makes of the schema: the graph, which each would read in 50 ms and keep
 * in 18 MB, and the plans of queries, each of which takes some milliseconds. The services of the tests have hundreds of clients.
 */
export function shareAmongClients() {
  const { _compile: compile } = Module.prototype;
  Module.prototype._compile = function (content, path, ...rest) {
    const text = path.endsWith(RUNTIME) ? sharingPlans(keepingGraph(content)) : content;
    return compile.call(this, text, path, ...rest);
  };
}

/** Returns the text of the runtime, changed where a client makes its room for plans; a text without such a place stays as it is. */
export function sharingPlans(content) {
  return content.replace(PLANS, SHARED_PLANS);
}

/** Returns the text of the runtime, changed where it reads the graph; a text without such a place stays as it is. */
export function keepingGraph(content) {
  return content.replace(READER, KEEPING);
}
