/**
 * Builds everything that `npm start` and `npm test` run: the Prisma client and the facts of models from `prisma/schema`,
 * then `src` → `dist`: TypeScript by swc, JSON as it is. When all of it is up to date, this takes a tenth of a second. The file is plain JavaScript, since
 * it is what turns TypeScript into code that node can run.
 *
 * `--generate-only` stops after what is generated from `prisma/schema`, which is all that Jest and tsc need.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { withBuildLock } from "./build-lock.mjs";
import { modelFacts } from "./model-facts.mjs";
import { sqlFunctions } from "./sql-functions.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const source = join(root, "src");
const output = join(root, "dist");
const schema = join(root, "prisma/schema");
const generated = join(source, "generated/prisma");
const facts = join(source, "generated/models.ts");
const functions = join(source, "generated/sql-functions.ts");
const generatedStamp = join(generated, ".built-from");
const outputStamp = join(output, ".built-from.json");
const require = createRequire(import.meta.url);

/** Generated code has no map: nobody looks for a mistake in it. */
const GENERATED = "generated/";
/**
 * A process keeps the text of its code, in twice the room where it has a letter beyond ASCII, and its maps: so both are made
 * without what only readers need, the comments and the sources.
 */
const SHORT = {
  output: { charset: "ascii" },
  minify: { compress: false, mangle: false, format: { comments: false } },
};

const schemaDigest = digestOfSchema();
const generateDue = readText(generatedStamp) !== schemaDigest;
const generateOnly = process.argv.includes("--generate-only");

if (generateDue || (!generateOnly && staleSources().stale)) {
  await withBuildLock(join(root, "node_modules/.cache/build.lock"), async () => {
    if (readText(generatedStamp) !== schemaDigest) {
      generateClient();
      writeModelFacts();
      writeFileSync(generatedStamp, schemaDigest);
    }
    if (!generateOnly) await compile();
  });
}

/**
 * Returns a digest of everything that is generated from the schema: its files, the version of Prisma's generator, and
 * the program that reads the facts.
 */
function digestOfSchema() {
  const hash = createHash("sha256").update(readFileSync(require.resolve("prisma/package.json")));
  for (const tool of ["model-facts.mjs", "sql-functions.mjs"])
    hash.update(readFileSync(fileURLToPath(new URL(tool, import.meta.url))));
  for (const text of functionTexts()) hash.update(text);
  for (const name of schemaFiles()) hash.update(name).update(readFileSync(join(schema, name)));
  return hash.digest("hex");
}

function schemaFiles() {
  return readdirSync(schema)
    .filter((name) => name.endsWith(".prisma"))
    .sort();
}

/** The texts of the SQL functions. */
function functionTexts() {
  return readdirSync(source, { recursive: true })
    .filter((name) => name.endsWith(".function.sql"))
    .sort()
    .map((name) => readFileSync(join(source, name), "utf8"));
}

function writeModelFacts() {
  const models = schemaFiles().map((name) => readFileSync(join(schema, name), "utf8"));
  const tables = models.flatMap((text) =>
    [...text.matchAll(/^ {2}@@map\("(?<table>\w+)"\)/gmu)].map(({ groups }) => groups.table),
  );
  try {
    replaceFile(facts, modelFacts(models));
    replaceFile(functions, sqlFunctions(functionTexts(), tables));
  } catch (error) {
    fail(`prisma/schema: ${error.message}`);
  }
}

/**
 * Makes the client. `prisma generate` looks for its schema-engine binary and would download it, although it does
 * not need it; the path of any existing file keeps it from the network.
 */
function generateClient() {
  rmSync(generated, { recursive: true, force: true });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(dirname(require.resolve("prisma/package.json")), "build/index.js"), "generate", "--schema", schema],
    {
      cwd: root,
      encoding: "utf8",
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: "1",
        CHECKPOINT_DISABLE: "1",
      },
    },
  );
  if (status !== 0) fail(`prisma generate failed:\n${stdout}${stderr}`);
}

/** Compiles the sources that are newer than the last build, and removes compiled files whose source is gone. */
async function compile() {
  const { files, settings, built, known } = staleSources();
  const { transformFile } = await import("@swc/core");
  const options = JSON.parse(readFileSync(join(root, ".swcrc"), "utf8"));
  delete options.$schema;
  const failures = [];
  const due = Object.keys(files).filter((file) => built[file] !== files[file] || !existsSync(outputOf(file)));
  await Promise.all(
    due.map(async (file) => {
      const target = outputOf(file);
      if (file.endsWith(".json")) return replaceFile(target, readFileSync(join(source, file)));
      try {
        const { code, map } = await transformFile(join(source, file), {
          ...options,
          inlineSourcesContent: false,
          jsc: { ...options.jsc, ...SHORT },
          swcrc: false,
          sourceFileName: relative(dirname(target), join(source, file)),
        });
        mkdirSync(dirname(target), { recursive: true });
        if (file.startsWith(GENERATED)) return replaceFile(target, code);
        replaceFile(`${target}.map`, map);
        replaceFile(
          target,
          `${code}\n//# sourceMappingURL=${target.slice(target.lastIndexOf("/") + 1)}.map\n`,
        );
      } catch (error) {
        failures.push(`${file}: ${error.message}`);
      }
    }),
  );
  if (failures.length > 0) fail(failures.join("\n"));
  for (const file of known) {
    if (!(file in files)) for (const suffix of ["", ".map"]) rmSync(outputOf(file) + suffix, { force: true });
  }
  replaceFile(outputStamp, JSON.stringify({ settings, files }));
}

/** Returns every source with its size and time, as they are now and as they were at the last build, whose files are known. */
function staleSources() {
  const files = {};
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/(?<!\.d)\.ts$|\.json$/.test(entry.name)) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const { size, mtimeMs } = statSync(path);
    files[relative(source, path)] = `${size}:${mtimeMs}`;
  }
  const settings = createHash("sha256")
    .update(readFileSync(join(root, ".swcrc")))
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .update(readFileSync(require.resolve("@swc/core/package.json")))
    .digest("hex");
  const last = JSON.parse(readText(outputStamp) ?? "{}");
  const built = last.settings === settings ? last.files : {};
  const names = Object.keys(files);
  const stale =
    names.length !== Object.keys(built).length || names.some((file) => files[file] !== built[file]);
  return { files, settings, built, known: Object.keys(last.files ?? {}), stale };
}

function outputOf(file) {
  return join(output, file.replace(/\.ts$/, ".js"));
}

/** Replaces a file in one step, so that a process that starts meanwhile never reads half of it. */
function replaceFile(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
