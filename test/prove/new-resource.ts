/**
 * Proves that a resource takes what "Add a resource" in `src/README.md` says, and no more: it makes one in a copy of the
 * project by `npm run new:resource`, and runs the checks and tests that find out what a resource lacks. It exits with 1 when
 * one of them fails, or when the tests do not tell a forgotten filler by a single failure.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COLUMNS = ["email:text", "rating:int", "enabled:boolean"];
/** What all tables, types and routes are held to, besides the suites that `--slice` narrows. */
const TESTS = [
  ...["agreement", "list-indexes", "model-names", "privileges", "sql-sources", "tenancy", "versions"].map(
    (name) => `test/data/${name}`,
  ),
  "test/demo",
  "test/resources/resources",
  ...["coverage", "every-field", "examples-run", "openapi"].map((name) => `test/rest/${name}`),
];
const FILLER = /^ {2}Supplier: .*\n/mu;

const copy = mkdtempSync(join(tmpdir(), "new-resource-"));
try {
  copyProject();
  const changed = await proveGreen();
  proveForgottenFiller();
  process.stdout.write(`A resource took ${changed.length} files, and all that it is held to was green.\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** Copies what git knows or would take in, as a commit of its own, so that it can tell what a resource changes. */
function copyProject(): void {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  for (const path of new Set(listed.split("\0").filter(Boolean))) cpSync(join(ROOT, path), join(copy, path));
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=prove", "-c", "user.email=prove@example.com", "commit", "-q", "-m", "before");
}

/**
 * Does what the page says, and every check. Checks that do not wait for one another run two at a time: that of types takes
 * as long as all others.
 *
 * @returns the files that differ afterwards.
 */
async function proveGreen(): Promise<string[]> {
  await npm("new:resource", "supplier", ...COLUMNS);
  const written = changedFiles();
  expectCounts();
  await npm("db:migration", "suppliers");
  await npm("schema:emit");
  await npm("codegen");
  await npm("schema:examples");
  await npm("db:migration", "--seal");
  const changed = changedFiles();
  await Promise.all([npm("typecheck"), checkAllButTypes(written, changed)]);
  await npm("test", "--slice", "suppliers", ...TESTS);
  return changedFiles();
}

/** @param written has the files that a person may change; what is generated is checked for its form alone. */
async function checkAllButTypes(written: readonly string[], changed: readonly string[]): Promise<void> {
  await step("eslint", "npx", ["eslint", ...written.filter((path) => /\.(?:ts|graphql)$/u.test(path))]);
  const formatted = changed.filter((path) => existsSync(join(copy, path)));
  await step("prettier", "npx", [
    "prettier",
    "--check",
    "--ignore-unknown",
    "--log-level",
    "warn",
    ...formatted,
  ]);
  await npm("prisma:format", "--check");
  await npm("arrows");
  await npm("unused");
  await npm("schema:emit", "--check");
  await npm("schema:compare");
}

/** Expects that the page says how many lines are written into how many files. */
function expectCounts(): void {
  const count = (filter: string): readonly [lines: number, files: number] => {
    const lines = git("diff", "--cached", "--numstat", `--diff-filter=${filter}`, "HEAD")
      .split("\n")
      .filter(Boolean);
    return [lines.reduce((sum, line) => sum + Number(line.split("\t")[0]), 0), lines.length];
  };
  const [own, shared] = [count("A"), count("M")];
  const sentence = `${own[0]} lines in ${own[1]} files of its own, and ${shared[0]} lines in ${shared[1]} files that it shares`;
  process.stdout.write(`${sentence}\n`);
  if (!readFileSync(join(ROOT, "src/README.md"), "utf8").includes(sentence))
    throw new Error(`src/README.md does not say: ${sentence}`);
}

function proveForgottenFiller(): void {
  const file = join(copy, "test/support/fill-company.ts");
  const filled = readFileSync(file, "utf8");
  if (!FILLER.test(filled)) throw new Error("new:resource has written no filler");
  writeFileSync(file, filled.replace(FILLER, ""));
  const outcome = join(copy, "outcome.json");
  const args = [
    "test",
    "--",
    "--slice",
    "suppliers",
    "test/demo/fill-company",
    "--json",
    `--outputFile=${outcome}`,
  ];
  spawnSync("npm", args, { cwd: copy, stdio: "ignore" });
  const { numFailedTests } = JSON.parse(readFileSync(outcome, "utf8")) as { numFailedTests: number };
  process.stdout.write(`failures of a forgotten filler: ${numFailedTests}\n`);
  if (numFailedTests !== 1) throw new Error("a forgotten filler has to be one failure");
}

function changedFiles(): string[] {
  git("add", "-A");
  return git("diff", "--cached", "--name-only", "HEAD").split("\n").filter(Boolean);
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: copy, encoding: "utf8" });
}

function npm(script: string, ...args: string[]): Promise<void> {
  return step(`npm run ${[script, ...args].join(" ")}`, "npm", ["run", "-s", script, "--", ...args]);
}

async function step(name: string, command: string, args: string[]): Promise<void> {
  const start = performance.now();
  const child = spawn(command, args, { cwd: copy, stdio: ["ignore", "pipe", "pipe"] });
  const output = [child.stdout, child.stderr].map((stream) => text(stream));
  const [status] = (await once(child, "close")) as [number | null];
  process.stdout.write(`${((performance.now() - start) / 1_000).toFixed(1).padStart(6)} s  ${name}\n`);
  if (status !== 0) throw new Error(`${name} failed:\n${(await Promise.all(output)).join("")}`);
}
