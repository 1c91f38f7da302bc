/**
 * `npm run schema:compare` compares both references with those of the last release, which `schema/released` has. It prints every
 * break that `schema/CHANGELOG.md` does not note, and every note of a break that is none; with one of them it exits with 1.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { judgeBreaks } from "./breaks.js";
import { graphqlBreaks } from "./graphql-breaks.js";
import { openapiBreaks } from "./openapi-breaks.js";

const SCHEMA = fileURLToPath(new URL("../../schema", import.meta.url));
const RELEASED = join(SCHEMA, "released");
const REFERENCES = ["schema.graphql", "openapi.json"] as const;

const changelog = readFileSync(join(SCHEMA, "CHANGELOG.md"), "utf8");
const [graphql, openapi] = REFERENCES.map((name) =>
  [RELEASED, SCHEMA].map((folder) => readFileSync(join(folder, name), "utf8")),
) as [[string, string], [string, string]];
const [before, after] = openapi.map((text) => JSON.parse(text) as { info: { version: string } }) as [
  { info: { version: string } },
  { info: { version: string } },
];
const breaks = [...(await graphqlBreaks(...graphql)), ...openapiBreaks(before, after)];
const { unnoted, idle } = judgeBreaks(breaks, changelog);
for (const { at, what } of unnoted) process.stdout.write(`not noted: ${at}: ${what}\n`);
for (const note of idle) process.stdout.write(`noted, but no break: ${note}\n`);
process.stdout.write(
  `${breaks.length} breaks since ${before.info.version}, ${unnoted.length} of them not noted\n`,
);
if (unnoted.length + idle.length > 0) process.exitCode = 1;
