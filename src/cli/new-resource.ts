import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isModel } from "../core/scope/tenant-models.js";
import { CommandError, runCommand } from "./command.js";
import { joinedFiles } from "./resource/joined-files.js";
import { COLUMN_KINDS, columnOf, namesOf } from "./resource/names.js";
import { newFiles, type NewResource } from "./resource/new-files.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const USAGE = `Usage: npm run new:resource -- NAME [COLUMN:KIND …] [--plural NAMES] [--area AREA]
  NAME and NAMES   lower case, with hyphens between words: delivery-zone
  COLUMN           camelCase: contactEmail
  KIND             ${COLUMN_KINDS.join(", ")}
  AREA             whose permissions its operations need, company when absent`;
const NEXT = (slice: string): string => `
Decide columns, bounds, area, orders and words in these files (src/README.md, "Add a resource"). Then:
  npm run db:migration -- ${slice.replaceAll("-", "_")}
  npm run schema:emit && npm run codegen && npm run schema:examples
  npm test -- --slice ${slice} test/data test/rest test/resources test/demo
  npm run db:migration -- --seal
`;

/** `npm run new:resource -- supplier notes:text` writes all that a plain resource needs, and what is to be done next. */
await runCommand((_, args) => {
  const resource = readArguments(args);
  const { type, slice } = resource.names;
  const fresh = newFiles(resource);
  const there = [`src/slices/${slice}`, ...Object.keys(fresh)].filter((path) => existsSync(join(ROOT, path)));
  if (isModel(type)) there.push(`the model ${type}`);
  if (there.length > 0) throw new CommandError(`There is ${there.join(", ")} already; nothing was written.`);
  const texts = { ...fresh, ...joinedFiles(resource, (path) => readFileSync(join(ROOT, path), "utf8")) };
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
  }
  const paths = Object.keys(texts);
  run("npx", [
    "prettier",
    "--log-level",
    "warn",
    "--write",
    ...paths.filter((path) => /\.(?:ts|graphql)$/u.test(path)),
  ]);
  run("npm", ["run", "-s", "prisma:format"]);
  process.stdout.write(`${paths.join("\n")}\n${NEXT(slice)}`);
  return Promise.resolve();
});

function readArguments(args: string[]): NewResource {
  const options = { plural: { type: "string" }, area: { type: "string", default: "company" } } as const;
  let read;
  try {
    read = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n${USAGE}`);
  }
  const [name = "", ...given] = read.positionals;
  const names = namesOf(name, read.values.plural);
  const columns = given.map((text) => columnOf(text) ?? fail(`${text} is no column.`));
  const area = /^[a-z][a-z_]*$/u.test(read.values.area) ? read.values.area : fail("AREA is in snake_case.");
  return {
    names: names ?? fail(`${name === "" ? "NAME is missing" : `${name} is no name`}.`),
    area,
    columns,
  };
}

function fail(reason: string): never {
  throw new CommandError(`${reason}\n${USAGE}`);
}

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new CommandError(`${command} ${args[0]} has failed.`);
}
