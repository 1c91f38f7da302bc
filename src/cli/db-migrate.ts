import { parseArgs } from "node:util";
import { prepare, withDatabase } from "../process/with-database.js";
import { CommandError, runCommand } from "./command.js";

const USAGE = "Usage: npm run db:migrate -- [--service-role NAME]";

/**
 * `npm run db:migrate` applies the pending migrations to the configured database, as the owner of its tables. With
 * `--service-role` the role gets the rights that the service needs; it keeps them at each later run.
 */
await runCommand(async (config, args) => {
  const serviceRole = readServiceRole(args);
  const warn = (message: string): void => void process.stderr.write(`${message}\n`);
  const applied = await withDatabase(config, (access) =>
    prepare(access, { warn, ...(serviceRole !== undefined && { serviceRole }) }),
  );
  process.stdout.write(applied.length === 0 ? "Nothing to apply.\n" : `Applied ${applied.join(", ")}.\n`);
  if (serviceRole !== undefined)
    process.stdout.write(`The role ${JSON.stringify(serviceRole)} may serve, and owns nothing.\n`);
});

function readServiceRole(args: string[]): string | undefined {
  try {
    return parseArgs({ args, options: { "service-role": { type: "string" } } }).values["service-role"];
  } catch {
    throw new CommandError(USAGE);
  }
}
