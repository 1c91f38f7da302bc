/**
 * Runs Jest as its own command does, with one option more: `--slice NAME` runs what is tested of all operations for those of
 * that slice alone; a path beside it adds other tests.
 */
import { existsSync } from "node:fs";

/** The suites that test all operations by themselves. */
const GENERATED = ["matrix", "parity", "bad-input", "sql-statements"].map((name) => `test/access/${name}\\.`);
const OPTION = "--slice";

const given = process.argv.slice(2);
const place = given.findIndex((argument) => argument === OPTION || argument.startsWith(`${OPTION}=`));
if (place >= 0) {
  const [option, joined] = given[place].split("=", 2);
  const slice = joined ?? given[place + 1];
  if (slice === undefined || !existsSync(`src/slices/${slice}`)) {
    process.stderr.write(`${option} takes the name of a folder of src/slices.\n`);
    process.exit(1);
  }
  process.env.TEST_SLICE = slice;
  given.splice(place, joined === undefined ? 2 : 1, ...GENERATED);
  // A third worker would take longer to begin than it saves.
  if (!given.some((argument) => argument.startsWith("--maxWorkers"))) given.push("--maxWorkers=2");
  process.argv.splice(2, process.argv.length, ...given);
}
await import("../../node_modules/jest/bin/jest.js");
