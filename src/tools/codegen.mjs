/**
 * Generates types for programs of this project that are clients: of operations by `codegen.yml`, and of the REST routes. When
 * both are up to date, this takes a tenth of a second.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withBuildLock } from "./build-lock.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const stamp = join(root, "src/generated/.generated-from");
const outputs = ["operations.ts", "rest.ts"].map((name) => join(root, "src/generated", name));

const isDue = () =>
  !outputs.every((file) => existsSync(file)) ||
  !existsSync(stamp) ||
  readFileSync(stamp, "utf8") !== digestOfSources();

if (isDue())
  await withBuildLock(join(root, "node_modules/.cache/codegen.lock"), () => {
    if (!isDue()) return;
    const digest = digestOfSources();
    mkdirSync(dirname(stamp), { recursive: true });
    run("graphql-codegen", "--config", "codegen.yml", "--silent");
    run("openapi-typescript", "schema/openapi.json", "--output", "src/generated/rest.ts");
    writeFileSync(stamp, digest);
  });

/** Returns a digest of all that the types follow from: the two references, the documents, and the versions of packages. */
function digestOfSources() {
  const documents = ["schema/rest", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith(".graphql"))
      .map((name) => `${folder}/${name}`),
  );
  const sources = ["codegen.yml", "package-lock.json", "schema/openapi.json", "schema/schema.graphql"];
  const hash = createHash("sha256");
  for (const file of [...sources, ...documents].sort())
    hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function run(command, ...args) {
  const { status, stdout, stderr } = spawnSync(join(root, "node_modules/.bin", command), args, {
    cwd: root,
    encoding: "utf8",
  });
  if (status === 0) return;
  process.stderr.write(`${command} failed:\n${stdout}${stderr}`);
  process.exit(1);
}
