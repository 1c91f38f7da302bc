import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/** The directory to which all statements go that services of the tests send; they go nowhere without it. */
const directory = process.env["STATEMENTS"];
const kept = new Set<string>();
if (directory !== undefined) mkdirSync(directory, { recursive: true });

/** Writes a statement that no test of this process has sent before to a file, a line for each: `npm run prove:walls` judges them. */
export function keepStatement(sql: string): void {
  if (directory === undefined || kept.has(sql)) return;
  kept.add(sql);
  appendFileSync(join(directory, `${process.pid}.jsonl`), `${JSON.stringify(sql)}\n`);
}
