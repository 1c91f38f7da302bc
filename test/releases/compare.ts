/**
 * `npm run schema:compare` compares both references with those of the last release, which `schema/released` has. It prints every
 * break that `schema/CHANGELOG.md` does not note, and every note of a break that is none; with one of them it exits with 1.
 *
 * `npm run schema:release` makes the references of today those of the last release. It refuses while the changelog has no heading
 * for the version of `package.json`.
 */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { judgeBreaks } from "./breaks.js";
import { graphqlBreaks } from "./graphql-breaks.js";
import { openapiBreaks } from "./openapi-breaks.js";

const SCHEMA = fileURLToPath(new URL("../../schema", import.meta.url));
const RELEASED = join(SCHEMA, "released");
const REFERENCES = ["schema.graphql", "openapi.json"] as const;

const changelog = readFileSync(join(SCHEMA, "CHANGELOG.md"), "utf8");
if (process.argv.includes("--release")) release();
else await compare();

async function compare(): Promise<void> {
  const [graphql, openapi] = REFERENCES.map((name) =>
    [RELEASED, SCHEMA].map((folder) => readFileSync(join(folder, name), "utf8")),
  ) as [[string, string], [string, string]];
  const [before, after] = openapi.map((text) => JSON.parse(text) as { info: { version: string } }) as [
    { info: { version: string } },
    { info: { version: string } },
  ];
  const breaks = [...(await graphqlBreaks(...graphql)), ...openapiBreaks(before, after)];
  const { unnoted, idle } = judgeBreaks(breaks, changelog);
  for (const { at, what } of unnoted) console.log(`not noted: ${at}: ${what}`);
  for (const note of idle) console.log(`noted, but no break: ${note}`);
  console.log(`${breaks.length} breaks since ${before.info.version}, ${unnoted.length} of them not noted`);
  if (unnoted.length + idle.length > 0) process.exitCode = 1;
}

function release(): void {
  const { version } = JSON.parse(readFileSync(join(SCHEMA, "../package.json"), "utf8")) as {
    version: string;
  };
  if (!changelog.includes(`\n## ${version}`))
    throw new Error(`schema/CHANGELOG.md has no heading ## ${version}`);
  mkdirSync(RELEASED, { recursive: true });
  for (const name of REFERENCES) copyFileSync(join(SCHEMA, name), join(RELEASED, name));
  console.log(`schema/released has the references of ${version}; the tag is v${version}`);
}
