/**
 * Runs the recipes of schema/CLIENTS.md as they are printed, each in an empty folder, with the packages that
 * it installs from the npm registry, against the service on its demo data. Only the address of the service is
 * replaced. It exits with 1 and names the block that fails or prints anything else than its comments say. It fails,
 * too, when the types let a text pass for an amount, or when the safelist allows too little or too much.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../bench/free-port.js";
import { cleanUp, makeDataDirectory, startService, stopServices } from "../support/service-process.js";

const PRINTED_ADDRESS = "http://127.0.0.1:4000";
const SAFELIST = "gql/persisted-documents.json";
/** Numbers that the recipes send as amounts. */
const SENT_AMOUNT = /(?<=: |\()(?:1000|1234)\b/gu;

/** A block of the page, named by its place, such as `CLIENTS.md:97`. */
interface Block {
  readonly place: string;
  readonly language: string;
  readonly text: string;
}

const folders: string[] = [];
try {
  const page = await readFile(new URL("../../schema/CLIENTS.md", import.meta.url), "utf8");
  const recipes = recipesOf(page);
  const port = await freePort();
  const environment = {
    PORT: String(port),
    DATA_DIR: await makeDataDirectory(),
    DEMO_DATA: "on",
    // A receiver of webhooks listens there.
    FETCH_ALLOW: "127.0.0.1:4100",
  };
  for (const [title, blocks] of recipes) {
    await startService(environment).ready;
    const folder = await mkdtemp(join(tmpdir(), "commerce-recipe-"));
    folders.push(folder);
    await prove(title, blocks, { folder, address: `http://127.0.0.1:${port}` });
    await stopServices();
    if (!existsSync(join(folder, SAFELIST))) continue;

    await startService({ ...environment, SAFELIST: join(folder, SAFELIST) }).ready;
    await proveSafelist(title, blocks, { folder, address: `http://127.0.0.1:${port}` });
    await stopServices();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await cleanUp();
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

interface Setting {
  readonly folder: string;
  readonly address: string;
}

/** Returns the blocks of the recipes by their titles. */
function recipesOf(page: string): Map<string, Block[]> {
  const recipes = new Map<string, Block[]>();
  let title = "";
  let open: { line: number; language: string; lines: string[] } | null = null;
  for (const [index, line] of page.split("\n").entries()) {
    const fence = /^```(?<language>\w*)$/u.exec(line);
    if (fence === null) {
      if (open !== null) open.lines.push(line);
      else if (line.startsWith("## ")) title = line.slice(3);
    } else if (open === null) {
      open = { line: index + 1, language: fence.groups?.["language"] ?? "", lines: [] };
    } else {
      const block = {
        place: `CLIENTS.md:${open.line}`,
        language: open.language,
        text: open.lines.join("\n"),
      };
      recipes.set(title, [...(recipes.get(title) ?? []), block]);
      open = null;
    }
  }
  if (recipes.size !== 6) throw new Error(`schema/CLIENTS.md has ${recipes.size} recipes, not 6`);
  return recipes;
}

/** Runs the blocks in their order; the last one runs the program, whose lines the comments tell. */
async function prove(title: string, blocks: readonly Block[], { folder, address }: Setting): Promise<void> {
  let output = "";
  for (const block of blocks) {
    console.log(`${title}: ${block.place}`);
    const text = block.text.replaceAll(PRINTED_ADDRESS, address);
    if (block.language === "sh") output = await shell(block, text, folder);
    else await writeFile(join(folder, nameOf(block)), text);
  }
  assertPrinted(blocks, output);
  await proveTypes(blocks, { folder, address });
}

/** Puts a text in the place of each amount in turn: the recipe's own check of types has to refuse it. */
async function proveTypes(blocks: readonly Block[], { folder, address }: Setting): Promise<void> {
  const check = linesOf(blocks.at(-1)).find((line) => line.startsWith("npx tsc "));
  const planted = blocks.flatMap((block) =>
    block.language === "ts" ? [...block.text.matchAll(SENT_AMOUNT)].map((found) => ({ block, found })) : [],
  );
  if (check === undefined || planted.length === 0) throw new Error(`${blocks[0]?.place}: types nothing`);
  for (const { block, found } of planted) {
    const { text } = block;
    const wrong = `${text.slice(0, found.index)}"${found[0]}"${text.slice(found.index + found[0].length)}`;
    await writeFile(join(folder, nameOf(block)), wrong.replaceAll(PRINTED_ADDRESS, address));
    const refused = await shell(block, check, folder).catch((error: Error) => error.message);
    if (!/error TS2(?:322|345|769)/u.test(refused)) {
      throw new Error(`${block.place}: the types take "${found[0]}" for an amount\n${refused}`);
    }
    await writeFile(join(folder, nameOf(block)), text.replaceAll(PRINTED_ADDRESS, address));
  }
  console.log(`  ${planted.length} amounts are typed`);
}

/** The program does the same under its own safelist, and nothing else runs. */
async function proveSafelist(
  title: string,
  blocks: readonly Block[],
  { folder, address }: Setting,
): Promise<void> {
  const [last, program] = [blocks.at(-1) as Block, linesOf(blocks.at(-1)).at(-1) ?? ""];
  console.log(`${title}: under its safelist`);
  assertPrinted(blocks, await shell(last, program, folder));
  const response = await fetch(`${address}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "{ goods(companyId: 1) { nodes { id } } }" }),
  });
  const answer = await response.text();
  if (!answer.includes('"FORBIDDEN"')) throw new Error(`The safelist lets others through: ${answer}`);
}

function assertPrinted(blocks: readonly Block[], output: string): void {
  const told = blocks.flatMap(({ language, text }) =>
    language === "ts" ? [...text.matchAll(/^\s*console\.log\(.*\); \/\/ (?<told>.*)$/gmu)] : [],
  );
  const expected = told.map(({ groups }) => groups?.["told"] ?? "");
  const printed = output.trimEnd().split("\n").slice(-expected.length);
  if (expected.length === 0 || expected.join("\n") !== printed.join("\n")) {
    const place = blocks.findLast(({ language }) => language === "ts")?.place;
    throw new Error(`${place}: printed\n${printed.join("\n")}\ninstead of\n${expected.join("\n")}`);
  }
}

/** The first line of a block of code is a comment with the name of its file. */
function nameOf({ place, text }: Block): string {
  const name = /^\/\/ (?<name>[\w-]+\.ts)\n/u.exec(text)?.groups?.["name"];
  if (name === undefined) throw new Error(`${place}: the first line does not name the file`);
  return name;
}

function linesOf(block: Block | undefined): string[] {
  return block === undefined ? [] : block.text.split("\n");
}

/** Runs commands as somebody's own shell does: nothing of this project's npm is in the environment. */
async function shell({ place }: Block, commands: string, cwd: string): Promise<string> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|NODE_OPTIONS$|INIT_CWD$)/iu.test(name),
  );
  const env: NodeJS.ProcessEnv = { ...Object.fromEntries(own), NO_COLOR: "1" };
  try {
    return (await promisify(execFile)("bash", ["-euo", "pipefail", "-c", commands], { cwd, env })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${place}: failed\n${stdout}${stderr}`, { cause: error });
  }
}
