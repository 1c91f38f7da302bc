import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const SOURCES = new URL("../../src/", import.meta.url).href;
const BUILT = new URL("../../dist/", import.meta.url).href;

/** Where the packages stand that compiled code imports: all of it sees the same ones. */
const packages = new Map();

/** Hooks of node's loader: what a test imports of `src` is taken as `src/tools/build.mjs` has compiled it, as production runs it. */
export async function resolve(specifier, context, next) {
  if (context.parentURL?.startsWith(BUILT)) return resolveBuilt(specifier, context, next);
  const found = await next(specifier, context);
  if (!found.url.startsWith(SOURCES) || !found.url.endsWith(".ts")) return found;
  const url = BUILT + found.url.slice(SOURCES.length, -".ts".length) + ".js";
  return existsSync(fileURLToPath(url)) ? { url, format: "module", shortCircuit: true } : found;
}

/** Resolves what compiled code imports. It names files as they are, so nothing has to be looked for, as tsx does for sources. */
async function resolveBuilt(specifier, context, next) {
  if (specifier.startsWith(".") && specifier.endsWith(".js"))
    return { url: new URL(specifier, context.parentURL).href, format: "module", shortCircuit: true };
  const known = packages.get(specifier);
  if (known !== undefined) return known;
  const found = await next(specifier, context);
  if (!specifier.startsWith(".")) packages.set(specifier, { ...found, shortCircuit: true });
  return found;
}

export async function load(url, context, next) {
  if (!url.startsWith(BUILT) || context.format !== "module") return next(url, context);
  return { format: "module", source: await readFile(new URL(url)), shortCircuit: true };
}
